"""More forms of employers, schools, services, homes, health centres and wards of Spanish-speaking countries."""

from __future__ import annotations

from collections.abc import Mapping

from elision.languages.synth_lists import list_file
from elision.languages.synth_mixing import More, Words, listed, small

_EMPLOYERS = (
    "Mercadona", "Carrefour", "Día", "Lidl", "Aldi", "Eroski", "Consum", "Alcampo", "El Corte Inglés", "Zara",
    "Inditex", "Ikea", "Leroy Merlin", "Decathlon", "Correos", "Renfe", "Adif", "Metro de Madrid", "EMT", "TMB",
    "Iberia", "Vueling", "Air Europa", "Ryanair", "Avianca", "LATAM", "Aeroméxico", "Aerolíneas Argentinas", "Seat",
    "Renault", "Ford", "Michelin", "Airbus", "Navantia", "Repsol", "Cepsa", "Endesa", "Iberdrola", "Naturgy",
    "Telefónica", "Movistar", "Orange", "Santander", "BBVA", "CaixaBank", "Sabadell", "Unicaja", "Kutxabank",
    "Bankinter", "Ibercaja", "Banamex", "Banorte", "Bancolombia", "Davivienda", "Banco Nación", "Banco Galicia",
    "Bimbo", "Cemex", "Femsa", "Oxxo", "Soriana", "Chedraui", "Walmart", "Elektra", "Coppel", "Telmex", "Pemex",
    "CFE", "YPF", "Techint", "Coto", "Arcor", "Ecopetrol", "Éxito", "Alpina", "Falabella", "Cencosud", "Amazon",
    "Glovo", "Rappi", "Uber", "DHL", "SEUR", "MRW", "Ferrovial", "Acciona", "ACS", "FCC", "Indra", "Prosegur",
    "Securitas", "Eulen", "Clece", "Cofely", "Danone", "Nestlé", "Campofrío", "El Pozo", "Mahou", "Damm",
    "Mondragón", "Fagor", "Telepizza", "McDonald's", "Burger King", "Mapfre",
)  # fmt: skip
_PAYERS = (
    "Adeslas", "Asisa", "DKV", "Sanitas", "Mapfre", "Caser", "Cigna", "Muface", "MUGEJU", "ISFAS", "Fremap",
    "Asepeyo", "Ibermutua", "Mutua Universal", "Umivale", "Fraternidad-Muprespa", "MC Mutual", "Activa Mutua",
    "Mutua Madrileña", "Línea Directa", "Allianz", "AXA", "Zurich", "Generali", "Santalucía", "Ocaso", "Pelayo",
    "Helvetia", "Catalana Occidente",
)  # fmt: skip
_BODIES = (
    "INSS", "SEPE", "TGSS", "Hacienda", "DGT", "IMSERSO", "ONCE", "Cáritas", "Cruz Roja", "Guardia Civil", "SAMUR",
    "SUMMA 112", "061", "UME", "CCOO", "UGT", "CSIF", "CGT", "USO", "ELA", "LAB", "SATSE", "AECC", "AFA", "ASPACE",
    "Plena Inclusión", "Proyecto Hombre", "Alcohólicos Anónimos", "Médicos Sin Fronteras", "ACCEM", "CEAR",
    "Save the Children", "Aldeas Infantiles", "Banco de Alimentos", "FEAFES", "FEDER", "ADACEN", "COCEMFE",
    "Teléfono de la Esperanza", "Legión Española", "Ejército de Tierra", "Armada", "Mossos d'Esquadra", "Ertzaintza",
    "SERMAS", "SAS", "Osakidetza", "CatSalut", "SESCAM", "SERGAS", "Bomberos", "Protección Civil",
    "Fiscalía de Menores", "CSIC", "INE", "AEMET", "SOC", "SAE", "IMV", "UNICEF",
)  # fmt: skip
_COLLEGES = (
    "UNED", "UAM", "UCM", "UPM", "UPC", "UB", "UAB", "UPV", "UPV/EHU", "Deusto", "Comillas", "ICADE", "ESADE",
    "IESE", "UNIR", "UOC", "CEU", "UNAV", "USAL", "UVA", "UGR", "UMA", "UNAM", "IPN", "Tec de Monterrey", "ITAM",
    "UAM Xochimilco", "La Salle", "UVM", "UBA", "UTN", "UNLP", "UCA", "UADE", "Javeriana", "Uniandes", "UIS", "SENA",
    "UPTC", "UNELLEZ", "UCV", "LUZ", "ULA", "UNEFA", "PUCP", "UNMSM", "USACH", "UNI", "ESPOL", "UMSA", "INACAP",
    "Conalep", "Cobach", "CBTIS", "Cetis",
)  # fmt: skip
_FIRMS = (
    "Reformas", "Instalaciones", "Climatización", "Calefacciones", "Derribos", "Hormigones", "Áridos", "Mármoles",
    "Vidrios", "Toldos", "Persianas", "Cerrajería", "Andamios", "Grúas", "Neumáticos", "Desguaces", "Taxis",
    "Mudanzas", "Mensajería", "Viajes", "Asesoría", "Gestoría", "Consultores", "Abogados", "Notaría", "Arquitectos",
    "Ingeniería", "Tecnologías", "Software", "Comunicaciones", "Imprenta", "Editorial", "Laboratorios", "Óptica",
    "Ortopedia", "Funeraria", "Jardinería", "Viveros", "Semillas", "Agropecuaria", "Ganadería", "Granja", "Pescados",
    "Mariscos", "Cooperativa", "Lácteos", "Harinas", "Almazara", "Destilerías", "Envases", "Plásticos", "Químicas",
    "Fundiciones", "Metalúrgica", "Astilleros", "Naviera", "Minera", "Calzados", "Confecciones", "Tintorería",
    "Lavandería", "Catering", "Eventos",
)  # fmt: skip
_SHOPS = (
    "Bar", "Café", "Cafetería", "Restaurante", "Mesón", "Taberna", "Asador", "Pizzería", "Churrería", "Heladería",
    "Pastelería", "Confitería", "Carnicería", "Pescadería", "Frutería", "Ultramarinos", "Estanco", "Quiosco",
    "Librería", "Papelería", "Ferretería", "Droguería", "Perfumería", "Peluquería", "Barbería", "Gimnasio",
    "Autoescuela", "Hotel", "Hostal", "Camping", "Casa", "Finca", "Cortijo", "Floristería", "Zapatería", "Joyería",
    "Bazar", "Locutorio", "Discoteca", "Academia", "Taller", "Gasolinera", "Lavadero", "Kiosco", "Parrilla",
    "Taquería", "Abarrotes", "Tienda", "Almacén",
)  # fmt: skip


