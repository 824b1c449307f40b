import { isListed } from './name-lists.ts'

/** Last words of the names of companies and institutions. */
const TAIL: ReadonlySet<string> = new Set(
  (
    'Bank Builders Supplies Supply Timber Airlines Airways Insurance Logistics Software Technologies Labs Laboratories Laboratory Studio Studios ' +
    'Records Energy Motors Foods Bakery Brewery Pharmacy Pharmaceuticals Clinic Hospital Surgery University College School Academy Institute ' +
    'Foundation Trust Society Association Union Council Ministry Department Agency Authority Police Museum Gallery Theatre Theater Library ' +
    'Club Press Publishers Publishing Media Group Holdings Partners Associates Consulting Industries Ventures Realty Properties Telecom ' +
    'Co Company Corporation Inn Couriers Transport Removals Plumbing Roofing Catering Florist Garage Cycles Bikes Books Bookshop Electronics ' +
    'Optics Drainage Kitchens Hardware Outdoor Flooring Joinery Scaffolding Interiors Heating Carpets Opticians Solicitors Lettings Bakers Butchers Fishmongers Brewers Upholstery Locksmiths Trains Coaches Dental Dentists Vets Physio Physiotherapy Practice Federation League Orchestra Choir Ensemble Festival Daily Times Gazette Cooperative ' +
    'Airline Railways Railway Rail Utilities Waterworks Power Nursery Kindergarten Daycare Hotel Hostel Café Cafe Restaurant Bistro Pizzeria Bros Brothers Guild Charity Farm Farms Dairy Winery Kliniken Bibliothek'
  ).split(' '),
)
/** First words of such names, in languages that put the type of a business first. */
const HEAD: ReadonlySet<string> = new Set(
  (
    'Café Restaurant Ristorante Trattoria Osteria Bistro Brasserie Pizzeria Taverna Hotel Pension Hostel Klinik Klinikum Krankenhaus Praxis Kanzlei Universität Hochschule Stadtwerke Sparkasse Volksbank Raiffeisenbank Autohaus ' +
    'Kita Kindergarten Musikschule Grundschule Gymnasium Zimmerei Gärtnerei Sägewerk Baumarkt Bäcker Metzger Fleischerei Weingut Brauerei Spedition Elektro Sanitär Buchhandlung Steuerbüro Hausverwaltung Kältetechnik Haustechnik Gebäudereinigung Zahnarztpraxis Gemeinschaftspraxis Physiotherapie Fahrschule Reisebüro Optik Textilreinigung Blumen Möbelhaus Firma ' +
    'Entreprise Menuiseries Transports Boucherie Fromagerie Épicerie Domaine Coopérative Agence Groupe Maison Crèche Collège Bodega Bodegas Pescados Carnicería Frutería Talleres Taller Autoescuela Academia Gestoría Notaría Muebles Viajes Cafetería Pastelería Floristería Peluquería Restaurante Mesón Asador Taberna Hostal Cooperativa Centro ' +
    'Bäckerei Metzgerei Apotheke Verlag Verein Bibliothek Tischlerei Schreinerei Druckhaus Druckerei Malerbetrieb Museum Galerie Theater Verband Landratsamt Finanzamt ' +
    'Banco Universidad Instituto Hospital Clínica Colegio Escuela Condominio Refacciones Ferretería Farmacia Panadería Librería Editorial Fundación ' +
    'Asociación Ayuntamiento Aerolíneas Transportes Elevadores Constructora Inmobiliaria Grupo Laboratorios Museo Teatro Galería Seguros Comercializadora Distribuidora Papelería Imprenta ' +
    'Banque Université Hôpital Clinique École Lycée Mairie Pharmacie Boulangerie Librairie Éditions Association Fondation Société Cabinet Imprimerie ' +
    'Menuiserie Laboratoire Assurances Caisse Crédit Musée Théâtre Cinéma Atelier Établissements Ets Garage Centre ' +
    'Università Ospedale Clinica Banca Panificio Scuola Teatro Galleria Universidade Faculdade Câmara Cabildo'
  ).split(' '),
)
const HEAD_OF =
  /^(?:University|Bank|Ministry|Department|Institute|Museum|Church|School|College|Board|Academy|Faculty|Bureau) of /
