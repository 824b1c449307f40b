import { analyze } from '../../../lib/analyze.ts'
import { isAssistant } from '../names/participant-kinds.ts'
import { reportsDone } from './done-reports.ts'
import { isShortNews, sentenceWeight } from './quotations.ts'
import { hasVerb, isElliptic, withoutOpener } from './reported-speech.ts'
import { spokenSentences } from './spoken-sentences.ts'
import type { Rewording, SaidUtterance, Statement } from './utterances.ts'

/**
 * Keeps one quotation in a narrative: a chain of "A said ..., B said ..." would repeat the transcript in `body`.
 * Reworded statements stay. The quotation has the highest weight, by dates, amounts, names and decisions, with the same
 * person's words around it and the question that it answers.
 * @param hasMore whether other quotations were told with their questions, so that what is left has to be worth it
 * @param isLetter whether it is the letter of one writer, of which every sentence with content counts
 */
export function chooseQuotes(said: readonly SaidUtterance[], hasMore = false, isLetter = false): SaidUtterance[] {
  const quoted = said.filter(({ statements }) => statements.some(isQuote))
  if (quoted.length === 0) return [...said]
  if (said.length === 1 && isShortLetter(said[0]!)) return said.map(withoutTrifles)
  if (quoted.length === 1 && !hasMore && isOneRun(quoted[0]!)) {
    const isAlone = said.every(({ statements }) => statements.every(isQuote))
    return said.map((one, i) => {
      if (one !== quoted[0]) return one
      const asks = one.statements.some((it) => isQuote(it) && it.asks)
      const isEmpty = !isAlone && !asks && !isNeeded(one, said) && utteranceWeight(one) < LEAST_QUOTED
      if (isEmpty) return { ...one, statements: one.statements.filter((it) => !isQuote(it)) }
      const answers = said[i - 1]?.statements.length === 0 ? answeredBy(one, said[i - 1]) : undefined
      return {
        ...one,
        statements: quotesOf(one, one.statements, answers !== undefined, isLetter),
        ...(answers && { answers }),
      }
    })
  }
  const isAlone = said.every(({ statements }) => statements.every(isQuote))
  const weights = new Map(quoted.map((one) => [one, utteranceWeight(one)]))
  const heaviest = quoted.reduce((a, b) => ((weights.get(b) ?? 0) > (weights.get(a) ?? 0) ? b : a))
  const best = quotedAnswer(heaviest, said) ?? heaviest
  const isKept = isAlone || (weights.get(best) ?? 0) >= WORTH_QUOTING || isAnswered(best, said) || isNeeded(best, said)
  return said.map((one, i) => {
    const isOther = one.utterance.speaker !== best.utterance.speaker
    const isHeavy = one !== best && isOther && (weights.get(one) ?? 0) >= HEAVY
    const before = said[i - 1]
    const isQuoted = isKept && (one === best || isHeavy)
    // What the question of a quoted answer rests on.
    const isGround = isKept && one === heaviest && one !== best
    const shown = isGround ? one.statements.filter((it) => !isQuote(it) || (!it.asks && isWeighty(it))) : one.statements
    const isReply = !(isKept && before === best) && answeredBy({ ...one, statements: shown }, before) !== undefined
    const own =
      isQuoted || isGround ? quotesOf(one, shown, isReply, isLetter) : one.statements.filter((it) => !isQuote(it))
    const statements = one === best && isKept ? [...namedBefore(own, one, said), ...own] : own
    const answers = isKept && before === best ? undefined : answeredBy({ ...one, statements }, before)
    return { ...one, statements, ...(answers && { answers }) }
  })
}

/**
 * All of a short exchange in another language, each question with its answer: `Katrin told me: "Oskar hat den Job."
 * Katrin answered my question "Wann fängt er an?": "Am 1. Februar."` `undefined` where that would be long.
 */
