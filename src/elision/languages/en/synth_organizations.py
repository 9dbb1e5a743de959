"""More forms of employers, schools, services, homes, clinics and wards of the English-speaking countries."""

from __future__ import annotations

from elision.languages.synth_lists import list_file, list_of
from elision.languages.synth_mixing import More, Words, listed, small
from elision.languages.synth_origins import names_of

_EMPLOYERS = (
    "Walmart", "Amazon", "Costco", "Kroger", "Tesco", "Aldi", "Lidl", "Woolworths", "Coles", "Bunnings", "FedEx",
    "UPS", "Boeing", "Ford", "GM", "Verizon", "AT&T", "Comcast", "Starbucks", "McDonald's", "Home Depot", "Lowe's",
    "Macy's", "Walgreens", "CVS", "Boots", "Sainsbury's", "Asda", "Morrisons", "Royal Mail", "BT", "Qantas",
    "Telstra", "Delta Air Lines", "United Airlines", "American Airlines", "Southwest", "British Airways", "Ryanair",
    "easyJet", "Lufthansa", "Emirates", "KFC", "Rio Tinto", "BHP", "Barclays", "HSBC", "Lloyds", "NatWest", "Chase",
    "Wells Fargo", "Bank of America", "Citibank", "Westpac", "ANZ", "Commonwealth Bank", "IBM", "Google",
    "Microsoft", "Intel", "Dell", "Oracle", "Uber", "DHL", "Amtrak", "USPS", "Greyhound", "IKEA", "BP", "ExxonMobil",
    "John Deere", "Caterpillar", "Whole Foods", "Trader Joe's", "Safeway", "Publix", "7-Eleven", "Wendy's", "Greggs",
    "Wetherspoons", "KLM", "Network Rail", "Transport for London", "B&Q", "Argos", "M&S", "Waitrose", "John Lewis",
    "Primark", "PwC", "KPMG",
)  # fmt: skip
_PAYERS = (
    "Aetna", "Cigna", "Humana", "UnitedHealthcare", "Blue Cross Blue Shield", "BCBS", "Blue Shield", "Anthem",
    "Kaiser Permanente", "Molina", "Centene", "Bupa", "AXA", "Vitality", "Aviva", "Medibank", "HCF", "nib", "Geico",
    "State Farm", "Allstate", "Liberty Mutual", "MetLife", "Prudential", "Aflac", "Sedgwick", "The Hartford",
    "Travelers", "Zurich", "WorkSafe", "Allianz", "Unum", "Simplyhealth", "WPA", "HBF", "Teachers Health", "AHM",
)  # fmt: skip
_BODIES = (
    "FBI", "IRS", "CPS", "DCFS", "DHS", "NASA", "HMRC", "DWP", "NHS England", "Ofsted", "DVLA", "Centrelink", "ATO",
    "CDC", "FDA", "CQC", "RSPCA", "RNLI", "Age UK", "Mind", "Macmillan", "YMCA", "YWCA", "AA", "NA", "VFW", "AARP",
    "Rotary", "Salvation Army", "Red Cross", "Lifeline", "Beyond Blue", "headspace", "Samaritans", "Shelter",
    "NSPCC", "Barnardo's", "Mencap", "RNIB", "Scope", "Relate", "UNISON", "Unite", "GMB", "AFL-CIO", "SEIU",
    "Teamsters", "UAW", "US Army", "US Navy", "Royal Navy", "RAF", "ADF", "National Guard", "Coast Guard",
    "Home Office", "Border Force", "TSA", "FEMA", "OSHA", "St John Ambulance", "Meals on Wheels", "Goodwill",
    "Habitat for Humanity", "Al-Anon", "St Vincent de Paul", "Vinnies", "Alzheimer's Society", "Parkinson's UK",
    "American Cancer Society", "NAMI",
)  # fmt: skip
_COLLEGES = (
    "Goldsmiths", "King's", "UCL", "LSE", "Imperial", "MIT", "Caltech", "UCLA", "USC", "Penn State", "Rutgers",
    "Yale", "Purdue", "Georgetown", "Oxford Brookes", "Deakin", "Monash", "RMIT", "UNSW", "UTS", "QUT", "TAFE",
    "Harvard", "Stanford", "Princeton", "Tulane", "Emory", "Baylor", "Notre Dame", "Villanova", "Temple", "Drexel",
    "CUNY", "Birkbeck", "SOAS", "Royal Holloway", "Open University", "Juilliard", "Central Saint Martins",
    "La Trobe", "Virginia Tech",
)  # fmt: skip
_FIRMS = (
    "Roofing", "Plumbing & Heating", "Scaffolding", "Tyres", "Auto Body", "Dry Cleaning", "Landscaping", "Joinery",
    "Tree Services", "Haulage", "Removals", "Bus Company", "Taxis", "Cabs", "Concrete", "Glass", "Tools", "Plastics",
    "Poultry", "Dairy", "Orchards", "Brewery", "Catering", "Events", "Recruitment", "Staffing", "Consulting", "Law",
    "Solicitors", "Accountants", "Realty", "Estate Agents", "Security", "Telecom", "Power & Light", "Water",
    "Energy", "Mining", "Paving", "Drilling", "Marine", "Packaging", "Printers", "Publishing", "Media", "Studios",
    "Software", "Pharmaceuticals", "Biotech", "Diagnostics", "Optical", "Furniture", "Upholstery", "Flooring",
    "Fencing", "Signs",
)  # fmt: skip
_SHOPS = (
    "Café", "Diner", "Bakery", "Grill", "Pizza", "Fish Bar", "Deli", "Bistro", "Kitchen", "Tavern", "Arms",
    "Florist", "Butchers", "Pharmacy", "Chemist", "Barbers", "Hair & Beauty", "Nails", "Hardware", "Garden Centre",
    "Books", "Toys", "Shoes", "Jewelers", "Pet Supplies", "Mini Mart", "Market", "Garage", "Gym", "Fitness", "Yoga",
    "Nursery", "Inn", "Motel", "Hotel", "Golf Club", "Lanes", "Music", "Cycles", "Laundromat", "Tandoori",
    "Noodle House",
)  # fmt: skip

