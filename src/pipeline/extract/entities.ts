import type { OtherEntity } from '../../domain/results.ts'
import { asianNames } from './names/asian-names.ts'
import { withoutOpeningWords } from './names/capitalized-names.ts'
import { lowerCaseNames } from './names/lower-case-names.ts'
import { type TypedName, typeNames } from './names/name-types.ts'
import { isKnownOrganization } from './names/organization-names.ts'
import { TITLED_NAME } from './names/person-names.ts'

const MOST_ENTITIES = 20
const LONGEST_NAME = 120

const EXTENSIONS =
  'ts|tsx|js|jsx|mjs|cjs|json|jsonl|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|swift|scala|sh|bash|sql|md|mdx|txt|rst|html|css|scss|yml|yaml|toml|ini|cfg|conf|env|xml|csv|tsv|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|mp4|mp3|wav|zip|tar|gz|log|lock|ipynb|vue|svelte|proto|tf|gradle|ics|eml|parquet|db|sqlite|heic|heif|webp|tiff?|bmp|mov|avi|mkv|webm|m4a|flac|ogg|aac|odt|ods|odp|rtf|epub|gpx|kml|geojson|vcf|dwg|dxf|rvt|ifc|stl|psd|sketch|tex|bib|ps1|bat|lua|dart|jar|whl|dmg|iso|7z|rar|tgz|bak'
/** File extensions that cameras and offices write in capitals. */
const CAPITAL_EXTENSIONS = 'HEIC|HEIF|JPE?G|PNG|GIF|MOV|MP4|MP3|PDF|CSV|XLSX?|DOCX?|PPTX?|ZIP|TXT'
const FILE = new RegExp(
  `(?<![\\w/@.+-])(?:[\\w@.+-]{1,80}/){0,12}[\\w@+-][\\w@.+-]{0,79}\\.(?:${EXTENSIONS}|${CAPITAL_EXTENSIONS})(?![\\w/-]|\\.\\w)`,
  'g',
)

const AMOUNT =
  "(?:\\d{1,3}(?:[ \\u00a0\\u202f’'.,]\\d{3}){1,4}(?:[.,]\\d{1,2})?|\\d{1,15}(?:[.,]\\d{1,3})?)(?![\\d])(?:[万億]|\\s?(?:k|m|bn|million|billion|thousand|Mio\\.?|Millionen|Milliarden|millones de|millones|mil millones de|millions d['’]|millions de|millions|milliards d['’]|milliards de|mil)(?![\\p{L}]))?"
const CURRENCY =
  '(?:€|₽|₴|₹|zł|Kč|円|元|원|[A-Z]{3}(?![\\p{L}\\d])|(?:[Dd]ollars?|[Ee]uros?|[Pp]ounds?|Pfund|Franken|francs?|kron(?:or|er)|kr|yen|rupees|pesos|reais)(?![\\p{L}])|рубл\\p{L}{0,3})'
/** An amount with a currency sign, code or word before or after it; codes are looked up. */
const MONEY = new RegExp(
  `(?<![\\w.,])(?:(?:US\\$|[$€£¥₹]|[A-Z]{3}(?= ))\\s?${AMOUNT}(?: ?[A-Z]{3}(?![\\p{L}\\d]))?|${AMOUNT}\\s?${CURRENCY})`,
  'gu',
)
let currencies: ReadonlySet<string> | undefined

/** Whether a three-letter word is a currency code: `EUR`, not `MHz` or `RPM`. */
function isMoney(match: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  const code = /^[A-Z]{3}(?=\s?\d)|(?<=\d\s?)[A-Z]{3}$/.exec(match)?.[0]
  return code === undefined || (currencies.has(code) && !NO_CODE.test(match))
}