export function wholeExchange(
  said: readonly SaidUtterance[],
  isChatter: Rewording['isChatter'],
): SaidUtterance[] | undefined {
  const quotes = said.flatMap(({ statements }) => statements)
  const length = quotes.reduce((sum, { words }) => sum + words.length, 0)
  if (said.length < 2 || length > MOST_WHOLE || !quotes.every(isQuote)) return undefined
  const isLight = said.map(({ statements }) =>
    statements.every(({ words }) => (isLightTurn(words) && !reportsDone(words)) || isChatter(words)),
  )
  const isAllLight = isLight.every(Boolean)
  return said.map((one, i) => {
    const next = said[i + 1]
    const isAnsweredNext = next !== undefined && answeredBy(next, one) !== undefined
    const answers = answeredBy(one, said[i - 1])
    // `Ja, alles gut`, and `Schon daheim?` with its answer, beside words that say more.
    const isHeld = (isAnsweredNext && !isLight[i + 1]) || (answers !== undefined && !isLight[i - 1])
    if (isLight[i] && !isAllLight && !isHeld) return { ...one, statements: [] }
    const own = isAnsweredNext && one.statements.at(-1)?.asks ? one.statements.slice(0, -1) : one.statements
    // A question of its own stands in one quotation with what was said before it.
    const isMixed = own.some(({ asks }) => !asks)
    const statements = isMixed ? own.map((it) => ({ ...it, asks: false })) : own
    return { ...one, statements, ...(answers && { answers }) }
  })
}

/** One message in its own words, short enough to be quoted whole. */
function isShortLetter({ statements }: SaidUtterance): boolean {
  const isOne = statements.length > 1 && statements.every((one) => isQuote(one) && !one.asks)
  return isOne && statements.reduce((sum, { words }) => sum + words.length, 0) <= MOST_WHOLE
}
const MOST_WHOLE = 600

/** Without questions and ends of two or three words, such as `¿Ya tienes hotel?`; `Opa ist tot.` is short too. */
function withoutTrifles(said: SaidUtterance): SaidUtterance {
  const { statements } = said
  const worth = statements.filter(({ words }, i) => {
    const isNamed = REFERS.test(statements[i + 1]?.words ?? '')
    return isNamed || !isTrifle(words)
  })
  return worth.length === 0 ? said : { ...said, statements: worth }
}
/** A few words that state nothing. */
function isTrifle(words: string): boolean {
  return !isShortNews(words) && sentenceWeight(words.replace(/[?？]+$/, '')) < LEAST_TOLD
}
const LEAST_TOLD = 0.35

/** In a chat, a few characters of a script without spaces say as much as many words. */
function isLightTurn(words: string): boolean {
  const unspaced = words.match(UNSPACED)?.length ?? 0
  return unspaced === 0 ? isTrifle(words) : unspaced < LEAST_UNSPACED && !/\p{N}/u.test(words)
}
const LEAST_UNSPACED = 5
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** A fact with a number, a day or an amount. */
function isWeighty({ words }: Statement): boolean {
  return sentenceWeight(words) >= 1.5
}

/** Others' words with a number, a day or a decision are quoted too, behind their name. */
const HEAVY = 2.2

/** `Because the queue has a timeout`: an answer, even to a question that more words follow. */
const REASON = /^(?:because|cause|since|so that|weil|damit|parce que|pour que|porque|para que)\b/i

/** Maximum length of a question quoted before its answer. */
const LONGEST_QUESTION = 90

/** The question before a quoted answer, unless it was reworded. */
function answeredBy(
  { isReply, statements }: SaidUtterance,
  before: SaidUtterance | undefined,
): SaidUtterance['answers'] {
  const [first] = statements
  if (!before || first === undefined) return undefined
  const isReason = isQuote(first) && REASON.test(first.words)
  if (!isReply && !isReason) return undefined
  const question = isReason
    ? before.statements.findLast(({ asks }) => asks)
    : (lastQuestion(before.statements) ?? unsaidQuestion(before, statements))
  if (!question?.asks || question.words.length > LONGEST_QUESTION) return undefined
  const isShort = /^said (?:yes|no)\b/.test(first.words) || (first.form === 'clause' && isElliptic(first.words))
  const isAnswer = isQuote(first) ? !first.asks && mayAnswer(first.words, question.words) : isShort
  return isAnswer ? { speaker: before.utterance.speaker, byMe: before.byMe, question: question.words } : undefined
}

/** The last sentence, or the question that it explains: `Can Dan stay on Friday? His parents are away`. */
function lastQuestion(statements: readonly Statement[]): Statement | undefined {
  const [question, reason] = statements.slice(-2)
  return statements.length === 2 && question?.asks && !reason?.asks ? question : statements.at(-1)
}

/** A long reply to a question for yes or no says so, or has a word of the question; otherwise it is about something else. */
function mayAnswer(words: string, question: string): boolean {
  if (words.length < LONG_REPLY || !CLOSED_QUESTION.test(question) || /^(?:yes|yeah|yep|no|nope|not)\b/i.test(words))
    return true
  const asked = new Set(analyze(question))
  return analyze(words).some((term) => asked.has(term))
}
const LONG_REPLY = 80
const CLOSED_QUESTION =
  /^(?:or |and |so |but )?(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|should) /i