ORGANIZATION_WORDS: Words = {
    **listed(
        employers=_EMPLOYERS, payers=_PAYERS, bodies=_BODIES, colleges=_COLLEGES, firms=_FIRMS, shops=_SHOPS,
    ),
    "small_firms": lambda: small((*_FIRMS, *_SHOPS)),
    "small_family": lambda: small(names_of("us").family[:600]),
    "small_town": lambda: small(list_of("en", "cities", "more-cities", "towns")()),
    "small_employers": lambda: small(_EMPLOYERS),
    "small_stem": lambda: small(list_file("en", "town-stems")),
    "legal": lambda: ("Inc.", "Inc", "LLC", "L.L.C.", "Corp.", "Corporation", "Co.", "Ltd", "Ltd.", "Limited", "PLC",
                      "LLP", "& Co.", "Group", "Holdings", "Partners", "Enterprises", "International"),
    "colour": lambda: ("Red", "Blue", "Green", "Silver", "Golden", "Black", "White", "Purple", "Amber"),
    "emblem": lambda: ("Lion", "Dragon", "Anchor", "Star", "Crown", "Fox", "Bridge", "Rocket", "Harbor", "Lantern",
                       "Compass", "Owl", "Pear", "Willow", "Swan", "Horseshoe", "Kettle", "Spoon", "Acorn", "Kite"),
}  # fmt: skip

