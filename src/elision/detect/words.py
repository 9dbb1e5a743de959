"""Small lists, written down by us: words that are more than a name, titles, particles, words of streets. As keys."""

from __future__ import annotations

from elision.detect.units import bare


def keys_of(words: str) -> frozenset[str]:
    return frozenset(bare(word) for word in words.split())


# Words that are names, too, or a slip away from one: they are no name without a title or another part beside them.
COMMON = keys_of(
    """
    pais españa español española medico medica medicos oncologia radiologia urologia cirujano nederland belgie spain
    period comma semicolon punto coma punt komma
    spanish dutch chinese english the and with without for from was were has had have not but his her their this
    that then than there these those may will mark rose grace brown white black green gray grey young old long short
    small little day june april august march may hope joy faith bill pat art rich frank jack sue drew miles pain
    cook baker bell bush wood woods field fields hill hills rivers stone church hall house king page rice salmon
    fish bird fox wolf lamb hand hands foot head neck back chest heart skin bone blood love gold silver diamond ray
    dean earl duke prince major sergeant price cash case chase chance wise strong power moody self sharp swift still
    noble good best west east north south england holland paris jordan israel china india georgia virginia carolina
    florence sierra dakota summer winter autumn spring storm frost snow rain carter mason porter potter taylor
    tailor butler hunter fisher farmer miller cooper turner walker sawyer shepherd singer weaver iris lily daisy
    violet heather ivy olive ginger hazel holly dawn eve melody harmony destiny crystal pearl ruby jade amber star
    sunny sandy rusty buddy guy gene dale glen cliff dick peter jean rob bob pat nick max mike harry rod jimmy chuck
    buck wade pierce grant lance trip skip chip dusty rocky speed waters pool banks bridges ford marsh lake pond
    meadows garden gardner parks park street lane mills barber bishop pope abbot monk parson dear darling savage
    wild weeks month months today bowel bowels elbow patient patients history physical exam normal acute chronic
    severe left right upper lower both male female woman women man men child mother father brother sister wife
    husband daughter family year years week days time times doctor nurse hospital clinic ward admitted admission
    discharge discharged treatment therapy diagnosis disease fever cough nausea vomiting headache infection cancer
    tumor tumour lesion fracture wound surgery operation procedure biopsy lung lungs liver kidney brain stomach
    bladder prostate breast thyroid artery vein muscle nerve positive negative stable improved improving worse
    denies reports states noted given taken found seen placed removed started stopped continued increased decreased
    daily twice three four five seven eight nine oral tablet tablets dose doses medication medications morning
    evening night after before during since until while where which other report alert active awake plan plans note
    notes signs sound sounds rate rhythm regular pressure pulse weight height score grade stage level levels count
    white cell cells test tests sample urine stool sputum culture serum sodium potassium glucose insulin aspirin
    heparin warfarin morphine rosa rosas dolores cruz cruces delgado delgada blanco blanca moreno morena rubio rubia
    bravo brava calvo calva crespo cabeza cuello costa leon luz mar paz sol consuelo angustias remedios socorro
    esperanza leal mayor menor abril enero mayo junio julio agosto marzo flores ramos rios rivera vega campos prado
    prados montes sierra torres torre iglesias castillo palacios casas puerta fuente fuentes pozo lago laguna isla
    vera vidal bueno buena duro grande chico rojo rojas verde pardo prieto cano seco salado dulce reyes reina marin
    pastor guerrero herrero zapatero molinero marino vaquero caballero escudero barbero sastre carpintero cordero
    toro lobo pino robles olmo olmos parra manzano peral rosal jardin huerta mercedes pilar concepcion asuncion
    encarnacion inmaculada milagros rocio nieves ventura segura fiel amable alegre sano sana viejo vieja paciente
    pacientes historia dolor dolores fiebre tos nauseas cabeza izquierdo izquierda derecho derecha superior inferior
    normal agudo aguda cronico cronica grave leve varon mujer hombre madre padre hermano hermana hija hijo esposa
    esposo marido edad dias meses semana semanas hospital clinica servicio consulta ingreso alta tratamiento
    diagnostico exploracion enfermedad enfermedades lesion lesiones tumor cancer infeccion sangre orina higado
    pulmon corazon rinon cerebro hueso musculo nervio arteria vena piel cirugia biopsia fractura herida dosis diario
    diaria manana tarde noche antes despues desde hasta durante presenta refiere niega acude ingresa domicilio calle
    nombre apellidos fecha centro informe marca groot groote klein kleine bos berg dijk dijken visser bakker kok wit
    witte zwart zwarte bruin roos vos haan wolf leeuw beer mol hond kat duif valk kraai leiden lange lang korte kort
    jong jonge oud oude rijk arm sterk stoel tafel kamer huis straat weg brug molen molenaar smit smid kuiper slager
    schipper timmerman dokter arts zuster broer zus vader moeder zoon dochter man vrouw kind kinderen jaar jaren
    maand maanden week weken dag dagen uur mei maart juni juli koning prins keizer graaf hertog bisschop paus monnik
    water zee meer veen heide duin zand steen hout appel peer boom bloem hart hoofd hals nek rug borst buik been
    benen voet hand handen vinger oog oor neus mond tand patiente patienten klachten pijn koorts hoesten misselijk
    links rechts boven onder normaal acuut chronisch ernstig opname opgenomen ontslag ontslagen behandeling therapie
    diagnose ziekte ziekenhuis kliniek afdeling infectie kanker bloed urine lever nier long longen hersenen spier
    zenuw huid wond operatie breuk dosering dagelijks ochtend avond nacht voor naar sinds tijdens geen niet met
    zonder heeft werd wordt waren zijn haar hun deze
    """
)

