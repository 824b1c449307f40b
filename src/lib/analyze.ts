import { stemmer } from 'stemmer'
import { remembered } from './remembered.ts'

/** Entries in each of the two generations of the word cache; a word takes about 100 bytes, so at most about 10 MB. */
const CACHE_GENERATION = 40_000
/** Longer runs (base64, minified code) are data, not words; their whole form is dropped. */
const MAX_TERM_LENGTH = 64

// A word with characters that join identifiers: apostrophes, dots, hyphens, slashes, colons, thousands separators.
const RUN =
  /#?[\p{L}\p{N}\p{M}_]+(?:(?:['’.\-/\\@:&]|::|,(?=\d{3}(?!\d)))[\p{L}\p{N}\p{M}_]+)*(?:\+\+|#(?![\p{L}\p{N}]))?/gu
const ASCII_WORD = /^[a-z]+$/
const ASCII_RUN = /^[A-Za-z0-9]+$/
const THOUSANDS = /^\d+(?:,\d{3})+$/
const NON_ASCII = /[^\0-\x7f]/
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]+/gu
const HANGUL = /\p{Script=Hangul}+/gu
const LONE_HAN = /(?<!\p{Script=Han})\p{Script=Han}(?!\p{Script=Han})/gu
const OTHER_SCRIPT =
  /[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}ー々〆]+/gu
