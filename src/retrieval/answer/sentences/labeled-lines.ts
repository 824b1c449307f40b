import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { type AnswerKind, holdsKind } from '../../question/answer-kind.ts'
import type { QueryTerm } from '../../question/query-terms.ts'
import {
  type AnswerPassage,
  type AnswerSentence,
  type AskedQuestion,
  contentTerms,
  isSection,
} from './answer-sentence.ts'
import { isQuoted, isRowOf } from './documented-values.ts'
import { impliedWords } from './stay-booking.ts'

/** Before `Check-in: Thursday, from 15:00`, as confirmations and forms have them. */
const LABEL = /\s(?=\p{Lu}[\p{L}'’/-]*(?: [\p{L}'’/-]+){0,3}: \S)/u
/** Fewer may be prose with a colon. */
const LEAST_LINES = 3
/** What holds the requested kind of answer counts like half of a word. */
const KIND_WEIGHT = 0.5
/** `Child: Nela` says less of Nela than `Allergies: kiwi` in the same form. */
const NAME_WEIGHT = 0.5

/**
 * The line of a booking or form that a question asks for, or the whole. Sentences are chosen with all lines, because the line that
 * answers seldom says what it is about.
 */
export function askedLines(
  sentence: string,
  passage: string,
  { kind, terms, people, names, locale }: AskedQuestion,
): string {
  const lines = writtenLines(sentence, passage) ?? sentence.split(LABEL)
  if (lines.length < LEAST_LINES) return sentence
  const content = contentTerms(terms, people)
  const scores = lines.map((line) => {
    const words = new Set(analyze(line).map(hashTerm))
    const held = content
      .filter((term) => formsOf(term).some((hash) => words.has(hash)))
      .reduce((sum, { term }) => sum + (names.has(term) ? NAME_WEIGHT : 1), 0)
    return held === 0 ? 0 : held + (holdsKind(kind, line, 0, locale) ? KIND_WEIGHT : 0)
  })
  const best = Math.max(...scores)
  const asked = lines.filter((_, i) => scores[i] === best)
  // Lines that fit equally well are shown whole: joined, they would be no quotation.
  return best === 0 || asked.length > 1 ? sentence : asked[0]!
}

const LABELED_LINE = /^\p{Lu}[^\n:]{0,40}: \S/u

/** The labeled lines of a passage that are joined in a sentence, if it is made of whole ones. */
function writtenLines(sentence: string, passage: string): readonly string[] | undefined {
  const lines = passage
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && sentence.includes(line))
  return lines.join(' ') === sentence && lines.every((line) => LABELED_LINE.test(line)) ? lines : undefined
}

/** Hashes of a word and of its other forms: `Allergies: kiwi` for what somebody is allergic to. */
function formsOf({ hash, related = [] }: QueryTerm): readonly number[] {
  return [hash, ...related.filter(({ share }) => share === 1).map((form) => form.hash)]
}

/**
 * Bonus of a line whose label is in the question: as much as the requested kind of answer and a third of the question.
 */
const LABEL_BONUS = 3
/** The same of whose task it is: the title has all of the question, and the line nothing of it. */
const ROLE_BONUS = 6
/** Minimum share of the rest of the question in the passage of such a line. */
const LEAST_REST = 0.5
/** The least share of the question in a sentence that says itself who has a task. */
const LEAST_STATED = 0.8
/** Labels of totals. */
const AMOUNT_LABEL =
  /^(?:(?:total|full|final|monthly|yearly|annual) )?(?:price|total|costs?|fee|amount|rent|premium)\b(?! paid)/i