const GERMAN_KIND =
  /\p{L}{3}(?:verband|verein|werke|klinik|klinikum|versicherung(?:en)?|gesellschaft|universität|hochschule|sparkasse|volksbank|verlag|druckerei|bäckerei|apotheke|brauerei|krankenkasse|stiftung|genossenschaft|krankenhaus|bibliothek|bahnen|verkehrsbetriebe|universiteit|ziekenhuis|vereniging)$|^Netze$/u
const HOLIDAY = /(?:^|\s)(?:Spring|Mid-Autumn|Dragon Boat|Lantern|Qingming|Ghost|Harvest) Festival$/
const PARTNERS = / & (?:Sons|Söhne|Sohn|Co|Partner|Partners|Cie|Fils|Hijos|Figli|Daughters|Associates)(?: |$)/

/** Well-known companies and institutions with unambiguous names. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'DHL|UPS|FedEx|DPD|GLS|Evri|PostNord|Posti|Correos|La Poste|Chronopost|Colissimo|Mondial Relay|Deutsche Post|Österreichische Post|Swiss Post|Royal Mail|USPS|Poste Italiane|' +
    'Nordea|Banorte|BBVA|Banamex|Citibanamex|Santander|HSBC|Barclays|Lloyds|NatWest|Monzo|Revolut|N26|Commerzbank|Raiffeisen|Erste Bank|UniCredit|BNP Paribas|Société Générale|Crédit Agricole|Crédit Mutuel|' +
    'CaixaBank|Bankinter|ING|DKB|comdirect|Rabobank|ABN AMRO|Swedbank|Handelsbanken|SEB|Danske Bank|DNB|UBS|PostFinance|Intesa Sanpaolo|Wells Fargo|Citibank|American Express|Mastercard|PayPal|Klarna|Stripe|Wise|' +
    'Lufthansa|Ryanair|easyJet|KLM|Iberia|Finnair|Air France|British Airways|Swiss|Eurowings|Aeroméxico|Volaris|Vueling|Norwegian|Deutsche Bahn|ÖBB|SBB|SNCF|Renfe|Trenitalia|Amtrak|Eurostar|FlixBus|' +
    'IKEA|Lidl|Aldi|Rewe|Edeka|Zalando|MediaMarkt|Saturn|Obi|Hornbach|Bauhaus|Carrefour|Auchan|Leclerc|Monoprix|Fnac|Darty|Leroy Merlin|Castorama|Decathlon|El Corte Inglés|Mercadona|Oxxo|Costco|Walmart|Tesco|Sainsbury’s|Waitrose|Coop|Migros|Rakuten|' +
    'Vodafone|Telekom|Telefónica|Movistar|Telcel|Telmex|Orange|Bouygues|SFR|O2|Swisscom|Verizon|AT&T|T-Mobile|EDF|Engie|Enel|Iberdrola|E.ON|Vattenfall|Veolia|CFE|' +
    'Allianz|AXA|Zurich|Generali|Mapfre|MAIF|Techniker Krankenkasse|AOK|Barmer|Siemens|Bosch|BASF|Bayer|Philips|Samsung|Sony|Toyota|Volkswagen|BMW|Renault|Michelin|Airbus|Boeing|IBM|Microsoft|Google|OpenAI|Anthropic|' +
    'Booking.com|Airbnb|Expedia|Uber|Lyft|DoorDash|Deliveroo|Lieferando|Doctolib|Ticketmaster|Eventbrite|Stanford|Harvard|Yale|Princeton|Caltech|UCLA|Taobao|Alibaba|Tencent|Baidu|Xiaomi|Huawei|JD.com|Meituan|NHS|Unicef|UNESCO|Greenpeace|HMRC|IRS|SAT|URSSAF|Finanzamt|Hertz|Sixt|Avis|Europcar'
  ).split('|'),
)

/** Starts at the word for its type, if that follows another word: "Rechnung von Stadtwerke Aue". */
export function organizationPart(words: readonly string[]): readonly string[] {
  const kind = words.findIndex((word) => HEAD.has(word))
  return kind > 0 && kind < words.length - 1 ? words.slice(kind) : words
}

