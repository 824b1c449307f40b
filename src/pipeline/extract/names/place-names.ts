import { isListed } from './name-lists.ts'

/** Places with names that are more often something else: first names, words, products. */
const AMBIGUOUS = new Set(
  (
    'Adelaide Aden Bahia Beulah Center Chad Corona Creston Darwin Dawson Dominica Georgia Jersey Jordan Kirov Knox Lindeman Marengo ' +
    'Merida Monticello Nome Noronha Oral Petersburg Phoenix Regina Resolute Reunion Reunião Reunión Réunion Salta Samara Santiago Sofia Thule Vevay'
  ).split(' '),
)
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru']

/** Cities by their names in other languages; the list has one name for each. */
const ALSO_CALLED: ReadonlySet<string> = new Set(
  (
    'Heathrow|Gatwick|Stansted|Luton|Schiphol|Charles de Gaulle|LaGuardia|Barajas|Fiumicino|Malpensa|Narita|Haneda|Aarhus|' +
    'Gothenburg|Antwerp|Ghent|Bruges|The Hague|Seville|Krakow|Cracow|Gdansk|Wroclaw|Lodz|Nuremberg|Hanover|Lucerne|' +
    'München|Wien|Nürnberg|Hannover|Braunschweig|Zürich|Genf|Genève|Ginebra|Basel|Bâle|Luzern|Bern|Berne|Berna|Lausanne|Mailand|Milano|Milán|Rom|Roma|' +
    'Venedig|Venezia|Venise|Florenz|Firenze|Neapel|Napoli|Nápoles|Turin|Torino|Genua|Genova|Padova|Bozen|Bolzano|Lissabon|Lisbonne|Lisboa|Porto|Oporto|' +
    'Brüssel|Bruxelles|Brussel|Bruselas|Antwerpen|Anvers|Gent|Gand|Brügge|Brugge|Lüttich|Liège|Den Haag|La Haye|Kopenhagen|København|Copenhague|Göteborg|' +
    'Helsingfors|Prag|Praha|Praga|Brünn|Brno|Pilsen|Plzeň|Pressburg|Bratislava|Warschau|Warszawa|Varsovie|Varsovia|Krakau|Kraków|Cracovie|Cracovia|Danzig|Gdańsk|Breslau|Wrocław|' +
    'Bukarest|București|Bucarest|Belgrad|Beograd|Laibach|Ljubljana|Agram|Athen|Athènes|Atenas|Moskau|Moscou|Moscú|Sankt Petersburg|Kiew|Kyiv|Lemberg|Lviv|' +
    'Londres|Edimbourg|Edimburgo|Dublín|París|Marseille|Marsella|Lyon|Straßburg|Strasbourg|Estrasburgo|Nizza|Niza|Bordeaux|Burdeos|Tolosa|Sevilla|Séville|' +
    'Barcelone|Saragossa|Zaragoza|La Coruña|A Coruña|San Sebastián|Donostia|Ciudad de México|CDMX|Guadalajara|Monterrey|Querétaro|Nueva York|New York|NYC|' +
    'New York City|San Francisco|Los Angeles|Washington DC|Washington D.C.|Filadelfia|Nueva Orleans|La Habana|São Paulo|Bogotá|Pekín|Pékin|Peking|Beijing|' +
    'Shanghai|Schanghai|Singapur|Singapour|Tokio|Kairo|El Cairo|Le Caire|Jerusalem|Jérusalem|Istanbul|Estambul|Frankfurt|Freiburg|Offenbach|Köln|Colonia|' +
    'Bavaria|Bayern|Tyrol|Tirol|Südtirol|Catalonia|Cataluña|Andalusia|Andalucía|Brittany|Bretagne|Normandy|Normandie|Provence|Tuscany|Toscana|Toskana|Scotland|Schottland|Wales|' +
    'UK|USA|Rügen|Sylt|Usedom|Amrum|Norderney|Mallorca|Ibiza|Menorca|Teneriffa|Tenerife|Lanzarote|Gran Canaria|Korsika|Corsica|Corse|Sardinien|Sardinia|Sizilien|Sicily|Kreta|Crete|Rhodos|Rhodes|Madeira|Bornholm|Gotland|Skye|Anglesey|Isle of Wight|Isle of Man|' +
    'Spreewald|Schwarzwald|Black Forest|Allgäu|Uckermark|Lüneburger Heide|Harz|Erzgebirge|Bodensee|Ostsee|Nordsee|Lake District|Peak District|Cotswolds|Highlands|Dolomiten|Dolomites|Ardennes|Camargue|Hokkaido|Okinawa|' +
    'England|Cornwall|Yorkshire|California|Kalifornien|Californie|Texas|Florida|Ohio|Oregon|Illinois|Michigan|Minnesota|Wisconsin|Colorado|Arizona|Nevada|Utah|Massachusetts|Pennsylvania|Tennessee|Kentucky|Louisiana|Ontario|Quebec|Québec'
  ).split('|'),
)

const TAIL =
  /^(?:Street|Road|Rd|Lane|Avenue|Ave|Boulevard|Blvd|Square|Park|Airport|Station|Bridge|Beach|Lake|River|Valley|Mountain|Hill|Island|Bay|Harbour|Harbor|Castle|Tower|Gardens|Market|Wharf|Quay|Pier|Forest|Hut|Close|Crescent|Terrace|Mews|Reserve|Cove|Canyon|Falls|Heights|Cottage|Flughafen|Bahnhof|Hauptbahnhof|Platz|Park|Allee)$/