ORGANIZATION_WORDS: Words = {
    **listed(
        employers=_EMPLOYERS, payers=_PAYERS, bodies=_BODIES, colleges=_COLLEGES, firms=_FIRMS, shops=_SHOPS,
    ),
    "small_employers": lambda: small(_EMPLOYERS),
    "small_firms": lambda: small(_FIRMS),
    "small_shops": lambda: small(_SHOPS),
    "small_town": lambda: small((*list_file("es", "towns"), *list_file("es", "towns_more"))),
    "small_family": lambda: small(list_file("es", "surnames")),
    "legal": lambda: ("S.L.", "SL", "S.L.U.", "SLU", "S.A.", "SA", "S.A.U.", "C.B.", "S. Coop.", "SLL",
        "Hnos.", "e Hijos",
                      "y Cía.", "Grupo", "Ibérica", "Internacional", "y Asociados"),
    "emblem": lambda: ("El Faro", "La Estrella", "El Trébol", "La Perla", "El Cóndor", "La Paloma",
        "El Puente", "Las Flores",
                       "La Ceiba", "El Roble", "Los Ángeles", "La Esperanza", "El Sol", "Arcoíris", "Aurora",
        "Horizonte",
                       "La Noria", "El Timón", "La Colmena", "Los Pinos", "Amanecer", "Nuevo Día",
        "El Ancla", "La Ribera"),
}  # fmt: skip