const LATIN_MARKS = /(?<=\p{Script=Latin})\p{M}+/gu
const WORD = /[\p{L}\p{M}]+/gu
const CAMEL = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
const SEPARATORS = /[._\-/\\@:&,#+'’]+/
/** Letters without a Unicode decomposition. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ё: 'е',
}
const FOLDABLE = /[ßæœøđðłıþё]/gu

let recent = new Map<string, readonly string[]>()
let older = new Map<string, readonly string[]>()

/**
 * The terms of a text, in order and with repeats: lower case, NFKC, Latin diacritics folded, English words stemmed
 * (Porter), stop words dropped as they are written (`Åre` is none). Scripts without spaces become bigrams, Hangul words stay whole and become bigrams too.
 * Identifiers (`ERR_OUT_OF_RANGE`, `fooBar`, `OPS-1423`, `#1423`, `a.b.c`, mail addresses, paths, versions) give their
 * whole form and their parts. Index and query use the same function.
 */
export function analyze(text: string): string[] {
  const normalized = NON_ASCII.test(text) ? text.normalize('NFKC') : text
  const terms: string[] = []
  RUN.lastIndex = 0
  for (let match = RUN.exec(normalized); match !== null; match = RUN.exec(normalized)) {
    for (const term of termsOfRun(match[0])) terms.push(term)
  }
  return terms
}

/** The first term of a word; undefined for a stop word. */
export function firstTerm(word: string): string | undefined {
  return (ASCII_RUN.test(word) ? termsOfRun(word) : analyze(word))[0]
}

/**
 * 32-bit FNV-1a over UTF-16 code units with a final avalanche; unsigned. Persisted: changing it requires a re-index.
 */
export function hashTerm(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** `hashTerm(' self')`, which is not a term: marks a first-person turn in the meta hashes. */
export const SELF_MARK = 2_931_883_368

/** `hashTerm(' tool')`, likewise not a term: marks the output of a coding agent's tools in the meta hashes. */
export const TOOL_MARK = 3_141_221_367

/** `hashTerm(' quoted')`, likewise not a term: marks what a mail quotes from an earlier one in the meta hashes. */
export const QUOTED_MARK = 3_135_379_119

/** A bounded cache with two generations, which keeps recently used words without reordering on every hit. */
function termsOfRun(run: string): readonly string[] {
  const hit = recent.get(run)
  if (hit !== undefined) return hit
  const terms = older.get(run) ?? makeTerms(run)
  // Copies the key, because a slice of a document would keep the whole document in memory.
  if (run.length <= MAX_TERM_LENGTH) remember(copyOf(run), terms)
  return terms
}

function remember(run: string, terms: readonly string[]): void {
  if (recent.size >= CACHE_GENERATION) {
    older = recent
    recent = new Map()
  }
  recent.set(run, terms)
}

function copyOf(slice: string): string {
  return Buffer.from(slice, 'utf8').toString('utf8')
}

function makeTerms(run: string): readonly string[] {
  const spaced: string[] = []
  if (!NON_ASCII.test(run)) {
    addCompound(run, spaced)
    return [...new Set(spaced)].map(copyOf)
  }
  const unspaced: string[] = []
  for (const [part] of run.matchAll(OTHER_SCRIPT)) addCompound(foldLetters(part), spaced)
  for (const [part] of run.matchAll(UNSPACED)) addUnspaced(part, unspaced)
  for (const [part] of run.matchAll(HANGUL)) addHangul(part, unspaced)
  return [...new Set(spaced), ...unspaced].map(copyOf)
}

/** Lower case without accents, but for words that would then be a stop word: `Åre` is a place, and no `are`. */
function foldLetters(text: string): string {
  return text.toLowerCase().replaceAll('’', "'").normalize('NFC').replace(WORD, foldWord)
}

function foldWord(word: string): string {
  const bare = word
    .normalize('NFD')
    .replace(LATIN_MARKS, '')
    .normalize('NFC')
    .replace(FOLDABLE, (letter) => FOLDED[letter] ?? letter)
  return bare.length > 1 && bare !== word && STOP_WORDS.has(bare) ? word : bare
}

/** A run of one spaced script: a plain word, or an identifier with its parts. */
function addCompound(raw: string, terms: string[]): void {
  const run = raw.replace(/^_+|_+$/g, '')
  const lower = run.toLowerCase()
  if (ASCII_WORD.test(run)) addWord(run, terms)
  else if (THOUSANDS.test(run)) addWord(run.replaceAll(',', ''), terms)
  else if (run.includes("'")) addApostrophe(run, terms)
  else if (SEPARATORS.test(run)) addSeparated(run, lower, terms)
  else if (run.length > 0) addCamel(run, lower, terms)
}

function addWord(word: string, terms: string[]): void {
  if (STOP_WORDS.has(word)) return
  if (word.length <= MAX_TERM_LENGTH) terms.push(word.length > 2 && ASCII_WORD.test(word) ? stemmer(word) : word)
}

function addApostrophe(run: string, terms: string[]): void {
  const joined = run.replaceAll("'", '')
  if (STOP_WORDS.has(joined.toLowerCase())) return
  const base = /^(.*?)(?:'s|s'|'ll|'re|'ve|'d|'m|n't)$/i.exec(run)?.[1]
  if (base !== undefined && base.length > 0) {
    addCompound(base, terms)
    return
  }
  if (/^\p{L}{1,2}'\p{L}+$/u.test(run)) addWord(joined.toLowerCase(), terms)
  for (const part of run.split("'")) if (part.length > 1) addCompound(part, terms)
}

function addSeparated(run: string, lower: string, terms: string[]): void {
  const isTicket = /^#\d+$/.test(lower)
  const parts = run.split(SEPARATORS).filter((part) => part.length > 0)
  const isIdentifier = /[_@#\d+]|::|\w\.\w|[/\\].*[/\\]/.test(lower)
  if ((isTicket || isIdentifier) && lower.length <= MAX_TERM_LENGTH) terms.push(lower)
  // Parts of 1.2.3 or 10:30 are skipped, because they would match any other number.
  if (/^v?\d+(?:[.:]\d+)+$/.test(lower)) {
    if (lower.startsWith('v')) terms.push(lower.slice(1))
    return
  }
  // e-mail, t-shirt and x-ray are also written as one word.
  if (parts.length === 2 && /^\p{L}-\p{L}+$/u.test(lower)) addWord(lower.replace('-', ''), terms)
  if (/[/\\@]/.test(lower)) {
    for (const piece of lower.split(/[/\\@]+/)) if (/\w\.\w/.test(piece) && piece !== lower) terms.push(piece)
  }
  for (const part of parts)
    if (parts.length === 1 || !STOP_WORDS.has(part.toLowerCase())) addCamel(part, part.toLowerCase(), terms)
}

/** A run without separators: `fooBar`, `HTTPServer`, `python3`, `Berlin`, a number, a word of another alphabet. */
function addCamel(run: string, lower: string, terms: string[]): void {
  addWord(lower, terms)
  if (!/[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]{3}\d|\d[A-Za-z]{3}/.test(run)) return
  const parts = run.match(CAMEL) ?? []
  if (parts.length > 1) for (const part of parts) if (part.length > 1) addWord(part.toLowerCase(), terms)
}

function addUnspaced(run: string, terms: string[]): void {
  const characters = [...run]
  if (characters.length === 1) {
    terms.push(run)
    return
  }
  for (let i = 0; i + 1 < characters.length; i++) {
    const bigram = `${characters[i]}${characters[i + 1]}`
    if (!STOP_WORDS.has(bigram)) terms.push(bigram)
  }
  // A word of one character between kana (猫が) has no bigram of its own.
  for (const [lone] of run.matchAll(LONE_HAN)) terms.push(lone)
}

function addHangul(run: string, terms: string[]): void {
  terms.push(run)
  const syllables = [...run]
  if (syllables.length > 2)
    for (let i = 0; i + 1 < syllables.length; i++) terms.push(`${syllables[i]}${syllables[i + 1]}`)
}

// English function words, with the contractions as they look once the apostrophe is gone. Words that double as names,
// months or verbs with content ("may", "will" as a name is rarer than as a verb) were decided by frequency in chat.
const ENGLISH = `a about above after again against all also am an and any are aren't arent as at be because been before being below
between both but by can cannot cant could couldnt did didnt do does doesnt doing don dont down during each else etc ever
few for from further had hadnt has hasnt have havent having he her here hers herself hes him himself his how however i id if ill im in
into is isnt it its itself ive just let lets me more most much must my myself no nor not now of off ok okay on once only or other ought our
ours ourselves out over own really same shall she shes should shouldnt so some such than that thats the their theirs them
themselves then there theres these they theyd theyll theyre theyve this those though through to too under until up upon us very was wasnt
we wed weve were werent what whatever whats when where whereas which while who whom whos whose why will with within without
wont would wouldnt yeah yes yet you youd youll your youre yours yourself yourselves youve`

// Inflections and particles of Japanese; as bigrams they would match everything.
const HIRAGANA =
  'です ます した して いる ある ない から まで こと もの など った って てい する され れる られ ので のは には では とは にも でも'

/** Words without meaning for search, before stemming. */
export const STOP_WORDS: ReadonlySet<string> = new Set([...ENGLISH.split(/\s+/), ...HIRAGANA.split(' ')])

/** The terms by which a chunk is found. */
export interface ChunkTerms {
  /** Of its text. */
  readonly body: readonly string[]
  /** Of speaker, heading, file name and date, in this order. */
  readonly meta: readonly string[]
}

interface TermSource {
  readonly text: string
  readonly speaker?: string | undefined
  readonly heading?: string | undefined
  readonly at?: Date | undefined
  /** See `fileNameWords`. */
  readonly named?: string | undefined
}

/**
 * Analyses chunks. Indexing and reindexing share this function, so that both find the same.
 * @param timeZone IANA zone for the date of a chunk
 */
export function createChunkTerms(timeZone: string): (chunk: TermSource) => ChunkTerms {
  return ({ text, speaker, heading, at, named = '' }) => {
    const headed = analyze([speaker, heading].filter((part) => part !== undefined).join(' . '))
    const date = at === undefined ? [] : analyze(dateWords(at, timeZone))
    return { body: analyze(text), meta: [...headed, ...addedTerms(named, [...headed, ...date]), ...date] }
  }
}

/** Terms of a file name that a chunk doesn't have, such as from a title with the same words. */
function addedTerms(named: string, known: readonly string[]): readonly string[] {
  if (named === '') return []
  const added = new Set(analyze(named))
  for (const term of known) added.delete(term)
  return [...added]
}

/** `Friday 8 May 2026`, so that date words in a question match. */
export function dateWords(at: Date | number, timeZone: string): string {
  return dateFormat(timeZone).format(at)
}

/** Remembered, because creating a formatter costs as much as indexing a chunk. */
const dateFormat = remembered(
  (timeZone) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
)
