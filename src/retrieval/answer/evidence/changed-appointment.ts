import { casual } from 'chrono-node'
import { isEventSource } from '../../../domain/source-type.ts'
import { analyze } from '../../../lib/analyze.ts'
import { zoneOffsetMinutes } from '../../../lib/clock.ts'
import { englishForm } from '../../question/languages/english-form.ts'
import { type Sentence, splitSentences } from '../../recall/clause.ts'
import { mailSubject } from '../../recall/mail-thread.ts'
import { askedStatement } from '../../recall/newest-statement.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import { TIMES, type Update } from '../../recall/superseded.ts'
import type { AnswerSentence, AskedQuestion } from '../sentences/answer-sentence.ts'

const DAY_MS = 86_400_000
/** How long after an appointment without a day of its own something may change it. */
const CHANGED_WITHIN_MS = 30 * DAY_MS
/** How long after it a turn with `it` may be about it. */
const SOON_MS = 3 * DAY_MS
const MOVES =
  /\b(?:mov(?:e[sd]?|ing)|push(?:es|ed|ing)?|shift(?:s|ed|ing)?|postpon(?:e[sd]?|ing)|reschedul(?:e[sd]?|ing)|delay(?:s|ed)?|brought forward|put (?:\p{L}+ )?(?:off|back)|instead|rather than|chang(?:e[sd]?|ing) (?:to|from|of|again)|slip(?:s|ped)?|swapp?(?:s|ed)?|verschoben|verlegt|verschieb(?:en|t)|(?:jetzt|nun|doch) erst|erst am|d[ée]cal(?:é|e|er|ée)|reporté(?:e|s|es)?|repouss(?:é|ée|er)|finalement|plutôt|se pasó|aplaz\p{L}+|retras\p{L}+|recién|se cambió|cambiaron)(?!\p{L})|変わ(?:った|り)|変更|延期|(?:時|日)になった|改(?:到|成|在|为)|推迟|延期|提前/iu