let byLowerCase: ReadonlyMap<string, string> | undefined

/** The well-known company with this name in lower case: `easyJet` for `easyjet`. */
export function knownInLowerCase(word: string): string | undefined {
  byLowerCase ??= new Map([...KNOWN].map((name) => [name.toLowerCase(), name]))
  return byLowerCase.get(word)
}

/** Whether this is the name of a well-known company, brand or institution. */
export function isKnownOrganization(name: string): boolean {
  return KNOWN.has(name) || isListed('organizations', name)
}

/** Whether the words of a name indicate a company or an institution, in English or another European language. */
export function isNamedLikeAnOrganization(words: readonly string[]): boolean {
  const name = words.join(' ')
  if (isKnownOrganization(name)) return true
  if (HOLIDAY.test(name)) return false
  if (words.length < 2) return false
  const last = words.at(-1) ?? ''
  return (
    TAIL.has(last) ||
    words.slice(0, -1).some((word) => HEAD.has(word)) ||
    HEAD_OF.test(name) ||
    PARTNERS.test(name) ||
    /^(?:Building|Border|Passport|Pest) Control$/.test(words.slice(-2).join(' ')) ||
    words.some((word) => GERMAN_KIND.test(word))
  )
}

const GOODS =
  '(?:order(?:ed)?|order placed|bought|purchased?|book(?:ed|ing)|rented|invoice|quote|bill|parcel|package|delivery|shipment|refund|salary|account|contract)'
const BEFORE = new RegExp(
  [
    `(?<!\\p{L})${GOODS} (?:\\p{Ll}+ )?(?:from|with|at|by)`,
    '(?<!\\p{L})(?:works?|worked|working|job|interview(?:ed)?|employed|intern(?:ed|ship)?|started|customer|client) (?:at|for)',
    '(?<!\\p{L})(?:bestellt|gekauft|gebucht|gemietet|rechnung|angebot|paket|lieferung|abbuchung|konto|vertrag|arbeitet?|praktikum|bewerbung|termin) (?:bei|von|durch)(?: der| dem)?',
    '(?<!\\p{L})(?:commandé\\p{L}*|acheté\\p{L}*|réservé\\p{L}*|facture|devis|colis|livraison|virement|commande) (?:chez|de|par)',
    '(?<!\\p{L})(?:ped(?:í|ido|imos)|compr(?:é|ado|amos)|factura|cotización|presupuesto|paquete|envío|transferencia|cargo|depósito)(?: \\p{Ll}+| [\\d-]+)? (?:a|de|en|con|por)',
  ].join('|'),
  'iu',
)
const BEFORE_END = new RegExp(`$(?<=(?:${BEFORE.source}) )`, 'iu')
const AFTER =
  /^ (?:(?:ships?|shipped|delivers?|delivered|sells?|charges?|charged|invoiced|quoted|refunded|announced|acquired|raised (?:its|their)|(?:now )?says? (?:they|that they|it)|liefert|verkauft|livre|vend|entrega|vende)(?!\p{L}))/iu

/** Whether a sentence treats a name as a business: an order placed with it, or a shipment from it. */
export function isSpokenOfAsABusiness(before: string, after: string): boolean {
  return BEFORE_END.test(before) || AFTER.test(after)
}