/** `Who did them?` is small talk, but `A freelancer, Carla Boni` needs it. */
function unsaidQuestion({ utterance }: SaidUtterance, [first]: readonly Statement[]): Statement | undefined {
  if (first?.form !== 'quote' || hasVerb(first.words)) return undefined
  const words = spokenSentences(utterance.text, true).at(-1)
  return words !== undefined && OPEN_QUESTION.test(words) ? { form: 'quote', words, asks: true } : undefined
}

const OPEN_QUESTION =
  /^(?:and |so |but )?(?:who|whom|what|which|when|where|why|how (?:much|many|long|often|far))\b.*\?$/i

/** The quoted answer to a quoted question. */
function quotedAnswer(one: SaidUtterance, said: readonly SaidUtterance[]): SaidUtterance | undefined {
  const next = said[said.indexOf(one) + 1]
  return next && answeredBy(next, one) ? next : undefined
}

/** A question that others answer gives their answers a context. */
function isAnswered(one: SaidUtterance, said: readonly SaidUtterance[]): boolean {
  const next = said[said.indexOf(one) + 1]
  return one.statements.at(-1)?.asks === true && next !== undefined && next.statements.some((it) => !isQuote(it))
}

/** `Jonas said we'd think about it` needs the words before it. */
function isNeeded(one: SaidUtterance, said: readonly SaidUtterance[]): boolean {
  const next = said[said.indexOf(one) + 1]?.statements[0]
  return next !== undefined && !isQuote(next) && DANGLES.test(next.words)
}
const DANGLES = /^(?:it|that|this)\b|\b(?:it|that|this)[.!]?$/i

/** A single exclamation between statements. */
const LEAST_QUOTED = 0

/** A quotation below this weight adds nothing to the reworded statements. */
const WORTH_QUOTING = 1
const LEAST_OF_LETTER = 0.45

function isQuote({ form }: Statement): boolean {
  return form === 'quote'
}

/** Whether all quotations of an utterance are adjacent, so that they are joined. */
function isOneRun({ statements }: SaidUtterance): boolean {
  const first = statements.findIndex(isQuote)
  const last = statements.findLastIndex(isQuote)
  const run = statements.slice(first, last + 1)
  return run.every((one) => isQuote(one) && one.asks === run[0]!.asks)
}

/** Characters quoted per speaker, and of a letter. */
const MOST_QUOTED = 400
const MOST_OF_LETTER = 700

/** A program's answer is quoted whole if it is short: a list loses its point without its items. */
function quotesOf(
  { utterance }: SaidUtterance,
  shown: readonly Statement[],
  isReply: boolean,
  isLetter = false,
): Statement[] {
  const length = shown.reduce((sum, { words }) => sum + words.length, 0)
  const isProgram = utterance.speaker !== undefined && isAssistant(utterance.speaker)
  return isProgram && length <= MOST_WHOLE && shown.every(isQuote) ? [...shown] : withOneQuote(shown, isReply, isLetter)
}

/**
 * Everything else, and in place of the first quotation the sentences with the highest weight; of a reply, the first one
 * too, which is the answer.
 */
function withOneQuote(statements: readonly Statement[], isReply: boolean, isLetter: boolean): Statement[] {
  const quotes = statements.filter(isQuote)
  if (quotes.length === 0) return [...statements]
  const heaviest = quotes.reduce((a, b) => (sentenceWeight(b.words) > sentenceWeight(a.words) ? b : a))
  // A letter says little by the way.
  const least = isLetter ? LEAST_OF_LETTER : WORTH_QUOTING
  const worth = quotes.filter(
    (one) =>
      one === heaviest ||
      (isLetter ? letterWeight(one) : one.asks === heaviest.asks ? sentenceWeight(one.words) : 0) >= least,
  )
  const kept = quotes.filter((one, i) => {
    const next = quotes[i + 1]
    return (
      worth.includes(one) ||
      (isReply && i === 0) ||
      (next && worth.includes(next) && NEEDS_BEFORE.test(next.words) && one.asks === next.asks)
    )
  })
  const short = withinLength(kept, heaviest, isLetter ? MOST_OF_LETTER : MOST_QUOTED)
  const run = wholeRun(statements, short, isLetter)
  if (run !== undefined) return run
  // In its order a letter is clear, although it has several quotations.
  if (isLetter) return statements.filter((one) => !isQuote(one) || short.includes(one))
  const words = short.map((one, i) => {
    const isApart = i > 0 && statements[statements.indexOf(one) - 1] !== short[i - 1]
    return isApart ? `… ${one.words}` : one.words
  })
  return statements.flatMap((one) => {
    if (!isQuote(one)) return [one]
    return one === short[0] ? short.map((each, i) => ({ ...each, words: words[i] ?? each.words })) : []
  })
}