const TAIL_OF_TWO =
  /^(?:(?:Civic|Community|Shopping|Sports|Leisure|Conference|Visitor|Town|City|Garden|Village|Convention|Medical) (?:Centre|Center|Hall)|National Park)$/
const HEAD =
  /^(?:Rue|Avenue|Boulevard|Place|Quai|Gare|Pont|Calle|Plaza|Parque|Avenida|Paseo|Colonia|Torre|Estación|Aeropuerto|Via|Piazza|Piazzale|Corso|Lago|Monte|Lake|Mount|Cape|Playa|Puerto|Isla|Gasthaus|Gasthof|Schloss|Burg|Bahnhof|Turnhalle|Sporthalle|Stadthalle|Praia|Rua|Largo|Aéroport|Salle|Auditorio)$/
const GERMAN_STREET =
  /^(?!(?:Park|Arbeits|Spiel|Sport|Steh|Stell|Sitz|Schlaf|Steh|Tennis|Camping|Zelt|Lager|Liege|Flug|Ausbildungs|Studien|Kita|Fußball|Bolz|Golf|Grill|Rast|Schau|Speicher|Fenster|Kindergarten|Betreuungs|Pflege|Haupt|Neben|Vor|Schreib|Wohn|Logen|Ersatz|Warte|Trainings)platz)\p{L}{2,}(?:straße|strasse|gasse|allee|platz)$/u

/** "Treffpunkt Lindenstraße": a German street is one word, or begins with an adjective. */
export function placePart(words: readonly string[]): readonly string[] {
  if (words.length < 2 || !GERMAN_STREET.test(words.at(-1) ?? '')) return words
  return words.slice(
    /^(?:Am|An|Neue|Alte|Obere|Untere|Große|Kleine|Hintere|Vordere|\p{Lu}\p{L}+(?:er|sche))$/u.test(words.at(-2) ?? '')
      ? -2
      : -1,
  )
}

/** Whether the words of a name indicate a street, a station, a hall or similar. */
export function isNamedLikeAPlace(words: readonly string[]): boolean {
  const [first = ''] = words
  const last = words.at(-1) ?? ''
  if (GERMAN_STREET.test(last)) return true
  if (words.length < 2) return false
  return TAIL.test(last) || HEAD.test(first) || TAIL_OF_TWO.test(words.slice(-2).join(' '))
}

/** How certain a listed name is a place. */
export type PlaceEvidence = 'sure' | 'likely' | 'possible'

/**
 * Whether this is a country or a city. `likely`: there is also a person's name like this; `possible`: the town is so
 * small, or the name so similar to a word, that only the words before it can decide.
 */
export function placeEvidence(name: string): PlaceEvidence | undefined {
  if (AMBIGUOUS.has(name)) return isListed('cities', name) ? 'possible' : undefined
  if (isCountryOrZone(name) || ALSO_CALLED.has(name)) return 'sure'
  if (isListed('cities', name)) return isListed('given-names', name) ? 'likely' : 'sure'
  return isListed('towns', name) ? 'possible' : undefined
}

/** Words before a place. German `nach` and French `à` precede other nouns too, so they only support listed names. */
const BEFORE_PLACE =
  /$(?<=(?<!\p{L})(?:in|near|from|to|at|around|via|through|outside|leaving|visiting?|nach|aus|bei|über|à|de|depuis|vers|en|desde|hasta|hacia|a|di|da|em|para|till|från|til|fra|naar|uit|te)\s)/iu
/** Words that stand before places alone. */
const BEFORE_ANY_PLACE =
  /$(?<=(?<!\p{L})(?:(?:live[sd]?|living|born|based|grew up|stay(?:s|ed|ing)?|office|flat|house|hotel|apartment|holiday|vacation|weekend|landed|arriv(?:e|es|ed|ing)|pickup) (?:in|at|near)|(?:trip|flight|fl(?:y|ies|ew|ying)|driv(?:e|es|ing)|drove|travel(?:s|led|ling)?|train|relocat(?:e[sd]?|ing)) to|(?:wohn(?:t|e|en)?|leb(?:t|e|en)) in|(?:habit\p{L}+|log\p{L}{1,4}|arriv\p{L}+|déménag\p{L}+|enlèvement|vacances|week-end|étape|départ|retour|l['’]appart|appartement|maison|né\p{L}{0,2}|vi(?:s|t|vent|vre)|vivo|vive[ns]?|vivir|viv[ei]mos) (?:à|en)|viaje a|voyage à) )/iu

export function isBeforeListedPlace(before: string): boolean {
  return BEFORE_PLACE.test(before)
}

export function isBeforeAnyPlace(before: string): boolean {
  return BEFORE_ANY_PLACE.test(before)
}

let countries: ReadonlySet<string> | undefined

/** A country, or a city with a time zone named after it; the runtime has both. */
function isCountryOrZone(name: string): boolean {
  countries ??= collectCountries()
  return countries.has(name)
}

function collectCountries(): ReadonlySet<string> {
  const found = new Set<string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const city = /^(?:Africa|America|Asia|Australia|Europe)\/(?:\w+\/)?([^/]+)$/.exec(zone)?.[1]
    if (city) found.add(city.replaceAll('_', ' '))
  }
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (const code of regionCodes()) found.add(names.of(code) ?? '')
  }
  found.delete('')
  return found
}

/** Two letters each; those above QL are for private use, or not assigned. */
function regionCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes.filter((code) => !/^(?:Q[M-Z]|X[A-J]|X[L-Z]|ZZ|EU|EZ|UN)$/.test(code))
}
