import { analyze } from '../../lib/analyze.ts'
import { sameWords } from './near-duplicates.ts'

/** The values of a statement that a later one may change. */
export type ValueKind = 'weekday' | 'day' | 'clock' | 'period' | 'amount' | 'version' | 'name'

/** A sentence, split into its subject and what it states. */
export interface Clause {
  readonly text: string
  readonly words: readonly string[]
  /** Parallel to `words`; `undefined` for words that are not values. */
  readonly kinds: readonly (ValueKind | undefined)[]
  /** Terms of the subject, each with the term that directly follows it in a compound. */
  readonly subject: ReadonlyMap<string, string | undefined>
  readonly values: ReadonlyMap<ValueKind, ReadonlySet<string>>
  /** Units of the amounts: `eur`, `chair`. */
  readonly units: ReadonlySet<string>
  /** Identifiers of one among several: `#12`, `web-3`, `room 4`. */
  readonly identifiers: ReadonlySet<string>
  /** Values that no longer hold: `from Thursday`, `instead of MySQL`, `not Friday`. */
  readonly dropped: ReadonlySet<string>
  /** States a change or an end. */
  readonly cue: 'change' | 'end' | undefined
  /** A present fact: not a question, proposal, condition or past event. */
  readonly isStated: boolean
  readonly isPast: boolean
  readonly isFirstPerson: boolean
}

const CHANGE =
  /\b(?:(?:re)?(?:moved|moves|moving|scheduled)|move|pushed|pushes|brought forward|postponed|delayed|shifted|slipped|slips|changed|changes|change|switched|switches|switching|replaced|replaces|renamed|updated|update|raised|raises|rises|rose|increased|increases|lowered|lowers|reduced|cut|dropped|drops|corrected|correction|correct(?= (?:date|time|price|number|amount))|extended|instead|actually|rather than|new (?:date|day|time|price|fee|rate|deadline|version|address|link|room|number|contact|owner|plan|limit)|now|as of|from (?:now on|today|tomorrow)|after all|in the end|renewed|swapped|became|becomes|took over|takes over|turns out|not\s(?:on |at )?\S+ but)\b/i