# A list that both sides need stands in rows of two weights, so that each side has one.
MORE: More = {
    "organization": (0.21, (
        "6: {employers}", "1.6: {employers}", "3: {payers}", "0.95: {payers}", "4: {bodies}", "0.95: {bodies}",
        "{firms} {family}", "{firms} {family} {legal}", "{firms} {town} {legal}", "{family} {legal}",
        "{family} y {family} {legal}", "{shops} {given}", "{shops} {emblem}", "{shops} {home}",
        "2: {shops} {family}", "{emblem}", "{firms} {emblem}", "{firms} del {wind}", "Grupo {emblem}",
        "{family} Tech", "{wind}soft", "{wind}Lab", "{emblem} {legal}", "Air {wind}", "Aerolíneas del {wind}",
        "Banco del {wind}", "Caja Rural de {town}", "Supermercados {emblem}", "Súper {family}", "Seguros {emblem}",
        "Aseguradora del {wind}", "Mutualidad {emblem}", "Montepío de {town}", "Fondo {family}",
        "Sindicato de {firms}", "{bodies} {town}", "Diputación de {state:long}", "Concello de {town}",
        "Ajuntament de {town}", "Gobierno de {state:long}", "Consejería de Sanidad de {state:long}",
        "Servicios Sociales de {town}", "Servicios Sociales", "Comisaría de {town}", "Guardia Civil de {town}",
        "Bomberos de {town}", "SAMU {town}", "Ambulancias {family}", "Juzgado de lo Social nº {n:1-20}",
        "Juzgado nº {n:1-12} de {town}", "Fiscalía de {town}", "Audiencia Provincial de {town}",
        "Regimiento {family} nº {n:1-70}", "Batallón {family}", "BRILAT", "Base Militar {family}",
        "Iglesia Evangélica {emblem}", "Iglesia de {saint}", "Parroquia {virgin}", "Mezquita de {town}",
        "Sinagoga de {town}", "Salón del Reino de {town}", "Cofradía {virgin}", "Hermandad de {saint}", "{town} CF",
        "UD {town}", "Club de Ajedrez {emblem}", "Peña {emblem}", "Coral {saint}", "Coro {virgin}",
        "Banda de {town}", "Casa Regional de {town}", "Asociación de Vecinos {emblem}", "Asociación {emblem}",
        "Fundación {emblem}", "Fundación {saint}", "ONG {emblem}", "Asociación de Enfermos de {town}", "AFA {town}",
        "Alzhéimer {town}", "Ayuda a Domicilio {emblem}", "SAD {town}", "Cuidados {emblem}",
        "Centro de Menores {emblem}", "Equipo de Crisis {town}", "ETF {town}", "Centro Ocupacional {emblem}",
        "Centro de Día {emblem}", "Laboratorio {family}", "Laboratorios {emblem} {legal}", "Farmacia {family}",
        "farmacia de la {way} {road}", "2: {#:???}", "1.5: {#:????}", "{#:?????}",
        "{#:[BCDFLMNPRST][AEIO][BCDLMNPRST][AEIO]}", "{#:[AEIU][CDLMNPRST][AEIO][CDLMNPRS][AEIO]}",
        "{#:[BCDFLMNPRST][AEIO][CDLMNRS][AEIO][CDLMNPRS][AEIO]}", "{#:???} {town}", "{#:??} {firms}",
        "{small_firms} {small_family}", "{small_shops} {small_family}", "2: {small_employers}",
        "ayuntamiento de {small_town}", "{small_firms} {small_town}",
    )),
    "school": (0.4, (
        "4: {colleges}", "0.85: {colleges}", "{colleges} {town}", "Liceo {family}", "Colegio {family}",
        "Colegio {emblem}", "Escuela {emblem}", "Jardín de Infancia {emblem}", "EEI {emblem}", "CPR {emblem}",
        "CEPA {road}", "CIFP {town}", "CFGS {town}", "Escuela de Hostelería de {town}", "Conservatorio de {town}",
        "Academia {family}", "Salesianos {town}", "Maristas {town}", "Sagrado Corazón", "Ikastola {emblem}",
        "Institut {road}", "Escola {emblem}", "EOI {town}", "Escuela Universitaria de {town}", "Universidad {saint}",
        "Politécnica de {town}", "U. de {town}", "instituto de {small_town}", "{saint}",
        "Colegio Público {given} {family}",
    )),
    "clinic": (0.9, (
        "Policlínica {emblem}", "Clínica {given} {family}", "Fisioterapia {family}", "Dental {emblem}",
        "Consulta Dr. {family}", "Consulta Dra. {family}", "CSM {town}", "USM {town}", "CAID {town}", "PAC {town}",
        "SUAP {town}", "Punto {emblem}", "c.s. {small_town}", "Centro Oftalmológico {family}", "Óptica {family}",
        "Planificación Familiar {town}", "CAS {town}",
    )),
    "care_home": (0.983, (
        "{emblem}", "Geriátrico {emblem}", "Residencia {family}", "Mayores {emblem}",
        "Apartamentos Tutelados {home}", "Piso Tutelado {emblem}", "Mini-residencia {emblem}",
        "Hogar de Ancianos {saint}", "Asilo {saint}", "Casa {saint}", "Comunidad Terapéutica {emblem}",
        "Casa de Acogida {emblem}", "residencia {small_town}", "CRPS {town}",
    )),
    "department": (1.475, (
        "Equipo de {specialties}", "Gabinete de {specialties}", "Corta Estancia", "Unidad de Corta Estancia", "CMA",
        "Cirugía sin Ingreso", "Policlínica de {specialties}", "{specialties} {side}", "Secretaría de {specialties}",
        "Unidad {letter} de {specialties}", "Consulta {n:1-40}", "{specialties} II", "Equipo {letter}",
        "Instituto de {specialties}",
    )),
    "ward": (0.983, (
        "Corta Estancia", "{n:2-9}ª {letter}", "Planta {n:2-9} {side}", "{specialties} {n:2-9}ª",
        "Unidad {n:1-9}{letter}", "Hospitalización {n:1-9}{letter}", "Sala {n:1-30}", "Sala {letter}",
        "{n:2-9}º Norte", "Módulo {n:1-9}", "Pabellón {family}", "Control {n:1-9}{letter}", "{specialties}-{letter}",
        "Unidad de Agudos", "UHB", "Equipo {emblem}", "Torre {letter} {n:2-9}ª",
    )),
    "insurer": (0.7, (
        "5: {payers}", "1.2: {payers}", "{emblem} Seguros", "{payers} {town}",
    )),
}  # fmt: skip
MORE_OF: Mapping[str, More] = {
    "ES": {"organization": (0.26, (
        "Comunidad de Regantes de {town}", "Mancomunidad de {town}", "Xunta", "Generalitat", "Junta de {state:long}",
        "Agencia Tributaria de {town}", "SEPE {town}", "Cofradía de Pescadores de {town}", "CRAE {emblem}",
    ))},
    "MX": {"organization": (0.26, (
        "2: IMSS", "2: ISSSTE", "SAT", "DIF {town}", "SEDENA", "INFONAVIT", "CNTE Sección {n:1-60}", "SNTE",
        "Ejido {town}", "H. Ayuntamiento de {town}", "Maquiladora {family} S.A. de C.V.",
        "{firms} {family} SA de CV", "Ministerio Público de {town}", "{n:10-99} Batallón de Infantería",
        "Fonda {given}", "Tortillería {emblem}",
    )),
        "school": (0.58, (
        "CECyT {n:1-19}", "Prepa {n:1-9}", "Secundaria Técnica {n:1-120}", "Primaria {given} {family}",
    ))},
    "AR": {"organization": (0.269, (
        "2: PAMI", "ANSES", "OSDE", "IOMA", "OSECAC", "Swiss Medical", "Galeno", "AFIP", "Municipalidad de {town}",
        "UOCRA", "SMATA", "Frigorífico {family}", "Estancia {emblem}", "Prefectura Naval", "Comedor {emblem}",
        "Kiosco {given}", "{n:1-60}ª Comisaría de {town}", "{firms} {family} SRL", "{firms} {emblem} S.R.L.",
        "Club Atlético {town}",
    )),
        "school": (0.6, (
        "Escuela N° {n:1-900}", "EES N° {n:1-60}", "Jardín {n:900-999}", "Normal {n:1-12}",
    ))},
    "CO": {"organization": (0.26, (
        "2: Nueva EPS", "EPS Sura", "Sanitas EPS", "Compensar", "Comfama", "Colpensiones", "ICBF", "ESFAM", "DIAN",
        "SENA {town}", "Alcaldía de {town}", "Gobernación de {state:long}", "Fiscalía {n:1-99} de {town}",
        "Comisaría de Familia de {town}", "{firms} {family} S.A.S.", "{firms} {emblem} SAS", "Colsubsidio",
        "Batallón {family} de {town}", "Positiva ARL",
    )),
        "school": (0.57, (
        "I.E. {saint}", "Institución Educativa {given} {family}", "IED {emblem}", "Gimnasio {emblem}",
    ))},
}  # fmt: skip