TITLES = keys_of(
    """
    name surname nombre nombres apellido apellidos naam voornaam achternaam mr mrs ms miss mister mx dr dra drs
    doctor prof professor sir lady madam sr sra srta don dona señor señora señorita d dña dn dª dhr mevr mw mevrouw
    meneer heer ing ir mr fam familie pt pte patient paciente patiënt patiënte
    """
)
# Parts of a written name that say nothing: they are no names of their own in a record.
DROPPED = keys_of("mr mrs ms miss dr dra drs prof sra srta dña dª dn dhr mevr mw mevrouw meneer señor señora md phd rn")
PARTICLES = keys_of(
    """
    van der den de la las los del da das do dos di du des le les von zu zur zum ten ter te t het s y e i o op aan in
    bij al el bin ibn ben abu mac d l dela vander
    """
)
# At the beginning of a name, these are as likely a given name or a family's.
DOUBTFUL = keys_of("al el ben mac di le e i y o do te in van d")

# Dotted letters that are seldom someone's initials.
ABBREVIATIONS = keys_of(
    """
    am pm iv im po sc md rn pa np er ed or dx rx tx hx ca vs ie eg pt bp hr rr dl cc qd bid tid ad ee uu sa cv rv na
    nb ok us uk nl tv wc cp no ma phd eo zo od os ou ph
    """
)

# What is said while one thinks, as it is written down; no initials. In other languages these are some, or words.
FILLERS = {"en": frozenset(["um", "uh", "uhm", "hmm", "hm", "mm", "eh", "huh", "hey", "so", "do", "oh", "ah"])}

STREETS = keys_of(
    """
    bajo bajos atico entresuelo planta esc edificio edif street st road rd avenue ave av lane ln drive dr court ct
    place pl square sq boulevard blvd way close crescent terrace highway hwy parkway pkwy apartment apt unit suite
    flat floor calle c cl avenida avda paseo pso plaza pza plza camino cno carretera ctra travesia ronda rda pasaje
    piso puerta portal escalera bloque numero num n no izq izda dcha straat str laan weg plein gracht kade singel
    steeg pad dreef hof dijk huisnummer nr bus
    """
)
STREET_ENDINGS = ("straat", "laan", "weg", "plein", "gracht", "kade", "singel", "steeg", "dreef", "dyk", "strasse")

# What stands before a short number that is searched only there.
POINTERS = keys_of(
    """
    mrn id ids record records patientnummer patiëntnummer nhc bsn ssn dni nie nss ref code codigo account dossier hc
    user username login
    """
)