const END =
  /\b(?:cancell?ed|cancels|called off|no longer|(?:not|n't)\b[^.;,]{1,40}\bany ?more|discontinued|withdrawn|scrapped|stopped|retired|(?:won't|will not|does not|doesn't) (?:take place|happen))\b/i
const UNCHANGED =
  /\b(?:not|never|nothing|without|n't|no plans?)\b[^.;,]{0,24}\b(?:mov(?:e|ed|ing)|chang(?:e|es|ed)|postponed?|cancel(?:led|ed)?|reschedule[d]?|delay(?:ed)?)\b|n't (?:be )?(?:mov|chang|postpon|cancel|reschedul|delay)\w*|\b(?:unchanged|still|remains?|stays?|as planned)\b/i
const SUPPOSED =
  /\b(?:if|whether|should|could|would|might|maybe|perhaps|possibly|propos\w+|suggest\w*|shall|let's|can we|want(?:s|ed)? to|hop(?:e|es|ed|ing)|wish|consider\w*|think(?:s|ing)? (?:of|about)|tentative(?:ly)?|unless|ask(?:s|ed)?|wonder\w*|probably|rumou?rs?|whenever|usually)\b/i
/** The month begins with a capital. */
const MAY = /(?<=\p{L} )may(?= \p{Ll})/u
const PAST =
  /\b(?:was|were|had|did|spent|took|paid|got|measured|finished|bought|met|went|ran|sold|saw|were|had been|used to)\b/i
/** `I moved the review` is about the review. */
const FIRST_PERSON =
  /\b(?:[Mm]y|[Mm]ine|[Mm]e)\b|\bI\b(?!(?:'ve| have)?(?: just| now)? (?:moved|changed|raised|lowered|reduced|increased|updated|rescheduled|postponed|cancelled|corrected|set) (?:the|our)\b)/
const DROPPED =
  /\b(?:from|instead of|rather than|no longer|(?<!\b(?:is|are|was|will|do|does|did) )not)\s+(?:on |at |in |the )?(.{2,40}?)(?=\s(?:to|but|because|as|and|we|it|is|are|use[sd]?|since|until)\b|[,;:.!)]|$)/gi
/**
 * Words that fit any subject: without them, `The price of Pro is now 15 EUR` and `Pro costs 12 EUR` are both about Pro.
 */
const WEAK = new Set(
  analyze(
    'cost price start begin happen take place due schedule set hold held planned meet need note today week month year currently live reason because change update correction move push postpone reschedule delay shift slip switch replace rename raise rise increase lower reduce cut drop extend new old instead actual turn longer anymore cancel discontinue withdraw scrap stop retire call let know date time day when where what confirm final quick small heads attention please sorry say tell told said announce go come get make work correct hello team forward back every each weekly daily always run regret inform unfortunately',
  ),
)
const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/
const MONTH =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/
const RELATIVE_DAY = /^(?:today|tonight|tomorrow)$/
const CLOCK = /^(?:\d{1,2}[:h]\d{2}(?:am|pm)?|\d{1,2}(?:am|pm)|noon|midnight)$/
const DATE = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}(?:st|nd|rd|th))$/
const PERIOD = /^(?:q[1-4]|(?:19|20)\d\d)$/
const NUMBER = /^[-+]?[$€£]?\d[\d.,]*(?:%|€|\$|£|k|m|\p{L}{1,3})?$/u
const VERSION = /^v?\d+(?:\.\d+){2,}$|^v\d+(?:\.\d+)*$/
const IDENTIFIER = /^(?:#\d+|(?=.*\d)(?=.*\p{L})[\p{L}\d][\p{L}\d_.\-/]*)$/u
/** A number after one of these is a value, not an identifier. */
const BEFORE_VALUE =
  /^(?:is|are|be|to|from|at|by|of|for|on|under|over|about|around|only|now|costs?|has|have|needs?|takes?|total|totals|than|not|until|in|=|≈)$/
const BEFORE_NAME = /^(?:is|are|be|to|becomes|became|use|uses|using|now|in|at|on|with)$/
const QUARTER_BEFORE = /^(?:in|to|for|until|by|from|not|is|of)$/

const SENTENCE_END = /(?<=[.!?…])\s+(?=\S)|\n+|(?<=:)\s+(?=\p{Lu}\p{Ll}+ \p{Ll})/u
/** Values of these kinds may change; so may anything that is said to have ended. */
const VALUE =
  /\d|days?\b|\b(?:from|instead of|rather than|not|noon|midnight|tomorrow|tonight|january|february|april|june|july|august|september|october|november|december)\b/iu
const NAME = /(?<=\p{L} )\p{Lu}/u
const MOST_SENTENCES = 12
const LONGEST = 400

/** A sentence that is analyzed on first use, because that is most of the work. */
export interface Sentence {
  readonly text: string
  /** Whether it may state an end or a change. */
  readonly hasCue: boolean
  readonly hasValue: boolean
  readonly terms: () => readonly string[]
  readonly clause: () => Clause
}

/** The first sentences of a text, without its quotations, which others said at other times. */
export function splitSentences(text: string): Sentence[] {
  const own = text
    .replace(/^[ \t]*>.*$/gm, '')
    .replace(/(?<!\p{L})["“][^"”\n]{12,}["”]/gu, ' ')
    .replace(/\n(?=\p{Ll})/gu, ' ')
  const sentences: Sentence[] = []
  let lead = ''
  for (const part of own.split(SENTENCE_END)) {
    const sentence = part.trim()
    if (sentence === '' || sentence.length > LONGEST) continue
    if (sentences.length >= MOST_SENTENCES) break
    // `Correction: the total is 12`, `Small update. It is on Friday`
    if (sentence.length < 30 && !/\d/.test(sentence) && sentence.split(' ').length <= 3 && CHANGE.test(sentence)) {
      lead = `${sentence} `
      continue
    }
    sentences.push(createSentence(sentence, lead))
    lead = ''
  }
  return sentences
}

function createSentence(text: string, lead: string): Sentence {
  let terms: readonly string[] | undefined
  let clause: Clause | undefined
  const hasValue = VALUE.test(text) || NAME.test(text)
  return {
    text,
    hasCue: END.test(text) || (hasValue && (lead !== '' || CHANGE.test(text))),
    hasValue,
    terms: () => {
      terms ??= analyze(text)
      return terms
    },
    clause: () => {
      clause ??= createClause(text, `${lead}${text}`)
      return clause
    },
  }
}

/** Its parts are read on first use: most clauses are only asked whether they state something, and of what. */
function createClause(sentence: string, withLead: string): Clause {
  const words = onFirstUse(() => sameWords(sentence))
  const kinds = onFirstUse(() => valueKinds(words(), capitals(sentence.split(/\s+/))))
  const subject = onFirstUse(() => clauseSubject(words(), kinds()))
  const values = onFirstUse(() => valuesByKind(words(), kinds()))
  const units = onFirstUse(() => amountUnits(words(), kinds()))
  const identifiers = onFirstUse(() => new Set(clauseIdentifiers(words(), kinds())))
  const dropped = onFirstUse(() => droppedWords(withLead))
  const cue = onFirstUse(() => statedCue(withLead))
  const isStated = onFirstUse(() => !SUPPOSED.test(sentence) && !MAY.test(sentence) && !words().includes('?'))
  return {
    text: sentence,
    get words() {
      return words()
    },
    get kinds() {
      return kinds()
    },
    get subject() {
      return subject()
    },
    get values() {
      return values()
    },
    get units() {
      return units()
    },
    get identifiers() {
      return identifiers()
    },
    get dropped() {
      return dropped()
    },
    get cue() {
      return cue()
    },
    get isStated() {
      return isStated()
    },
    get isPast() {
      return PAST.test(sentence)
    },
    get isFirstPerson() {
      return FIRST_PERSON.test(sentence)
    },
  }
}

function onFirstUse<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => {
    known ??= { value: compute() }
    return known.value
  }
}

function statedCue(sentence: string): Clause['cue'] {
  const cue = END.test(sentence) ? 'end' : CHANGE.test(sentence) ? 'change' : undefined
  return cue !== undefined && UNCHANGED.test(sentence) ? undefined : cue
}

/** Capitalized words that do not start a sentence. */
function capitals(tokens: readonly string[]): ReadonlySet<string> {
  const names = tokens.slice(1).filter((token) => /^[("'“]*\p{Lu}[\p{L}'-]+/u.test(token))
  return new Set(names.flatMap((name) => sameWords(name)))
}

function valueKinds(words: readonly string[], names: ReadonlySet<string>): (ValueKind | undefined)[] {
  const kinds: (ValueKind | undefined)[] = words.map((word, i) => timeKind(words, i) ?? numberKind(words, i, word))
  for (const [i, word] of words.entries()) {
    if (kinds[i] !== undefined || !names.has(word) || IDENTIFIER.test(word)) continue
    const before = words[i - 1] ?? ''
    const isFirst = BEFORE_NAME.test(before) || (before === 'the' && BEFORE_NAME.test(words[i - 2] ?? ''))
    if (isFirst || (i > 0 && kinds[i - 1] === 'name')) kinds[i] = 'name'
  }
  return kinds
}

function timeKind(words: readonly string[], i: number): ValueKind | undefined {
  const word = words[i]!
  const [before = '', after = ''] = [words[i - 1], words[i + 1]]
  if (WEEKDAY.test(word)) return 'weekday'
  if (CLOCK.test(word) || (/^\d{1,2}$/.test(word) && (/^(?:am|pm|o'clock)$/.test(after) || before === 'at')))
    return 'clock'
  if (/^(?:am|pm|o'clock)$/.test(word) && /\d$/.test(before)) return 'clock'
  if (DATE.test(word) || RELATIVE_DAY.test(word)) return 'day'
  const isDayNumber = /^\d{1,2}$/.test(word)
  if (isDayNumber && (MONTH.test(after) || MONTH.test(before) || (after === 'of' && MONTH.test(words[i + 2] ?? ''))))
    return 'day'
  if (MONTH.test(word)) {
    if (/^\d{1,2}/.test(before) || /^\d{1,2}/.test(after)) return 'day'
    return QUARTER_BEFORE.test(before) || word.length > 5 ? 'period' : undefined
  }
  if (PERIOD.test(word) && (QUARTER_BEFORE.test(before) || MONTH.test(before) || /^q[1-4]$/.test(before)))
    return MONTH.test(before) ? 'day' : 'period'
  return undefined
}

function numberKind(words: readonly string[], i: number, word: string): ValueKind | undefined {
  if (VERSION.test(word)) return 'version'
  if (!NUMBER.test(word)) return undefined
  if (/[%€$£]/.test(word)) return 'amount'
  const [before = '', after = ''] = [words[i - 1], words[i + 1]]
  if (i === 0) return isContent(after) ? 'amount' : undefined
  return BEFORE_VALUE.test(before) || isContent(after) || /^[€$£%°]/.test(after) ? 'amount' : undefined
}

function isContent(word: string): boolean {
  return /^\p{L}/u.test(word) && analyze(word).length > 0 && !MONTH.test(word)
}

function clauseSubject(
  words: readonly string[],
  kinds: readonly (ValueKind | undefined)[],
): ReadonlyMap<string, string | undefined> {
  const subject = new Map<string, string | undefined>()
  let last: string | undefined
  for (const [i, word] of words.entries()) {
    const [term] = kinds[i] === undefined && !isIdentifier(words, kinds, i) ? analyze(word) : []
    const strong = term !== undefined && !WEAK.has(term) ? term : undefined
    if (strong !== undefined) {
      if (last !== undefined) subject.set(last, strong)
      if (!subject.has(strong)) subject.set(strong, undefined)
    }
    last = strong
  }
  return subject
}

function valuesByKind(
  words: readonly string[],
  kinds: readonly (ValueKind | undefined)[],
): ReadonlyMap<ValueKind, ReadonlySet<string>> {
  const values = new Map<ValueKind, Set<string>>()
  for (const [i, kind] of kinds.entries()) {
    if (kind === undefined) continue
    const known = values.get(kind)
    if (known) known.add(words[i]!)
    else values.set(kind, new Set([words[i]!]))
  }
  return values
}

function amountUnits(words: readonly string[], kinds: readonly (ValueKind | undefined)[]): ReadonlySet<string> {
  const units = new Set<string>()
  for (const [i, kind] of kinds.entries()) {
    if (kind !== 'amount') continue
    const sign = /[%€$£]|\p{L}{1,3}$/u.exec(words[i]!)?.[0]
    const [counted] = sign === undefined && isContent(words[i + 1] ?? '') ? analyze(words[i + 1]!) : []
    const unit = sign ?? counted
    if (unit !== undefined) units.add(unit.toLowerCase())
  }
  return units
}

function clauseIdentifiers(words: readonly string[], kinds: readonly (ValueKind | undefined)[]): string[] {
  return words.filter((_, i) => isIdentifier(words, kinds, i))
}

function isIdentifier(words: readonly string[], kinds: readonly (ValueKind | undefined)[], i: number): boolean {
  return kinds[i] === undefined && (IDENTIFIER.test(words[i]!) || /^\d/.test(words[i]!))
}

function droppedWords(sentence: string): ReadonlySet<string> {
  return new Set([...sentence.matchAll(DROPPED)].flatMap(([, phrase = '']) => sameWords(phrase)))
}