const CANCELS =
  /\b(?:cancel(?:s|l?ed|l?ing)?|called off|(?:is|are) off(?! (?:to|on|the|sick|work|duty)\b)|falls? through|fell through|(?:won['’]t|will not|does(?:n['’]t| not)|can(?:no|['’])t) (?:take place|happen|come|make it)|abgesagt|entfällt|fällt aus|annul(?:é|ée|er)|cancelad[oa]|suspendid[oa])(?!\p{L})|中止|取消/iu
const RECURRING = /\b(?:every|each|weekly|daily|monthly|always)\b|days\b/i
const DENIES_MOVE = /\b(?:not|never|nothing)\b|n['’]t\b/i
/** What an appointment is called without saying of what, and what is said beside it. */
const GENERIC = new Set(
  analyze(
    `appointment meeting meet date day time slot visit delivery event termin come everything whole thing unfortunately sorry
    again already today please new need get go make same also therefore`,
  ),
)
const NAME = /(?<!^\W*)\b\p{Lu}[\p{L}\p{M}]+/gu
const CALENDAR =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|\p{Lu}\p{Ll}+(?:days?|tag)|Mittwoch|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)$/u

/** Whether a text says that something is moved to another time, or cancelled. */
export function saysChanged(text: string): boolean {
  return splitSentences(text).some((sentence) => changingClause(sentence) !== undefined)
}

/**
 * Which of the passages move or cancel the appointment that a question asks for the time of: a later mail of its thread, which
 * seldom repeats what it is about, or a later message about it.
 *
 * @param sentences best first
 */
export function appointmentChanges(
  { kind, text, terms }: AskedQuestion,
  sentences: readonly AnswerSentence[],
  read: readonly ReadChunk[],
  timeZone: string,
): Update[] {
  const [best] = sentences
  if (best === undefined || kind !== 'time' || askedStatement(text) === undefined) return []
  const first = sentences.find((one) => one.features.isQuestion === 0 && statesTime(one.text) && !saysChanged(one.text))
  const chunk = first && read[first.passage]!
  if (chunk === undefined || isEventSource(chunk.row.sourceType)) return []
  const isFirst = !sentences.some(
    (one) => one.passage === first!.passage && one.position < first!.position && statesTime(one.text),
  )
  const asked = new Set(terms.map(({ term }) => term))
  const appointment = { sentence: first!.text, chunk, isFirst, asked }
  const changes = read
    .filter((one) => isStillAhead(appointment, one, timeZone) && isChangeOf(one, appointment))
    .toSorted((a, b) => a.row.at! - b.row.at!)
  const ids = changes.map(({ row }) => row.chunkId)
  if (best !== first && !ids.includes(read[best.passage]!.row.chunkId)) return []
  return ids.map((newer, i) => ({ newer, older: i === 0 ? chunk.row.chunkId : ids[i - 1]! }))
}

interface Appointment {
  readonly sentence: string
  readonly chunk: ReadChunk
  /** Whether its passage states no other time before. */
  readonly isFirst: boolean
  /** Terms of the question. */
  readonly asked: ReadonlySet<string>
}

/** Whether a passage was written after an appointment was made, and before it was over. */
function isStillAhead({ sentence, chunk }: Appointment, later: ReadChunk, timeZone: string): boolean {
  const [madeAt, saidAt] = [chunk.row.at, later.row.at]
  if (madeAt === undefined || saidAt === undefined || saidAt <= madeAt || isEventSource(later.row.sourceType))
    return false
  if (RECURRING.test(sentence)) return true
  const reference = { instant: new Date(madeAt), timezone: zoneOffsetMinutes(new Date(madeAt), timeZone) }
  const day = casual.parseDate(englishForm(sentence).text, reference, { forwardDate: true })
  return saidAt < (day === null ? madeAt + CHANGED_WITHIN_MS : day.getTime() + DAY_MS)
}

function isChangeOf(later: ReadChunk, { sentence, chunk, asked, isFirst }: Appointment): boolean {
  const subject = mailSubject(chunk)
  const isOfThread = subject !== undefined && subject === mailSubject(later)
  const isOfTalk =
    later.row.itemKey === chunk.row.itemKey && later.row.kind === 'turn' && later.row.at! < chunk.row.at! + SOON_MS
  const known = new Set(analyze(`${sentence} ${subject ?? ''} ${chunk.passage.speaker ?? ''}`))
  return splitSentences(later.passage.text).some((one) => {
    const clause = changingClause(one)
    if (clause === undefined || namesOthers(clause, chunk)) return false
    const terms = termsBesideTimes(clause)
    const shared = terms.filter((term) => known.has(term))
    if (shared.length > 0) return isOfThread || shared.some((term) => asked.has(term))
    return (isOfThread || isOfTalk) && isFirst && terms.every((term) => GENERIC.has(term))
  })
}

/** The part of a sentence that moves something to a time or cancels it; `undefined` without one. */
function changingClause(sentence: Sentence): string | undefined {
  if (!sentence.clause().isStated) return undefined
  const parts = sentence.text.split(/[;:–—]\s|,\s(?!\d)|\b(?:but|because|since|as)\b/)
  return parts.find((part, i) => {
    if (CANCELS.test(part)) return true
    // `Monday, 23 November` is one time.
    return MOVES.test(part) && !DENIES_MOVE.test(part) && statesTime(`${part} ${parts[i + 1] ?? ''}`)
  })
}

function statesTime(text: string): boolean {
  return splitSentences(englishForm(text).text).some((one) => timesIn(one).some(Boolean))
}

/** For each word of a sentence whether it is a part of a time. */
function timesIn(sentence: Sentence): readonly boolean[] {
  return sentence.clause().kinds.map((kind) => kind !== undefined && TIMES.includes(kind))
}

/** Terms of a clause besides its times and the words of change. */
function termsBesideTimes(clause: string): string[] {
  const bare = englishForm(clause.replace(MOVES, ' ').replace(CANCELS, ' ')).text
  return splitSentences(bare).flatMap((one) => {
    const times = timesIn(one)
    return one.clause().words.flatMap((word, i) => (times[i] === true || /^\d/.test(word) ? [] : analyze(word)))
  })
}

/** Whether a clause names somebody or something that is not in the passage of the appointment: another one. */
function namesOthers(clause: string, { passage: { text, title = '', speaker = '' } }: ReadChunk): boolean {
  const known = new Set(analyze(`${text} ${title} ${speaker}`))
  const names = (clause.match(NAME) ?? []).filter((name) => !CALENDAR.test(name))
  return names.some((name) => analyze(name).some((term) => !known.has(term)))
}
