import type { OtherEntity } from '../../domain/memory.ts'
import { calendarWord } from '../../lib/calendar-names.ts'

const MOST_ENTITIES = 20
const LONGEST_NAME = 120

const EXTENSIONS =
  'ts|tsx|js|jsx|mjs|cjs|json|jsonl|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|swift|scala|sh|bash|sql|md|mdx|txt|rst|html|css|scss|yml|yaml|toml|ini|cfg|conf|env|xml|csv|tsv|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|mp4|mp3|wav|zip|tar|gz|log|lock|ipynb|vue|svelte|proto|tf|gradle|ics|eml|parquet|db|sqlite'
const FILE = new RegExp(
  `(?<![\\w/@.+-])(?:[\\w@.+-]{1,80}/){0,12}[\\w@+-][\\w@.+-]{0,79}\\.(?:${EXTENSIONS})(?![\\w/-]|\\.\\w)`,
  'g',
)

const AMOUNT =
  "(?:\\d{1,3}(?:[ \\u00a0\\u202f’'.,]\\d{3}){1,4}(?:[.,]\\d{1,2})?|\\d{1,15}(?:[.,]\\d{1,3})?)(?![\\d])(?:[万億]|\\s?(?:k|m|bn|million|billion|thousand|Mio\\.?)(?![\\p{L}]))?"
const CURRENCY =
  '(?:€|₽|₴|₹|zł|Kč|円|元|원|[A-Z]{3}(?![\\p{L}\\d])|(?:[Dd]ollars?|[Ee]uros?|[Pp]ounds?|Pfund|Franken|francs?|kron(?:or|er)|kr|yen|rupees|pesos|reais)(?![\\p{L}])|рубл\\p{L}{0,3})'
/** An amount with a sign, a code of three letters or a word before or behind it; codes are looked up. */
const MONEY = new RegExp(`(?<![\\w.,])(?:(?:US\\$|[$€£¥₹]|[A-Z]{3}(?= ))\\s?${AMOUNT}|${AMOUNT}\\s?${CURRENCY})`, 'gu')
let currencies: ReadonlySet<string> | undefined

/** Whether what looks like a code of three letters is one: `EUR`, not `MHz` or `RPM`. */
function isMoney(match: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  const code = /^[A-Z]{3}(?=\s?\d)|(?<=\d\s?)[A-Z]{3}$/.exec(match)?.[0]
  return code === undefined || currencies.has(code)
}

/** Legal forms after company names. */
const LEGAL_FORM =
  '(?:GmbH(?: & Co\\. KG)?|AG|KG|SE|UG|Inc\\.?|Ltd\\.?|LLC|LLP|PLC|Corp\\.|S\\.[LA]\\.|s\\.r\\.o\\.|AB|A\\/S|ApS|Oyj?|B\\.?V\\.|N\\.V\\.|S[Aà]RL|SAS|SpA|S\\.p\\.A\\.|Lda\\.?|Pty Ltd|e\\.V\\.)'
const COMPANY = new RegExp(` ${LEGAL_FORM}(?![\\p{L}\\p{N}])|[ОЗП]?[ОА]О [«"]`, 'u')
const COMPANY_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}])\\p{Lu}[\\p{L}\\p{N}&’'-]{0,30}(?: (?:& )?\\p{Lu}[\\p{L}\\p{N}&’'-]{0,30}){0,3},? ${LEGAL_FORM}(?![\\p{L}\\p{N}])|(?:ООО|ОАО|ЗАО|ПАО|АО) [«"][^«»"\\n]{1,60}[»"]`,
  'gu',
)

interface TypedPattern {
  readonly type: string
  readonly pattern: RegExp
  /** A substring of every match: searched first, because it is much faster than the pattern. */
  readonly needs?: RegExp
}