/** Legal forms after company names. */
const LEGAL_FORM =
  '(?:GmbH(?: & Co\\.? KG)?|gGmbH|AG|KG|OHG|GbR|eG|SE|UG|Inc\\.?|Ltd\\.?|Limited|LLC|LLP|PLC|plc|Corp\\.|S\\.A\\. de C\\.V\\.|S\\.[LA]\\.(?:S\\.)?|S\\.[AL]\\.U\\.|A\\.C\\.|e\\.K\\.|mbH|SASU|SARL|K\\.K\\.|Co\\., Ltd\\.?|Pvt\\.? Ltd\\.?|SA|SL|s\\.r\\.o\\.|a\\.s\\.|AB|A\\/S|ApS|Oyj?|B\\.?V\\.|N\\.V\\.|S[Aà]RL|SAS|SpA|S\\.p\\.A\\.|S\\.r\\.l\\.|Srl|Lda\\.?|Ltda\\.?|Sp\\. z o\\.o\\.|Kft\\.?|Pty Ltd|e\\.V\\.)'
const COMPANY = new RegExp(` ${LEGAL_FORM}(?![\\p{L}\\p{N}])|[ОЗП]?[ОА]О [«"]`, 'u')
const COMPANY_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}])\\p{Lu}[\\p{L}\\p{N}&’'-]{0,30}(?: (?:(?:&|de|del|de la|du|des|di|der|van|of) )?\\p{Lu}[\\p{L}\\p{N}&’'-]{0,30}){0,4},? ${LEGAL_FORM}(?![\\p{L}\\p{N}])|(?:ООО|ОАО|ЗАО|ПАО|АО) [«"][^«»"\\n]{1,60}[»"]`,
  'gu',
)

/** `Am Mühlgraben 7, 14542 Werder`, `Gartenweg 3`: a street with its number, named apart from it. */
const STREET =
  /(?<![\p{L}\d])(?:(?:Am|An der|An den|Auf dem|Auf der|Im|In der|Zum|Zur|Unter den|Hinter der) \p{Lu}[\p{L}-]{2,30}(?= \d{1,3}[a-z]?,? (?:[A-Z]-)?\d{4,5} \p{Lu})|\p{Lu}\p{L}{2,25}(?:weg|platz|ring|ufer|damm|steig|chaussee|markt|graben)(?= \d{1,3}[a-z]?(?![\p{L}\d])))/gu

/** `acme/ledger-api`: a hyphen, or a word such as "repository" before it, sets it apart from `and/or`. */
const REPOSITORY =
  /(?<![\w/.@:~-])(?!(?:feat|feature|fix|bugfix|hotfix|release|chore|docs|refactor|tests?|origin|upstream|users?|src|lib|bin|etc|usr|var|tmp|home|node_modules|packages|apps?|and|he|she|his|her|on|off|up|in|an?|or|either|yes|w)\/)(?:(?=[\w.]*[\w-]*\/[\w.]*-|[\w]*-[\w-]*\/)|(?<=(?:repo|repository|clone|cloned|fork(?:ed)?(?: of)?) ))[a-z0-9][a-z0-9-]{1,38}\/[a-z][a-z0-9_.-]{1,60}[a-z0-9](?![\w/])/g

/** `TOP 1` of an agenda, `ALL 3`. */
const NO_CODE = /^(?:TOP|ALL|SOS) \d{1,2}$/

interface TypedPattern {
  readonly type: string
  readonly pattern: RegExp
  /** A substring of every match, searched first because that is much faster than the pattern. */
  readonly needs?: RegExp
}