/**
 * Several quoted sentences with what was said between them, in its words: told apart, "him" and "it" would come after what
 * they refer to. `undefined` for a single one, where that is too long, and where a quotation between them is left out.
 */
function wholeRun(
  statements: readonly Statement[],
  quotes: readonly Statement[],
  isLetter: boolean,
): Statement[] | undefined {
  const [first, last] = [statements.indexOf(quotes[0]!), statements.indexOf(quotes.at(-1)!)]
  const between = statements.slice(first, last + 1)
  if (between.every(isQuote) || between.some((one) => isQuote(one) && !quotes.includes(one))) return undefined
  // What is promised or asked for in a letter stays told.
  if (isLetter && between.some(({ form, words }) => form === 'act' && OWED.test(words))) return undefined
  const whole = between.map((one) => (isQuote(one) || one.said === undefined ? one : asQuote(one, one.said)))
  const isLong = whole.reduce((sum, { words }) => sum + words.length, 0) > MOST_TOGETHER
  if (isLong || whole.some((one) => !isQuote(one) || one.asks !== quotes[0]!.asks)) return undefined
  const others = (part: readonly Statement[]) => part.filter((one) => !isQuote(one))
  return [...others(statements.slice(0, first)), ...whole, ...others(statements.slice(last + 1))]
}
const OWED = /^(?:promised|asked|offered|proposed|decided|agreed)\b/
const MOST_TOGETHER = 450

function asQuote({ asks }: Statement, said: string): Statement {
  return { form: 'quote', words: withoutOpener(said), asks }
}

/** The sentence before names its subject. */
const REFERS = /^(?:he|she|they|it|that|this|er|sie|es|das|il|elle|ils|elles|ça|él|ella|ellos|ellas)\b/i

/** `Only on iPadOS 19, older ones are fine` too. */
const NEEDS_BEFORE = new RegExp(`${REFERS.source}|^only (?:at|by|for|from|if|in|on|when|with)\\b`, 'i')

/** The same person's last quotation before an interjection, if "il" or "she" refers to it: `Le proprio est passé`. */
function namedBefore(
  [first]: readonly Statement[],
  one: SaidUtterance,
  said: readonly SaidUtterance[],
): readonly Statement[] {
  const at = said.indexOf(one)
  const [earlier, between] = [said[at - 2], said[at - 1]]
  if (first?.form !== 'quote' || first.asks || !REFERS.test(first.words) || between?.statements.length !== 0) return []
  const last = earlier?.statements.at(-1)
  return earlier?.utterance.speaker === one.utterance.speaker && last?.form === 'quote' && !last.asks ? [last] : []
}

/** In a letter, what is asked is why it was written. */
function letterWeight({ words }: Statement): number {
  return sentenceWeight(words.replace(/[?？]+$/, ''))
}

/** As many as fit in addition to the one with the highest weight. */
function withinLength(quotes: readonly Statement[], heaviest: Statement, most: number): Statement[] {
  let length = heaviest.words.length
  return quotes.filter((one) => {
    if (one === heaviest) return true
    const fits = length + one.words.length <= most
    if (fits) length += one.words.length
    return fits
  })
}

function utteranceWeight({ statements, isReply, byMe, utterance }: SaidUtterance): number {
  // What an assistant answered is why it was asked.
  const isProgram = utterance.speaker !== undefined && isAssistant(utterance.speaker)
  const weight = runWeight(statements.filter(isQuote)) + (isProgram ? ANSWERS : 0)
  const [first] = statements
  const refers = !isReply && first?.form === 'quote' && REFERS.test(first.words) ? 1 : 0
  return weight + (isReply ? 0.5 : 0) + (byMe ? 0.5 : 0) - refers
}

const ANSWERS = 2

/** What somebody will do weighs as much as an amount. */
const COMMITS = /\bI(?:['’]ll| will| can| shall)\b/i

function runWeight(quotes: readonly Statement[]): number {
  return quotes.reduce(
    (sum, { words, asks }) => sum + sentenceWeight(words) + (!asks && COMMITS.test(words) ? 1 : 0),
    0,
  )
}