# Templates for all countries; a list that both sides need stands in rows of two weights, so that each side has one.
MORE: More = {
    "organization": (0.179, (
        "6.1: {employers}", "1.55: {employers}", "2: {payers}", "0.6: {payers}", "4: {bodies}", "1.1: {bodies}",
        "2: {family} {firms}", "{family} {firms} {legal}", "2: {family}'s {shops}", "{town} {shops}",
        "{given}'s {shops}", "The {colour} {emblem}", "{colour} {emblem} {shops}", "{emblem} {firms}",
        "{stem}{tail} {firms} {legal}", "{family}, {family} & {family} LLP", "{family} Brothers",
        "{family} Bros. {firms}", "{family} Group", "{stem}ly", "{stem}Tech", "{stem}.io", "{emblem} AI",
        "{family} Labs", "{stem}{tail} Farm", "{family} Farms", "Air {town}", "{stem}{tail} Airways",
        "{town} Savings & Loan", "First National Bank of {town}", "{town} Credit Union", "{family} Mutual",
        "{stem}{tail} Health Plan", "{town} Benefit Fund", "{family} Benefit Administrators",
        "{stem} Claims Services", "Local {n:12-2900}", "{bodies} Local {n:12-2900}", "{town} Teachers' Union",
        "{town} City Council", "City of {town}", "Town of {town}", "{town} Housing Authority", "{town} PD",
        "{town} Fire & Rescue", "{town} Ambulance Service", "{town} EMS", "{town} Probation", "{town} Court",
        "{town} District Attorney's Office", "{town} Prison", "{n:24-30}th Infantry", "1{n:14-19}th Airborne",
        "{town} Barracks", "{letter} Company, {n:4-19}th Battalion", "{town} Baptist", "{town} Methodist Church",
        "Our Lady of {graces} Parish", "{town} Mosque", "{town} Islamic Centre", "Temple Beth {given}",
        "{town} Synagogue", "{town} Hindu Temple", "{town} United", "{town} Rovers FC", "{town} Bowling Club",
        "{town} Choral Society", "{town} Community Choir", "{town} Historical Society", "{family} Foundation",
        "The {given} {family} Trust", "{town} Food Bank", "{town} Women's Refuge", "Friends of {town}",
        "{town} Stroke Club", "{emblem} Hospice Shop", "{stem}{tail} Home Care", "{colour} {emblem} Home Health",
        "{given} Home Helpers", "{town} Youth Services", "{town} Social Services", "{town} Crisis Team",
        "{town} Mobile Crisis", "{town} Day Centre", "{town} Senior Center", "{family} Labs Inc",
        "{stem}{tail} Laboratories", "{family} Pharmacy", "{town} Chemist", "{town} Public Health",
        "{town} Legal Aid", "2: {#:???}", "1.5: {#:????}", "{#:[BCDFHLMNPRST][AEIO][CDLMNPRST][AEIO]}",
        "{#:[BCDFHLMNPRST][AEIO][CDLMNPRST][CST][AEIO]}", "{#:[BCDFHMNPRST][AEIO][CDLMNPRST][AEIO][CDLMNPRST][AE]}",
        "{#:?&?} {firms}", "{#:??} {family} {legal}", "{#:???} {town}", "2: {small_family} {small_firms}",
        "{small_town} {small_firms}", "2: {small_employers}", "{small_stem} {small_firms}", "{small_family} bros",
        "{small_town} council", "the {small_stem} {small_firms}", "{small_town} football club",
    )),
    "school": (0.4, (
        "3: {colleges}", "0.75: {colleges}", "{town} Middle School", "{town} High", "{town} Academy",
        "{family} Academy", "{town} Montessori", "{stem}{tail} Preschool", "Little {emblem} Daycare",
        "{colour} {emblem} Nursery", "{stem}{tail} Kindergarten", "{town} Grammar", "St. {saints}'s Primary",
        "Our Lady of {graces} School", "{given} {family} Elementary", "PS {n:2-320}", "{town} State", "{town} Tech",
        "{town} College of Nursing", "{family} University", "{stem}{tail} Special School", "{town} Adult Education",
        "{small_town} high", "U of {town}", "{town} Sixth Form", "{family} Law School", "{town} Beauty School",
    )),
    "clinic": (0.95, (
        "{family} & {family} Family Doctors", "{town} Medical Group", "{stem}{tail} Dental",
        "{family} Physical Therapy", "{town} Sexual Health", "{colour} {emblem} Clinic", "{town} Eye Care",
        "{given} {family}'s practice", "{town} Wellness", "{emblem} Health", "{stem}{tail} Women's Health",
        "the {small_town} clinic",
    )),
    "care_home": (0.96, (
        "The {emblem}s", "{family} Place", "{stem}{tail} Village", "{town} SNF", "{stem}{tail} Memory Care",
        "{given} Court", "{colour} {emblem} Residential Home", "{town} Group Home", "The Laurels at {town}",
        "{stem} Lodge", "{family} Sober Living", "{small_stem} manor",
    )),
    "department": (1, (
        "{specialties} Team", "{town} {specialties} Team", "Short Stay", "Day Surgery", "Day Surgery Unit",
        "Same Day Emergency Care", "Pre-op Assessment", "{family} Unit", "{specialties} Unit, Level {n:1-9}",
        "{specialties} OPD", "Clinic {n:1-20}", "Outpatients {letter}", "{emblem} Team", "Discharge Lounge",
    )),
    "ward": (1.017, (
        "Short Stay", "Short Stay Unit", "{emblem} Ward", "{n:1-12}{letter} {specialties}",
        "Ward {n:1-30} ({specialties})", "{specialties} Ward {n:1-12}", "Level {n:1-12} {wings}", "{colour} Team",
        "{specialties} Unit", "{given} Ward", "{n:2-9}-{letter}", "Tower {n:2-14}", "Unit {n:1-9}{letter}",
        "{saints} Ward", "{wings} {n:1-14}", "Acute Stroke Unit", "Day Ward",
    )),
}  # fmt: skip
MORE_US: More = {
    "organization": (0.167, (
        "{town} County", "{town} County Sheriff's Office", "{town} School Board", "{state:long} State Police",
        "{state:long} Department of Corrections", "{state} Medicaid Office", "{town} Superior Court",
        "{state:long} National Guard", "VFW Post {n:100-9900}", "Elks Lodge {n:100-2800}", "{town} Little League",
        "Teamsters Local {n:10-990}", "{state:long} Farm Bureau", "{town} Public Defender", "{town} WIC Office",
    )),
}  # fmt: skip
MORE_GB: More = {
    "organization": (0.162, (
        "{town} Council", "{town} Borough Council", "{state} County Council", "{state} Constabulary",
        "{town} Police", "{town} NHS Foundation Trust", "{town} CMHT", "{town} CCG", "{town} ICB",
        "{town} Magistrates' Court", "{town} CAB", "Age UK {town}", "{town} Mind", "{family} & Sons Ltd",
        "{town} WI", "{town} RFC", "{town} AFC", "HMP {town}", "{town} Building Society", "{town} Job Centre",
        "The {family} Arms", "{town} CAMHS",
    )),
    "school": (0.393, (
        "{town} Comprehensive", "{town} Girls' School", "{town} C of E Primary", "St {saints}'s RC Primary",
        "{family} Infants", "{town} Poly", "Uni of {town}", "{small_town} uni",
    )),
}  # fmt: skip
MORE_AU: More = {
    "organization": (0.17, (
        "Shire of {town}", "{town} RSL", "{town} Leagues Club", "{town} Aboriginal Health Service", "{state} Police",
        "{state} Health", "{state} Ambulance", "{town} CFA", "{town} Surf Club", "{town} LHD",
        "{family} Earthmoving", "{stem}{tail} Station", "{town} Netball Club", "{town} Legacy", "{town} SES",
    )),
}  # fmt: skip
