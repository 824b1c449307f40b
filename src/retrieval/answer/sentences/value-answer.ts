import { isEventSource } from '../../../domain/source-type.ts'
import { analyze } from '../../../lib/analyze.ts'
import { contactNameIn } from '../../../lib/contact-text.ts'
import { type AnswerKind, holdsKind, startsWithName } from '../../question/answer-kind.ts'
import { askedCategory } from '../../question/asked-category.ts'
import { isIssue } from '../../recall/provenance.ts'
import type { Source } from '../evidence/evidence.ts'
import type { ReadSentences } from '../evidence/read-sentences.ts'
import type { AnswerPassage, AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { lacksContact } from './asked-contact.ts'
import { ASKS_CLOCK, holdsClock, suitsAskedTime } from './asked-moment.ts'
import { countedTerm } from './counted-first.ts'
import { newNamesIn, SHORT_TIME_NAME } from './named-people.ts'
import { withFirst } from './with-first.ts'

/** Kinds of answers of which a pattern recognizes nearly every form. */
const AMOUNTS: ReadonlySet<AnswerKind> = new Set(['money', 'duration', 'age', 'measure', 'size', 'extent', 'reference'])
/** Maximum score difference of a sentence with the value that the best one lacks. */
const NEARLY_AS_GOOD = 3
/** How many sentences away one without a word of the question may still be about the same: a diary goes on to other things. */
const BESIDE = 2
/** `She sold the caravan for 3,200`: the amount of the thing in the sentence itself. */
const TRADES = /\b(?:sold|sells?|bought|buys?|got|lent|borrowed|won|found)\b/i
/** `Fixed by #219` names what did it; another reference, what it is about. */
const DONE_BY =
  /(?<!\b(?:not|never|n['’]t)(?: been| yet| be)? )\b(?:fix(?:ed|es)?|clos(?:ed|es)|resolved|implemented|merged|done|landed|solved|superseded|reverted) (?:by|in|with|via) (?:\S+)?[#!]\d/i
/** `When is Lena coming back?`: not on the day on which somebody asked the same, or of a diary. */
const ASKS_COMING =
  /^\W*(?:and |so )?(?:when(?:['’]s|['’]re| is| are| am| will| does| do| can| should| must)|(?:on |by |until |till |from |at )?(?:what|which) (?:day|date|time|month|year|weekday) (?:is|are|am|will|does|do|can|should|must))\b/i
/** `Which hospital is he in`, `what ward`; not `where` and `which school year`. */
const ASKS_WHICH_PLACE =
  /^\W*(?:and |so )?(?:(?:in|at|to|from|on) )?(?:what|which) (?:hospital|clinic|school|college|university|ward|pub|museum|airport) (?:is|are|was|were|did|does|do|has|have|had|will)\b/i
/** Companies and the like have names: `Which airline does she fly with?` */
const ASKS_FOR_NAME =
  /^\W*(?:and |so )?(?:(?:in|at|to|from|on|with) )?(?:what|which) (?:\p{L}+ )?(?:airline|bank|insurer|supermarket|provider|courier|company|firm|newspaper) (?:is|are|was|were|did|does|do|has|have|had|will)\b/iu
/** Questions for what did it, which an issue that only names other references does not say. */
const ASKS_DONE = /\b(?:fix(?:ed|es)?|clos(?:ed|es)|resolved|solved)\b/i
const OF_PULL_REQUEST = /\/(?:pull|pulls|merge_requests|pull-requests)\/\d/
/** The least share of the question around one of another passage, relative to the best sentence. */
const LEAST_AROUND = 0.5

/** `since middle school`, `for many many years`, `for ages` */
const VAGUE = /\bsince\b|\b(?:hours|days|weeks|months|years|decades|ages|lifetime|life)\b/i
/** Whether a text has a time span that no number gives. */
function isVague(kind: AnswerKind, text: string): boolean {
  return kind === 'duration' && VAGUE.test(text)
}

/**
 * Puts a sentence with an amount, a time span or an age at the start if the question asks for one and the best sentence has none.
 * A time is taken only from the same passage, and only if its sentence holds as much of the question.
 */
export function valueFirst(
  read: Pick<ReadSentences, 'sentences' | 'passages' | 'question' | 'read'>,
): readonly AnswerSentence[] {
  const { passages } = read
  const { kind } = read.question
  const sentences = AMOUNTS.has(kind) ? subjectFirst(read) : read.sentences
  const [best] = sentences
  if (best === undefined || best.features.holdsKind === 1 || isVague(kind, best.text)) return sentences
  const coming = comingTime(best, read) ?? timeOfSame(best, read)
  if (coming !== undefined) return withFirst(coming, best.score, sentences)
  const isAboutBest = kind === 'time' ? holdsAsMuchOfQuestion : AMOUNTS.has(kind) ? isAboutSameSubject : undefined
  if (isAboutBest === undefined) return sentences
  const canLead = (one: AnswerSentence) =>
    one.features.holdsKind === 1 &&
    one.features.isQuestion === 0 &&
    one.score >= best.score - NEARLY_AS_GOOD &&
    isAboutBest(one, best, passages[one.passage]!)
  const done = kind === 'reference' ? sentences.find((one) => DONE_BY.test(one.text) && canLead(one)) : undefined
  // A pull request that is about what is asked is the answer itself, and not what it closes.
  const isOfReference = kind === 'reference' && isIssue(passages[best.passage]!.sourceType)
  const valued = done ?? (isOfReference ? undefined : sentences.find(canLead))
  return valued === undefined ? sentences : withFirst(valued, best.score, sentences)
}

/** `I'll stop by on the 17th`, `we can come tomorrow` */
const COMES =
  /\b(?:I|we)\b(?!.*\b(?:not|nothing|never)\b|.*n['’]t\b).*\b(?:stop by|come|be (?:back|here|there)|drop (?:by|in)|pop (?:in|over|round)|pass by|swing by|arrive|return)\b/i
const ASKS_COMING_BACK =
  /\b(?:com(?:e|es|ing)|back|visit(?:s|ing)?|arriv(?:e|es|ing)|return(?:s|ing)?|stop(?:s|ping)? by)\b/i

/** When somebody who is asked about says later in the same talk that they come: `I'll stop by on the 17th` after `I'll come back`. */
function comingTime(
  best: AnswerSentence,
  { sentences, question, read }: Pick<ReadSentences, 'sentences' | 'question' | 'read'>,
): AnswerSentence | undefined {
  const { row } = read[best.passage]!
  if (question.kind !== 'time' || !ASKS_COMING.test(question.text) || best.features.isByAsked === 0) return undefined
  if (!ASKS_COMING_BACK.test(question.text)) return undefined
  return sentences.find(({ passage, features, text }) => {
    const { itemKey, at = 0 } = read[passage]!.row
    const isLater = itemKey === row.itemKey && at > (row.at ?? 0)
    return (
      isLater && features.isByAsked === 1 && features.holdsKind === 1 && features.isQuestion === 0 && COMES.test(text)
    )
  })
}

/** How much of the question a sentence with the coming time needs, relative to the best one. */
const LEAST_OF_COMING = 0.75

/** A sentence of another passage that has as much of the question and the time, where the best one has none. */
function timeOfSame(
  best: AnswerSentence,
  { sentences, question }: Pick<ReadSentences, 'sentences' | 'question'>,
): AnswerSentence | undefined {
  if (question.kind !== 'time' || !ASKS_COMING.test(question.text)) return undefined
  const named = new Set(analyze(best.text).filter((term) => question.names.has(term)))
  return sentences.find(
    ({ text, features, score, isAboutAsked }) =>
      named.isSubsetOf(new Set(analyze(text))) &&
      features.holdsKind === 1 &&
      features.isQuestion + features.isPages === 0 &&
      isAboutAsked >= best.isAboutAsked &&
      features.coverage > 0 &&
      features.coverage >= best.features.coverage * LEAST_OF_COMING &&
      score >= best.score - NEARLY_AS_GOOD,
  )
}

/** The sentences, with the one about what is asked at the start where the best one has the value of something else in the same note. */
function subjectFirst({
  sentences,
  passages,
}: Pick<ReadSentences, 'sentences' | 'passages'>): readonly AnswerSentence[] {
  const [best] = sentences
  if (best === undefined || best.features.coverage > 0 || !TRADES.test(best.text)) return sentences
  if (passages[best.passage]!.isTurn) return sentences
  const together = sentences.filter(({ passage, features }) => passage === best.passage && features.coverage > 0)
  if (together.some(({ position }) => Math.abs(position - best.position) <= BESIDE)) return sentences
  const subject = together.find(({ features }) => features.coverage >= LEAST_AROUND)
  return subject === undefined ? sentences : withFirst(subject, best.score, sentences)
}

/** Whether a sentence is of the same passage and holds as much of the question: `Choir: we do Mozart`, and `Concert on 3 May`. */
function holdsAsMuchOfQuestion(timed: AnswerSentence, best: AnswerSentence): boolean {
  return (
    timed.passage === best.passage && timed.features.coverage > 0 && timed.features.coverage >= best.features.coverage
  )
}

/**
 * Whether a sentence with a value is as near to what is asked as the best one: beside it or without a thing of its own, with a
 * word of the question, or a turn of a talk with as much of it.
 */
function isAboutSameSubject(valued: AnswerSentence, best: AnswerSentence, { isTurn }: AnswerPassage): boolean {
  const isBeside = Math.abs(valued.position - best.position) <= BESIDE || !TRADES.test(valued.text)
  if (valued.passage === best.passage && isBeside) return true
  if (valued.passage === best.passage || !isTurn) return valued.features.coverage > 0
  return valued.features.around >= LEAST_AROUND * best.features.around
}

/** Whether the first line has what is asked for, where that is an amount, a time, a time span, an age or a person. */
export function holdsValue(ranked: ReadSentences, leading: readonly Source[]): boolean {
  const { question, read, passages } = ranked
  const { kind } = question
  if (kind === 'person') return namesSomebody(ranked, leading)
  if (leading.every((source) => isWithoutContact(ranked, source))) return false
  if (kind === 'number') return isCounted(ranked, leading)
  if (kind === 'place' && ASKS_WHICH_PLACE.test(question.text)) return namesOne(ranked, leading)
  if (kind === 'other' && ASKS_FOR_NAME.test(question.text)) return namesOne(ranked, leading)
  if (!AMOUNTS.has(kind) && kind !== 'time') return true
  return leading.some(({ row, answer }) => {
    const at = read.findIndex((one) => one.row.chunkId === row.chunkId)
    const text = answer ?? passages[at]?.text ?? ''
    if (ASKS_CLOCK.test(question.text)) return holdsClock(text, question.locale) || isEventSource(row.sourceType)
    if (kind === 'time' && !suitsAskedTime(question.text, text, question.locale)) return isEventSource(row.sourceType)
    // Sentences with a day of their own state when something was, and events have one in their fields.
    const isDated = row.at !== undefined && !(ASKS_COMING.test(question.text) && isUndated(ranked, at))
    if (kind === 'time' && (isDated || isEventSource(row.sourceType))) return true
    // A pull request is named by its title, which is cited.
    const { title = '', url = '' } = read[at]?.passage ?? {}
    const isOwn = kind === 'reference' && isIssue(row.sourceType) && holdsKind(kind, title, 0)
    if (isOwn && (!ASKS_DONE.test(question.text) || OF_PULL_REQUEST.test(url))) return true
    if (kind === 'reference' && ASKS_DONE.test(question.text)) return DONE_BY.test(text)
    if (kind === 'measure' || kind === 'extent') return isMeasured(ranked, at, text)
    return holdsKind(kind, text, 0, question.locale) || isVague(kind, text)
  })
}

/** Whether the best sentence of a passage has no coming time: a question, or one of a text, unless it says that nothing comes. */
function isUndated({ sentences, passages }: ReadSentences, passage: number): boolean {
  const best = sentences.find((one) => one.passage === passage)
  if (best === undefined || best.features.holdsKind === 1) return false
  return best.features.isQuestion === 1 || (passages[passage]?.isTurn === false && !IS_OFF.test(best.text))
}

/** `The call is off`, `retires at Christmas` */
const IS_OFF =
  /\b(?:off|cancel(?:l?ed|s)?|postponed|no date|not yet|over|christmas|easter|new year|thanksgiving|halloween|ramadan|hanukkah|diwali)\b/i

function isWithoutContact({ question, read, passages }: ReadSentences, { row, answer }: Source): boolean {
  const {
    text = '',
    speaker = '',
    title = '',
  } = passages[read.findIndex((one) => one.row.chunkId === row.chunkId)] ?? {}
  return lacksContact(question.text, answer ?? text, `${speaker}\n${title}\n${text}`)
}

/**
 * Whether the first line has a name that the question doesn't, a thing of the kind, or says where: `I'm flying up on Friday` names
 * no airline, and `Going back nursing!` no hospital.
 */
function namesOne(ranked: ReadSentences, leading: readonly Source[]): boolean {
  const { question } = ranked
  const stems = new Set(askedCategory(question.text)?.kinds.map(({ stem }) => stem))
  return leading.some((source) => {
    const text = shownText(ranked, source)
    const names = newNamesIn(text, question).filter((name) => !SHORT_TIME_NAME.test(name))
    if (names.length > 0 || isNameFirst(text, question)) return true
    if (question.kind !== 'place') return analyze(text).some((term) => stems.has(term))
    return isEventSource(source.row.sourceType) || /\d|\S@\S/.test(text) || holdsKind('place', text, 0, question.locale)
  })
}

/** What the first line shows of a passage. */
function shownText({ read, passages }: ReadSentences, { row, answer }: Source): string {
  return answer ?? passages[read.findIndex((one) => one.row.chunkId === row.chunkId)]?.text ?? ''
}

/** `Addenbrooke's took her in`, with a name that the question doesn't have; not `Going back to nursing`. */
function isNameFirst(text: string, { names }: AskedQuestion): boolean {
  const [word = ''] = /^\p{L}+/u.exec(text) ?? []
  return startsWithName(text) && !/(?:ing|ed)$/.test(word) && !analyze(word).some((term) => names.has(term))
}

/** Whether the first line has a number, or what is counted: `We have the Anchor and the Bell` to how many pubs there are doesn't. */
function isCounted(ranked: ReadSentences, leading: readonly Source[]): boolean {
  const counted = countedTerm(ranked.question)
  if (counted === undefined) return true
  return leading.some((source) => {
    const text = shownText(ranked, source)
    return holdsKind('number', text, 0, ranked.question.locale) || analyze(text).includes(counted)
  })
}

/** Whether the sentence with the measure is about what is asked: `Swam 1200 m` says nothing of the pool. */
function isMeasured({ sentences, passages, question }: ReadSentences, passage: number, shown: string): boolean {
  const isTurn = passages[passage]?.isTurn === true
  return sentences.some(
    (one) =>
      one.passage === passage &&
      shown.includes(one.text) &&
      holdsKind(question.kind, one.text, 0, question.locale) &&
      (one.features.coverage > 0 || (isTurn && one.features.around > 0)),
  )
}

/** Three new words of eight. */
const FEW_NEW_WORDS = 0.375
const IS_SOMEBODY = /\b(?:I|we|you|he|she|they|my|our|your|his|her|their)\b/i

/** Whether the first line says who, as what somebody says or is invited to always does: `repair the gutter` doesn't. */
function namesSomebody({ read, sentences, passages }: ReadSentences, leading: readonly Source[]): boolean {
  return leading.some(({ row, lead = [] }) => {
    const at = read.findIndex((one) => one.row.chunkId === row.chunkId)
    const passage = passages[at]
    if (passage?.isTurn !== false || isEventSource(row.sourceType) || contactNameIn(passage.text) !== undefined)
      return true
    return sentences.some(
      ({ passage, position, text, features }) =>
        passage === at &&
        lead.some((one) => one.position === position) &&
        // `Priti takes over` is about the sentence beside it; `Oda wants a boat` is about a boat.
        (IS_SOMEBODY.test(text) ||
          (features.holdsKind === 1 && (features.coverage > 0 || features.newWords <= FEW_NEW_WORDS))),
    )
  })
}