/** Labels of who has a task, and questions for them; who has it neither owns nor leads what it is about. */
const ROLE_LABEL = /^(?:(?:task |issue )?owners?|assignees?|responsible(?: person)?|(?:project|tech) lead|DRI)$/i
const ASSIGNEE = /^assignees?$/i
const ASKS_OWNER_OR_LEAD = /^\W*(?:and |so )?who(?:['’]s| is|se)? (?:currently |now )?(?:the owner|leads?|leading)\b/i
const ASKS_ROLE =
  /^\W*(?:and |so )?who(?:['’]s| is|se)? (?:currently |now )?(?:the owner|owns?|responsible|assigned|assignee|in charge|taking care|(?:working|works) on|doing|does|handles|handling|leads?|leading)\b/i
const ROLE_TERMS = new Set(
  analyze(
    'owner owns own responsible assigned assignee charge taking care working works doing does handles handling leads leading',
  ),
)
const LABELS = /(?<=^|\s)(\p{Lu}[\p{L}'’/-]*(?: [\p{L}'’/-]+){0,3}): \S/gu

/** Raises lines whose label is in the question: `Check-out: Sunday` for `When do I check out?` */
export function labelsFirst(
  sentences: readonly AnswerSentence[],
  question: AskedQuestion,
  passages: readonly AnswerPassage[],
): readonly AnswerSentence[] {
  const priced = new Set(sentences.filter((one) => isPriced(one, question)).map(({ passage }) => passage))
  const stated = new Set(
    sentences.filter((one) => statesRole(one, question)).map(({ passage }) => passages[passage]!.title ?? passage),
  )
  const raised = sentences.map((sentence) => {
    const isAmount = isAmountLine(sentence, question) && !priced.has(sentence.passage)
    const isNamed =
      namesLabel(sentence.text, question, passages[sentence.passage]!, isAmount) ||
      isAskedRow(sentence, question, passages[sentence.passage]!)
    if (!isNamed) return sentence
    const isRole = isOfRole(sentence.text, question)
    if (isRole && stated.has(passages[sentence.passage]!.title ?? sentence.passage)) return sentence
    // A login is a name, whatever its letters.
    return isRole
      ? { ...sentence, features: { ...sentence.features, holdsKind: 1 }, score: sentence.score + ROLE_BONUS }
      : { ...sentence, score: sentence.score + LABEL_BONUS }
  })
  return raised.toSorted((a, b) => b.score - a.score)
}

/** Whether a line says who has a task, and a question asks for that: `Assignees: ada` to `Who owns the migration?` */
export function isOfRole(text: string, question: Pick<AskedQuestion, 'kind' | 'text'>): boolean {
  const [label] = labelsOf(text)
  if (label === undefined || !asksRole(question) || !ROLE_LABEL.test(label)) return false
  return !(ASSIGNEE.test(label) && ASKS_OWNER_OR_LEAD.test(question.text))
}

/** Whether a sentence says itself who has it: `Karl Storm leads the migration.` */
function statesRole({ text, features }: AnswerSentence, question: AskedQuestion): boolean {
  const isWhole = features.coverage >= LEAST_STATED && features.isQuestion === 0
  return isWhole && features.holdsKind === 1 && asksRole(question) && !isOfRole(text, question)
}

function asksRole({ kind, text }: Pick<AskedQuestion, 'kind' | 'text'>): boolean {
  return kind === 'person' && ASKS_ROLE.test(text)
}

function labelsOf(text: string): readonly string[] {
  return [...text.matchAll(LABELS)].map(([, label]) => label!)
}

/** Kinds of which a row has an open answer: `Languages | English and Welsh` */
const ROW_KINDS: ReadonlySet<AnswerKind> = new Set([
  'list',
  'size',
  'duration',
  'frequency',
  'number',
  'money',
  'place',
  'code',
  'time',
])
/** The least share of the question in such a row. */
const LEAST_OF_ROW = 0.7

/** Whether a row of documentation is of what is asked about and has the value: `Uploads | PDFs up to 20 MB` */
function isAskedRow({ text, features }: AnswerSentence, { kind, text: question }: AskedQuestion, from: AnswerPassage) {
  if (isSection(from) && isQuoted(text.split(' | ')[0]!, question) && text.includes(' | ')) return true
  if (!ROW_KINDS.has(kind) || !isSection(from) || features.coverage < LEAST_OF_ROW) return false
  return (kind === 'list' || features.holdsKind === 1) && isRowOf(text, question, kind)
}

function isAmountLine({ text }: AnswerSentence, { kind, locale }: AskedQuestion): boolean {
  return kind === 'money' && holdsKind('money', text, 0, locale)
}

/** Whether a line has the price of what is asked about: `2 x strings, set: £138` beside `Total: £155`. */
function isPriced(sentence: AnswerSentence, question: AskedQuestion): boolean {
  return isAmountLine(sentence, question) && sentence.features.coverage > 0
}

/** @param isAmount whether a label such as `Price` counts, too */
function namesLabel(text: string, question: AskedQuestion, passage: AnswerPassage, isAmount: boolean): boolean {
  const isRole = isOfRole(text, question)
  const named = labelsOf(text).find(
    (label) => isNamed(label, question) || (isAmount && AMOUNT_LABEL.test(label)) || (isRole && ROLE_LABEL.test(label)),
  )
  if (named === undefined) return false
  const own = new Set([...analyze(named), ...(isRole ? ROLE_TERMS : [])])
  const words = new Set(analyze(`${passage.text} ${passage.speaker ?? ''}`).map(hashTerm))
  const held = words.union(passage.headings).union(impliedWords(passage.text))
  if ([...question.names].some((name) => !held.has(hashTerm(name)))) return false
  const rest = contentTerms(question.terms, question.names).filter(({ term }) => !own.has(term))
  const total = rest.reduce((sum, { weight }) => sum + weight, 0)
  return rest.reduce((sum, { hash, weight }) => sum + (held.has(hash) ? weight : 0), 0) >= total * LEAST_REST
}

/** Whether the question has the words of a label side by side; a name is that of who speaks. */
function isNamed(label: string, { text, names }: AskedQuestion): boolean {
  const terms = analyze(label)
  if (terms.length === 0 || terms.some((term) => names.has(term))) return false
  const words = label.split(/[\s-]+/).map((word) => word.replaceAll(/[^\p{L}]/gu, ''))
  return new RegExp(`(?<!\\p{L})${words.join('[\\s-]?')}(?!\\p{L})`, 'iu').test(text)
}