/** Types with a distinct format, in the order in which they claim a range of text. */
const PATTERNS: readonly TypedPattern[] = [
  { type: 'url', needs: /:\/\//, pattern: /https?:\/\/[^\s<>()"'`[\]{}|\\^]{2,300}[^\s<>()"'`[\]{}|\\^.,;:!?]/g },
  { type: 'email', needs: /@/, pattern: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}(?![\w@])/g },
  {
    type: 'url',
    needs: /\w\.[a-z]{2}/,
    pattern:
      /(?<![\w@/.-])(?:[a-z0-9][a-z0-9-]{0,40}\.){1,4}(?:com|org|net|edu|gov|io|dev|app|ai|eu|de|fr|es|nl|ch|se|pl|cz|ru|jp|cn|uk|example|test|local|internal)(?![\w-]|\.\w|[/(])/g,
  },
  {
    type: 'repository',
    needs: /#\d/,
    pattern: /(?<![\w/.@-])[A-Za-z0-9][\w-]{1,38}\/[A-Za-z0-9][\w.-]{1,60}#\d{1,7}\b/g,
  },
  { type: 'file', needs: /\.\p{L}/u, pattern: FILE },
  { type: 'repository', needs: /[a-z]\/[a-z]/, pattern: REPOSITORY },
  { type: 'place', needs: /\p{L} \d/u, pattern: STREET },
  {
    type: 'product',
    needs: /\bi(?:Phone|Pad|Mac|Pod)/,
    pattern:
      /(?<![\p{L}\p{N}])i(?:Phone|Pad|Mac|Pod)s?(?: (?:SE|XS|XR|X|Pro|Air|[Mm]ini|Max|Plus|\d{1,2}))*(?![\p{L}\p{N}])/gu,
  },
  { type: 'person', pattern: TITLED_NAME },
  { type: 'organization', needs: COMPANY, pattern: COMPANY_NAME },
  {
    type: 'ticket',
    needs: /[-#][1-9]/,
    pattern:
      /(?<![\w-])[A-Z][A-Z0-9]{0,9}-[1-9]\d{1,5}(?![\w-])|(?<![\w-])[A-Z][A-Z0-9]{1,9}-[1-9](?![\w-])|(?<![\w&/#])#[1-9]\d{1,6}(?![\w-])/g,
  },
  { type: 'money', needs: /\d/, pattern: MONEY },
  {
    type: 'version',
    needs: /\d/,
    pattern:
      /(?<![\w.])v?\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[\w.]{1,20})?(?![\w.]*\.\d)(?!\w)|(?<!\w)v\d{1,4}(?:\.\d{1,4})?(?!\w|\.\d)/g,
  },
  {
    type: 'identifier',
    pattern:
      /(?<![\w./-])(?:[a-z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,8}|[A-Z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,8}|[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,8})(?:\(\))?(?![\w/])/g,
  },
]
// Standards and formats that look like ticket ids.
const NO_TICKET =
  /^(?:UTF|SHA|ISO|RFC|AES|RSA|MD|CVE|GPT|COVID|HTTP|GMT|UTC|TLS|SSL|IPV|USB|PM)-\d|^(?:[QHABTF]-\d{1,2}|F-150|A-3\d\d|B-7\d7)$/

/** Outside of code, a short number is more often that of a model (`VP-50`) than of a ticket. */
const MODEL_CODE = /^[A-Z]{2}-\d{1,2}$/

/** `Yamaha P-145` */
const OF_A_MAKER = /(?<!\p{L})\p{Lu}\p{Ll}{2,10}(?= $)/u

/** Words before the number of a ticket. */
const TICKET_WORD = /(?:ticket|issue|case|bug|task|incident|vorgang|tâche|tarea)s? $/i

function isTicket(match: string, before: string, { isProse = false }: KnownNames): boolean {
  if (NO_TICKET.test(match)) return false
  if (TICKET_WORD.test(before) || !isProse) return true
  const maker = OF_A_MAKER.exec(before)?.[0]
  return !MODEL_CODE.test(match) && (match.startsWith('#') || maker === undefined || !isKnownOrganization(maker))
}

/** Names from the structure of the document. */
interface KnownNames {
  readonly persons: readonly string[]
  readonly organizations?: readonly string[]
  /** Names from its title, place and tables. */
  readonly named?: readonly TypedName[]
  /** Display name of the only person in the document that a name can refer to. */
  readonly written?: (name: string) => string | undefined
  readonly agents?: readonly string[]
  /** Days in the text, written out. */
  readonly dates?: readonly string[]
  /** Words of names in lower case, which are not separate terms. */
  readonly nameWords?: ReadonlySet<string>
  /** German capitalizes every noun, so a single capitalized word means nothing. */
  readonly capitalsMean?: boolean
  /** Whether the text is about people rather than programs, where `ThinkPad` is not a class. */
  readonly isProse?: boolean
  /** Names of the mail domains of the participants: `norwoodlabels`. */
  readonly domains?: ReadonlySet<string>
}

/**
 * Names in a passage with their types. Names with a distinct format (addresses, tickets, files, money, versions,
 * identifiers) get their type from it; persons, organizations and places from the structure of the document, from lists
 * and from the words around them; any other capitalized name is a `term`, because a wrong type is worse than none.
 */
export function findEntities(text: string, known: KnownNames): OtherEntity[] {
  const found = new Map<string, { entity: OtherEntity; count: number; order: number }>()
  const add = (written: string, type: string, order: number) => {
    const bare = type === 'person' ? written.replace(/['’]s$/, '') : written
    const name = (type === 'person' && order > 0 && known.written?.(bare)) || bare
    const earlier = found.get(name)
    if (earlier) {
      earlier.count++
      // Another sentence states what the first one left open.
      if (earlier.entity.entity_type === 'term' && type !== 'term')
        found.set(name, { ...earlier, entity: { entity_name: name, entity_type: type }, order })
    } else if (name.length <= LONGEST_NAME)
      found.set(name, { entity: { entity_name: name, entity_type: type }, count: 1, order })
  }
  // An address alone may be that of an office.
  for (const person of known.persons) if (!person.includes('@')) add(person, 'person', 0)
  for (const name of known.organizations ?? []) add(name, 'organization', 1)
  for (const { name, type } of known.named ?? []) add(name, type, 1)
  for (const agent of known.agents ?? []) add(agent, 'agent', 0)
  for (const date of known.dates ?? []) add(date, 'date', 1)
  let rest = text
  for (const { type, pattern, needs } of PATTERNS) {
    if (needs && !needs.test(rest)) continue
    const searched = rest
    rest = searched.replace(pattern, (match: string, ...groups: unknown[]) => {
      const at = groups.findLast((group) => typeof group === 'number') ?? 0
      if (type === 'ticket' && !isTicket(match, searched.slice(Math.max(0, at - 12), at), known)) return match
      if (type === 'money' && !isMoney(match)) return match
      // 30.06.2026 is a date.
      if (type === 'version' && /^\d{1,2}\.\d{1,2}\.(?:19|20)\d\d$/.test(match)) return ' · '
      if (type === 'organization') return addCompany(match, add)
      // A product in prose, but a class in code.
      if (type === 'identifier' && known.isProse && /^[A-Z][A-Za-z]+$/.test(match)) return match
      // Node.js and similar names are products.
      if (type === 'file' && /^[A-Z][A-Za-z]+\.(?:js|ts|py|rs|go)$/.test(match)) return match
      add(match, type, type === 'identifier' ? 2 : 1)
      return ' · '
    })
  }
  for (const { name, type } of asianNames(rest)) add(name, type, 1)
  const { nameWords = new Set(), capitalsMean = true, isProse = false, domains = new Set() } = known
  for (const { name, type } of typeNames(rest, { nameWords, capitalsMean, isProse, domains }))
    add(name, type, type === 'term' ? 2 : 1)
  if (isProse && capitalsMean) for (const { name, type } of lowerCaseNames(rest)) add(name, type, 1)
  return [...found.values()]
    .toSorted((a, b) => a.order - b.order || b.count - a.count)
    .slice(0, MOST_ENTITIES)
    .map(({ entity }) => entity)
}

/** File names, with their folders if written before them. */
export function findFileNames(text: string): string[] {
  return text.match(FILE) ?? []
}

/** Without "Dear" and similar words, which belong to the sentence. */
function addCompany(match: string, add: (name: string, type: string, order: number) => void): string {
  const name = withoutOpeningWords(match)
  if (name === undefined) return match
  add(name, 'organization', 1)
  return ' · '
}