/** Types with a form of their own, in the order in which they claim a stretch of text. */
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
  { type: 'file', needs: /\.[a-z]/, pattern: FILE },
  {
    type: 'person',
    pattern:
      /(?<![\p{L}\p{N}])(?:(?:Mr|Mrs|Ms|Dr|Prof|Sra?|Sig)\.? |(?:Herrn?|Frau|Mme|Mlle|Madame|Monsieur|Señora?|Aunt|Uncle|Tante|Onkel) )(?:(?:Dr|Prof|med)\. ){0,2}\p{Lu}[\p{Ll}’'-]{1,30}(?: \p{Lu}[\p{Ll}’'-]{1,30}){0,2}/gu,
  },
  { type: 'person', needs: /さん|様|氏/, pattern: /\p{Script=Han}{1,4}(?:さん|様|氏)/gu },
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
// Standards and formats that look like tickets.
const NO_TICKET = /^(?:UTF|SHA|ISO|RFC|AES|RSA|MD|CVE|GPT|COVID|HTTP|GMT|UTC|TLS|SSL|IPV|USB|PM|Q|H|A|B|T|F)-\d/

const CAPITALISED =
  /(?<![\p{L}\p{N}_@#/.'’-])\p{Lu}[\p{L}\p{N}&'’-]{1,30}(?:(?: (?:of|the|de|van|von|der|la|&) | )\p{Lu}[\p{L}\p{N}&'’-]{1,30}){0,4}/gu
const SENTENCE_START = /(?:^|[.!?…:;"“(\n•–|*>#¿¡[]\s*|[-*]\s+|\]\s*)$/
/** Names from the structure of the document. */
interface KnownNames {
  readonly persons: readonly string[]
  readonly agents?: readonly string[]
  /** Days that the text names, written out. */
  readonly dates?: readonly string[]
  /** Words of names in lower case, which are no terms by themselves. */
  readonly nameWords?: ReadonlySet<string>
  /** In German every noun has a capital, so that a single one means nothing. */
  readonly capitalsMean?: boolean
  /** Whether the text is about people rather than programs, where `ThinkPad` is no class. */
  readonly isProse?: boolean
}

/**
 * Names in a passage with their types. Persons come from the structure of the document only; what has a form (addresses,
 * tickets, files, money, versions, identifiers) is typed by it; any other capitalised name is a `term`, because a wrong
 * type is worse than none (measured: rules recognise few organisations and places).
 */
export function findEntities(text: string, known: KnownNames): OtherEntity[] {
  const found = new Map<string, { entity: OtherEntity; count: number; order: number }>()
  const add = (name: string, type: string, order: number) => {
    const earlier = found.get(name)
    if (earlier) earlier.count++
    else if (name.length <= LONGEST_NAME)
      found.set(name, { entity: { entity_name: name, entity_type: type }, count: 1, order })
  }
  for (const person of known.persons) add(person, 'person', 0)
  for (const agent of known.agents ?? []) add(agent, 'agent', 0)
  for (const date of known.dates ?? []) add(date, 'date', 1)
  let rest = text
  for (const { type, pattern, needs } of PATTERNS) {
    if (needs && !needs.test(rest)) continue
    rest = rest.replace(pattern, (match) => {
      if (type === 'ticket' && NO_TICKET.test(match)) return match
      if (type === 'money' && !isMoney(match)) return match
      // 30.06.2026 is a day.
      if (type === 'version' && /^\d{1,2}\.\d{1,2}\.(?:19|20)\d\d$/.test(match)) return ' · '
      if (type === 'organization') return addOrganization(match, add)
      // A product in prose; in code a class.
      if (type === 'identifier' && known.isProse && /^[A-Z][A-Za-z]+$/.test(match)) return match
      // Node.js and its like are products.
      if (type === 'file' && /^[A-Z][A-Za-z]+\.(?:js|ts|py|rs|go)$/.test(match)) return match
      add(match, type, type === 'identifier' ? 2 : 1)
      return ' · '
    })
  }
  for (const term of termsIn(rest, known.nameWords ?? new Set(), known.capitalsMean ?? true))
    add(term, isPlaceName(term) ? 'place' : 'term', 2)
  return [...found.values()]
    .toSorted((a, b) => a.order - b.order || b.count - a.count)
    .slice(0, MOST_ENTITIES)
    .map(({ entity }) => entity)
}

/** Names of files, with the folders that were written before them. */
export function findFileNames(text: string): string[] {
  return text.match(FILE) ?? []
}

/** Without "Dear" and the like before it, which belong to the sentence. */
function addOrganization(match: string, add: (name: string, type: string, order: number) => void): string {
  const words = match.split(' ')
  while (words.length > 2 && (NO_NAME.has(words[0] ?? '') || OPENING_WORDS.has(words[0] ?? ''))) words.shift()
  if (NO_NAME.has(words[0] ?? '')) return match
  add(words.join(' '), 'organization', 1)
  return ' · '
}

function termsIn(text: string, nameWords: ReadonlySet<string>, capitalsMean: boolean): string[] {
  const terms: string[] = []
  for (const match of text.matchAll(CAPITALISED)) {
    const run = match[0]
    const opens = SENTENCE_START.test(text.slice(Math.max(0, match.index - 4), match.index))
    // "Ann Lee of Payline" are two names, "Bank of England" is one.
    const parts = PERSON_OF.test(run) ? run.split(' of ') : [run]
    parts.forEach((part, i) => {
      const words = wordsOfName(part.replace(/['’]s$/, ''), opens && i === 0, nameWords)
      if (isTerm(words, opens && i === 0, capitalsMean)) terms.push(words.join(' '))
    })
  }
  return terms
}

const PERSON_OF =
  /^(?!(?:.* )?(?:University|Bank|Institute|Ministry|Department|Museum|School|Church|Republic|Council|Court|Board|Office|Society|Association|Wall|Lord|Head|Chief|Director|House|City|Duke) of )\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+ of \p{Lu}/u

function isTerm(words: readonly string[], opens: boolean, capitalsMean: boolean): boolean {
  const term = words.join(' ')
  if (term.length < 2 || /^I['’]/.test(term) || OPENING_WORDS.has(term)) return false
  if ((words.length === 1 && /^[A-Z][A-Z0-9]+$/.test(term)) || isPlaceName(term)) return true
  // A capital at the beginning of a sentence says nothing about a single word, and in German none does.
  if (words.length === 1) return !opens && capitalsMean
  return capitalsMean || !words.some((word) => LINKING.test(word))
}

const LINKING = /^(?:of|the|de|van|von|der|la|&)$/

/** Without what is no part of a name at either end. */
function wordsOfName(run: string, opens: boolean, nameWords: ReadonlySet<string>): string[] {
  const words = run.split(' ')
  const isNoName = (word: string) => NO_NAME.has(word) || nameWords.has(word.toLowerCase()) || LINKING.test(word)
  if (opens && words.length > 1 && OPENING_WORDS.has(words[0] ?? '')) words.shift()
  while (words[0] !== undefined && isNoName(words[0])) words.shift()
  while (
    words.length > 0 &&
    (/^I['’]/.test(words.at(-1) ?? '') || LINKING.test(words.at(-1) ?? '') || calendarWord(words.at(-1) ?? ''))
  )
    words.pop()
  return words
}

/** Words that are written with a capital without being a name, or the beginning of one. */
const NO_NAME: ReadonlySet<string> = new Set(
  (
    'The This That These Those There Then They Their We Our You Your He She His Her It Its And But Or If When While After ' +
    'Before Because Since Although Also Yes No Not Ok Okay Hey Hi Hello Thanks Thank Please Sorry Well So Just Maybe What ' +
    'Why How Where Who Which Can Could Would Should Will Let Do Does Did Is Are Was Were Has Have Had In On At To For From ' +
    'With By As An My Me Any All Some One Two Three First Next Last New Now Today Yesterday Tomorrow Monday Tuesday Wednesday ' +
    'Thursday Friday Saturday Sunday January February March April May June July August September October November December ' +
    "I'm I've I'll I'd It's That's There's What's Let's Don't Can't We're We've We'll You're You've They're " +
    'Seems Looks Having Doing Sounds Agreed Great Good Nice Cool Awesome Wow Oh Ah Hm Right Done Going Dear ' +
    'Der Die Das Den Dem Ein Eine Einen Wir Ich Sie Er Es Und Im Am Le La Les Un Une El Los Las Il ' +
    'Hallo Liebe Lieber Liebes Sehr Moin Guten Viele Beste Bonjour Salut Cher Chère Hola Estimado Estimada Caro Cara Both Each Every Another Many Most Such Even Still Once Only Otherwise Be Being Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays Morning Afternoon Evening Weekend Ende Anfang Mitte ' +
    'MUST NOT OK OR AND NO YES TODO NOTE ALL ANY NEVER ALWAYS ONLY WARNING IMPORTANT THE IS IF IN ON TO DO FYI BTW ASAP LOL OMG IMO AM PM KB MB GB TB KiB MiB GiB UTC GMT CET CEST EST EDT PST PDT CST MST BST IST JST Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mr Mrs Ms Dr Prof Herr Frau'
  ).split(' '),
)

/** Verbs that begin a request, a list item or a line of news; dropped before a name at the start of a sentence. */
const OPENING_WORDS: ReadonlySet<string> = new Set(
  (
    'Add Allow Announce Answer Apply Archive Arrives Ask Asked Assign Attend Avoid Book Bring Bump Bumps Buy Call Called Cancel Change ' +
    'Charge Check Choose Clean Click Close Closed Closes Comes Compare Confirm Contact Copy Costs Create Delete Deploy Discuss Download ' +
    'Draft Drive Drop Drops Edit Email Enable Ends Ensure Expect Export Extend Fetch File Find Finish Fix Fixed Follow Get Gets Give Go Got ' +
    'Handle Help Implement Import Improve Include Inform Install Introduce Invite Join Keep Key Leave Leaves Listen Log Look Made Mail ' +
    'Make Meet Meeting Merge Met Migrate Move Moved Needs Note Offer Open Order Ordered Pack Paid Pay Pick Ping Plan Post Print Publish Push Put Read ' +
    'Reads Rebuild Received Reload Remind Remove Rename Renew Replace Reply Report Request Reserve Restart Return Review Run Runs Saw Save ' +
    'Schedule See Sell Send Sent Set Share Ship Shipped Show Sign Skip Spoke Start Starts Stop Store Submit Support Supports Switch Take ' +
    'Talk Talked Tell Test Thank Told Track Try Turn Update Upgrade Upload Use Uses Using Verify Visit Wait Waiting Walk Want Watch ' +
    'Work Works Write Wrote'
  ).split(' '),
)

/** Places whose names are more often something else: first names, words, products. */
const AMBIGUOUS = new Set(
  (
    'Adelaide Aden Bahia Beulah Center Chad Creston Darwin Dawson Dominica Georgia Jersey Jordan Kirov Knox Lindeman Marengo ' +
    'Merida Monticello Nome Noronha Oral Petersburg Phoenix Regina Resolute Reunion Reunião Réunion Salta Samara Santiago Sofia Thule Vevay'
  ).split(' '),
)
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru']

let places: ReadonlySet<string> | undefined

/**
 * Whether this is the name of a country, or of a city that a time zone is named after. Both lists come with the runtime;
 * that is why many a city is not among them.
 */
function isPlaceName(name: string): boolean {
  places ??= collectPlaceNames()
  return places.has(name)
}

function collectPlaceNames(): ReadonlySet<string> {
  const found = new Set<string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const city = /^(?:Africa|America|Asia|Australia|Europe)\/(?:\w+\/)?([^/]+)$/.exec(zone)?.[1]
    if (city) found.add(city.replaceAll('_', ' '))
  }
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (const code of regionCodes()) found.add(names.of(code) ?? '')
  }
  for (const name of AMBIGUOUS) found.delete(name)
  found.delete('')
  return found
}

/** Two letters each; those above QL are for private use, or stand for no country. */
function regionCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes.filter((code) => !/^(?:Q[M-Z]|X[A-J]|X[L-Z]|ZZ|EU|EZ|UN)$/.test(code))
}
