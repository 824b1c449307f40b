import { analyze } from '../../lib/analyze.ts'
import { type AnswerKind, answerKind, holdsKind } from '../question/answer-kind.ts'
import { withoutAsking } from '../question/asking-words.ts'
import { type Sentence, splitSentences } from './clause.ts'
import { mailSubject } from './mail-thread.ts'
import type { Ranking } from './rank-chunks.ts'
import { chunkStatement, type ReadChunk } from './read-chunks.ts'
import { revisedFiles } from './revised-files.ts'
import type { Statement, Update } from './superseded.ts'

/** `when is`, `which car do we drive`, `who teaches`; not `when was` and `who won`. */
const ASKS_PRESENT =
  /^\W*(?:(?:and|so|but|hey|ok(?:ay)?)[ ,]+)*(?:(?:what|when|where|who|how|which|whose)(?:['’]s\b|\b[^?]*?\b(?:is|are|am|does|do|will|has|have|must|can)\b)|(?:who|which \p{Ll}+) \p{Ll}+s\b|(?:is|are|am|does|do|will|has|have|must|can)\b)/iu
const ASKS_PAST =
  /\b(?:was|were|did|had|been|ago|before|previous(?:ly)?|original(?:ly)?|initial(?:ly)?|first|used to|yesterday|last|earlier|old|ever)\b/i
/** `how much was the tour in the end`, `what did it cost after the swap` */
const ASKS_FINAL =
  /\b(?:in the end|final(?:ly)?|eventually|(?:end|ended|ending) up)\b|\bafter (?:the|our|my|we|I|it was) (?:swap|chang|mov|switch|resched)\p{L}*/iu
const ASKS_ORIGINAL = /\b(?:at first|original(?:ly)?|initial(?:ly)?)\b/i
/** `the pool size before PgBouncer`, `my old number`; not `the day before` and `how long before`. */
const ASKS_BEFORE =
  /(?<!\b(?:how long|days?|weeks?|months?|years?|night|evening|ever|never) )\bbefore\b|\b(?:previous(?:ly)?|former(?:ly)?|used to)\b|\b(?:the|our|my|your|his|her|their|\p{L}+['’]s) old \p{L}/iu
/** `trade price for a mug now` */
const ASKS_NOW = /\b(?:now|currently|at the moment|these days)\W*$/i
/** `by how much did the rent go up`, `how much has the price of a plate gone up since 2025`: the value now, and the one before. */
const ASKS_DIFFERENCE =
  /\bby how (?:much|many)\b|\bhow (?:much|many) (?:\p{L}+ )?(?:did|has|have)\b[^?]*\b(?:gone? (?:up|down)|r[io]sen?|increased?|dropped|drop|fallen?|slip(?:ped)?)\b/iu
const ADDS = /\b(?:also|as well|another|additional(?:ly)?|in addition|besides)\b|\btoo(?=\W*$|[.,;!])/i
/** Words that indicate a change; many also occur in other sentences. */
const SAYS_CHANGE = new RegExp(
  `\\b(?:${[
    'chang(?:e|es|ed)|mov(?:e|es|ed)|switch(?:ed|es)?|replac(?:es|ed)|instead|no (?:longer|more)|any ?more|after all|as of',
    'from (?:now|today|this \\w+) on|starting (?:in|on|from)|rais(?:ed|es)|lower(?:ed|s)|bump(?:ed|s)|increas(?:ed|es)|reduc(?:ed|es)',
    'doubl(?:ed|es)|renewed|upgrade|upgraded|downgraded|ported|migrat(?:ed|es)|swapp?(?:ed|s)|transferred|took over|takes over',
    'retired|closed|gave up|sold|wrong|turns out|delay(?:ed)?|postponed|rescheduled|brought forward|went with|decided|started at',
    'repaired|reopened|fixed|new|now|correct(?:ed|ion)|fell through|withdr(?:ew|awn)|on leave|left|ill',
  ].join('|')})\\b`,
  'i',
)
/** Minimum shares of the question and of the best score for a passage about the same statement. */
const SAME_COVERAGE = 0.65
const SAME_SHARE = 0.5
/** The same for a passage that mentions a change or the previous state. */
const CHANGED_COVERAGE = 0.35
const CHANGED_SHARE = 0.4
/** Minimum shares of common terms, of the question and of the longer sentence, for sentences about the same subject. */
const SAME_ASKED = 0.5
const CHANGED_ASKED = 0.4
const SAME_SENTENCE = 0.2
/** The same share, and the least terms, of two parts of documentation, whose pages share many words without being about one state. */
const SAME_DOCUMENTED = { share: 0.5, terms: 3 }
/** Number of passages compared. */
const MOST_COMPARED = 12

/** Which of several statements about one subject a question asks for; `undefined`: any. */
export function askedStatement(question: string): 'current' | 'before' | 'original' | undefined {
  if (ASKS_ORIGINAL.test(question)) return 'original'
  if (ASKS_BEFORE.test(question)) return 'before'
  if (ASKS_FINAL.test(question)) return 'current'
  if (asksDifference(question)) return 'current'
  const isPresent = (ASKS_PRESENT.test(question) || ASKS_NOW.test(question)) && !ASKS_PAST.test(question)
  return isPresent && answerKind(question) !== 'list' ? 'current' : undefined
}

/** Whether a question asks how far two values of one thing are apart. */
export function asksDifference(question: string): boolean {
  return ASKS_DIFFERENCE.test(question)
}

/**
 * Pairs of passages that answer a question about a state equally well, the newer first. They only affect the order of
 * results, because the older passage may still be true.
 *
 * @param found best first
 */
export function newestStatements(
  question: string,
  found: readonly ReadChunk[],
  { features, query }: Pick<Ranking, 'features' | 'query'>,
): Update[] {
  if (askedStatement(question) === undefined) return []
  const subjectOfBest = found[0] && mailSubject(found[0])
  const compared = found
    .slice(0, MOST_COMPARED)
    .filter((one) => one.share >= CHANGED_SHARE || (subjectOfBest !== undefined && mailSubject(one) === subjectOfBest))
  const revised = revisedFiles(asksDifference(question) ? '' : question, compared, { features })
  const most = Math.max(0, ...compared.map(({ position }) => features.coverage[position]!))
  if (most === 0) return revised
  const asked = new Set(withoutAsking(query.terms, question).map(({ term }) => term))
  const names = new Set((question.match(NAME) ?? []).flatMap((name) => analyze(name)))
  const kind = answerKind(question)
  const habits = /\b(?:do|does)\b/i.test(question) ? asked : NOTHING
  const stated = compared.flatMap((chunk): Stated[] => {
    const statement = chunkStatement(chunk)
    const subject = mailSubject(chunk)
    // What a mail is about often stands in its subject only.
    const coverage = features.coverage[chunk.position]! / most
    const held = subject === undefined ? coverage : features.contextCoverage[chunk.position]! / most
    if (
      statement.isEvent ||
      chunk.row.sourceType === 'browser' ||
      statement.at === undefined ||
      held < CHANGED_COVERAGE
    )
      return []
    const read = readStatement(statement, asked)
    if (read === undefined) return []
    const isDocumentation = isImpersonal(chunk)
    return [{ statement, at: statement.at, share: chunk.share, coverage, subject, isDocumentation, ...read }]
  })
  const isNewer = (newer: Stated, older: Stated): boolean => {
    if (older.at >= newer.at) return false
    if (isOfSameMails(newer, older, kind)) return true
    if (Math.min(newer.coverage, older.coverage) < CHANGED_COVERAGE) return false
    if (namesIn(older, names).symmetricDifference(namesIn(newer, names)).size > 0) return false
    if (newer.isDocumentation && older.isDocumentation) return saysTheSame(newer, older, asked, habits, SAME_DOCUMENTED)
    return saysTheSame(newer, older, asked, habits) || saysChange(newer, older, { asked, names, kind })
  }
  const replaced = stated.flatMap((newer) =>
    stated
      .filter((older) => isNewer(newer, older))
      .map((older) => ({ newer: newer.statement.chunkId, older: older.statement.chunkId })),
  )
  return [...revised, ...replaced]
}

const NOTHING: ReadonlySet<string> = new Set()
const NAME = /(?<!^\W*)\b\p{Lu}[\p{L}\p{M}]+/gu
/** Kinds of answers that a pattern recognizes. */
const VALUED: ReadonlySet<AnswerKind> = new Set(['time', 'duration', 'money', 'number', 'code'])
/** The values that a change replaces: names and numbers. */
const VALUE = /\b\p{Lu}[\p{L}\p{M}]+|[\p{L}\d][\p{L}\d.:/-]*\d[\p{L}\d]*|\d/gu

/** Names of the question that are in a statement, its speaker or its title. */
function namesIn(
  { statement: { text, title = '', speaker = '' } }: Stated,
  names: ReadonlySet<string>,
): ReadonlySet<string> {
  return names.size === 0 ? NOTHING : new Set(analyze(`${title} ${speaker} ${text}`)).intersection(names)
}

interface Stated {
  readonly statement: Statement
  readonly at: number
  readonly share: number
  /** Share of the question in the sentence, relative to the best sentence. */
  readonly coverage: number
  /** Of technical documentation in which nobody speaks of themselves. */
  readonly isDocumentation: boolean
  /** Of a mail. */
  readonly subject: string | undefined
  /** The sentence with most terms of the question; of equal ones the later. */
  readonly sentence: Sentence
  /** The sentence with its neighbors. */
  readonly around: readonly Sentence[]
}

const FIRST_PERSON = /\b(?:I|[Mm](?:e|y|ine|yself)|us|[Oo]ur(?:s|selves)?)\b|\b[Ww]e\b(?!['’]ll\b| recommend\b)/

function isImpersonal({ row: { kind, sourceType }, passage: { text } }: ReadChunk): boolean {
  return kind === 'prose' && sourceType === 'technical_docs' && !FIRST_PERSON.test(text)
}

function readStatement(
  { text }: Statement,
  asked: ReadonlySet<string>,
): Pick<Stated, 'sentence' | 'around'> | undefined {
  const sentences = splitSentences(text)
  const held = (sentence: Sentence): number => new Set(sentence.terms().filter((term) => asked.has(term))).size
  const sentence = sentences.toReversed().toSorted((a, b) => held(b) - held(a))[0]
  if (sentence === undefined || isOnlySetting(sentence, asked)) return undefined
  const at = sentences.indexOf(sentence)
  return { sentence, around: sentences.slice(Math.max(0, at - 1), at + 2) }
}

/** `During launch week, Jonas has the nights`: says nothing about the launch. */
const SETTING = /^\W*(?:(?:during|before|after|until|since|while)\b[^,.;]{1,80}, (?:from [^,.;]{1,40}, )?)/iu

function isOnlySetting(sentence: Sentence, asked: ReadonlySet<string>): boolean {
  const main = sentence.text.replace(SETTING, '')
  if (main === sentence.text) return false
  return asked.isDisjointFrom(new Set(analyze(main))) && !asked.isDisjointFrom(new Set(sentence.terms()))
}

/** A change without words of change: nearly all of the question in two sentences about the same subject. */
function saysTheSame(
  newer: Stated,
  older: Stated,
  asked: ReadonlySet<string>,
  habits: ReadonlySet<string>,
  least = { share: SAME_SENTENCE, terms: 1 },
): boolean {
  if (Math.min(newer.coverage, older.coverage) < SAME_COVERAGE) return false
  if (Math.min(newer.share, older.share) < SAME_SHARE) return false
  const [terms, others] = [new Set(newer.sentence.terms()), new Set(older.sentence.terms())]
  // Compares the terms of the question, because two long turns share single words by chance.
  const common = terms.intersection(others)
  const shared = common.intersection(asked).size
  if (shared < SAME_ASKED * asked.size || shared < least.share * Math.max(terms.size, others.size)) return false
  if (common.size < least.terms) return false
  const [n, o] = [newer.sentence.clause(), older.sentence.clause()]
  if (!n.isStated || ADDS.test(newer.sentence.text)) return false
  const isOnesOwn = n.isFirstPerson || o.isFirstPerson
  if (isOnesOwn && newer.statement.speaker !== older.statement.speaker && common.size === shared) return false
  return n.cue !== undefined || !n.words.some((word, i) => isPastOf(word, n.words[i - 1] ?? '', habits))
}

interface Asked {
  readonly asked: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly kind: AnswerKind
}

/** Kinds of values that a later mail replaces; two numbers often count different things. */
const MAILED: ReadonlySet<AnswerKind> = VALUED.difference(new Set(['number']))
/** Terms that two sentences of mails with one subject have in common at least. */
const SAME_MAIL_TERMS = 1
/** What any two amounts have in common. */
const VALUE_TERM = /^(?:\d|euro|pound|dollar|price|cost|franc|kroner)/

/** A replacement for a value that somebody else proposed: `you'd have to begin on Monday instead`. */
export const REPLACES = /\b(?:instead|rather|moved?|postponed?|rescheduled?|changed?|delayed|brought forward)\b/i

/** Two mails with one subject, of one sender or as a change, that each state a value of the same thing: `the rent is 1,290 euros`. */
function isOfSameMails(newer: Stated, older: Stated, kind: AnswerKind): boolean {
  if (newer.subject === undefined || newer.subject !== older.subject || !MAILED.has(kind)) return false
  const valued = [newer, older].map(({ around }) => around.filter(({ text }) => holdsKind(kind, text, 0)))
  const isOfOne = newer.statement.speaker === older.statement.speaker
  if (!isOfOne && !valued[0]!.some(({ text }) => REPLACES.test(text))) return false
  const [terms, others] = valued.map((some) => new Set(some.flatMap((one) => one.terms())))
  return [...terms!.intersection(others!)].filter((term) => !VALUE_TERM.test(term)).length >= SAME_MAIL_TERMS
}

/** Mentions a change or the previous state, and has the requested kind of answer. */
function saysChange(newer: Stated, older: Stated, { asked, names, kind }: Asked): boolean {
  const text = newer.around.map((one) => one.text).join(' ')
  const terms = new Set(newer.around.flatMap((one) => one.terms()))
  const others = new Set(older.around.flatMap((one) => one.terms()))
  const shared = terms.intersection(others).intersection(asked)
  if (shared.size < CHANGED_ASKED * asked.size || ADDS.test(text)) return false
  // Two statements about the same person can have different subjects.
  if (shared.isSubsetOf(names) && !asked.isSubsetOf(names)) return false
  if (!newer.around.some((one) => one.clause().isStated)) return false
  const values = new Set((older.sentence.text.match(VALUE) ?? []).flatMap((value) => analyze(value)))
  const isNamed = !values.difference(asked).isDisjointFrom(terms)
  if (!isNamed && !SAYS_CHANGE.test(text)) return false
  return !VALUED.has(kind) || holdsKind(kind, text, 0) || givesNewValue(newer.statement, kind)
}

/** `The price comes down to 29 euros`, not `The museum entry went up`. */
const NEW_VALUE =
  /^\W*(?:(?:so|and|but) )?(?:the (?:new )?(?:price|cost|fee|rate|rent|total)|it|that|this)(?:['’]s| is| will be)? (?:now )?(?:comes?|came|goes|go|going|went|falls?|fell|rises?|rose|changes?|changed) (?:up |down )?to\b/i

/** Whether another sentence of a statement gives the value, as changed: `The price comes down to 29 euros`. */
function givesNewValue({ text }: Statement, kind: AnswerKind): boolean {
  return (
    MAILED.has(kind) && splitSentences(text).some((one) => NEW_VALUE.test(one.text) && holdsKind(kind, one.text, 0))
  )
}

/** `are getting married` and `need` are not in the past. */
const BEFORE_PARTICIPLE = /^(?:is|are|am|be|being|gets?|getting)$/

/** @param habits terms of a question about a habit: `used Vim` doesn't state what is used now */
function isPastOf(word: string, before: string, habits: ReadonlySet<string>): boolean {
  if (word === 'had') return habits.size > 0
  return /(?<!e)ed$/.test(word) && !BEFORE_PARTICIPLE.test(before) && analyze(word).some((term) => habits.has(term))
}
