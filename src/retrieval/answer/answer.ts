import { analyze } from '../../lib/analyze.ts'
import type { MemoryRow, SearchIndex } from '../../store/search/search.ts'
import { readableQuestion } from '../question/languages/english-form.ts'
import { topicInPlace } from '../question/topic-first.ts'
import { twoQuestions } from '../question/two-questions.ts'
import { replaceCorrected } from '../recall/memory-edits.ts'
import { LEAST_RELEVANCE, type Ranking, type RecallSources, rankChunks } from '../recall/rank-chunks.ts'
import { retryIfReplaced } from '../recall/read-chunks.ts'
import { type RecallInput, rankingContext, searchFilter } from '../recall/recall.ts'
import { readWhatHappened, type WantedTime, wantedTime } from '../recall/what-happened.ts'
import type { Evidence } from './evidence/evidence.ts'
import { withCapitals } from './evidence/names-capitalized.ts'
import { withoutNounCapitals } from './evidence/nouns-uncapitalized.ts'
import { readEvidence } from './evidence/read-evidence.ts'
import { readStays } from './evidence/read-stays.ts'
import { contactAnswer } from './forms/contact-answer.ts'
import { askedInterval, intervalAnswer } from './forms/interval-answer.ts'
import { askedWho, personAnswer } from './forms/person-answer.ts'
import { askedPromises, promisesAnswer } from './forms/promises-answer.ts'
import { timeAnswer } from './forms/time-answer.ts'
import { quotedAnswer } from './quoted-answer.ts'
import { NOTHING } from './render-answer.ts'
import { contentTerms } from './sentences/answer-sentence.ts'
import { smallTalkReply } from './small-talk.ts'
import { holdsNames } from './supported-names.ts'
import { joinAnswers } from './two-answers.ts'
import { type Answer, type AnswerWriter, answerPassages, type Written, writeAnswer } from './write-answer.ts'

/** Maximum memories of a period that are counted. */
const MOST_OF_A_TIME = 100
const NO_NAMES: ReadonlySet<string> = new Set()

/** `RecallSources` with an optional writer of answers. */
interface AnswerSources extends RecallSources {
  readonly writer?: AnswerWriter
}

/**
 * Answers with a language model if one is available, otherwise with quotations. With weak evidence, says that there is no
 * clear answer and shows the two closest passages. Without relevant results, no model is called.
 */
export function answerQuestion(input: RecallInput, sources: AnswerSources): Promise<Answer> {
  const read = { ...input, ...readableQuestion(topicInPlace(input.text)) }
  return retryIfReplaced(sources.index, (index) => answerAll(read, { ...sources, index }))
}

/** Without a model, two questions in one sentence are answered one after the other. */
async function answerAll(input: RecallInput, sources: AnswerSources): Promise<Answer> {
  const isEnglish = input.written === undefined
  const questions = sources.writer === undefined && isEnglish ? twoQuestions(input.text) : undefined
  if (questions === undefined) return answerOnce(input, sources)
  const [first, second] = questions
  const answers = [
    await answerOnce({ ...input, text: first }, sources),
    await answerOnce({ ...input, text: second }, sources),
  ] as const
  const joined = joinAnswers(answers, questions)
  if (joined !== undefined && answers.every(({ abstained }) => !abstained)) return joined
  // Where only one of them is answered, the sentence for both may be.
  const whole = await answerOnce(input, sources)
  return whole.abstained ? (joined ?? whole) : whole
}

async function answerOnce(input: RecallInput, sources: AnswerSources): Promise<Answer> {
  const reply = smallTalkReply(input.text)
  if (reply !== undefined) return reply
  const { now, timeZone, signal } = input
  const { writer, ...rest } = sources
  const promises = askedPromises(input.text)
  const owed = promises && (await promisesAnswer(promises, input, sources.index))
  if (owed !== undefined) return owed
  const who = writer === undefined ? askedWho(input.text) : undefined
  const person = who === undefined ? undefined : await personAnswer(who, input, sources.index)
  if (person !== undefined) return person
  const ranking = await rankChunks(input.text, searchFilter(input), { ...rest, ...rankingContext(input) })
  signal?.throwIfAborted()
  const wanted = wantedTime(ranking.query, input, now)
  if (wanted !== undefined) {
    const { rows } = replaceCorrected(await readTime(wanted, timeZone, sources.index), ranking.edits)
    // A name that no person has may be a place or a project.
    if (rows.length > 0 || wanted.people.length === 0) return timeAnswer(wanted, rows, timeZone)
  }
  const { notice } = ranking
  const interval = askedInterval(input.text)
  const between =
    interval && (await intervalAnswer(interval, input, rest, (one) => readEvidence(one, sources.index, timeZone)))
  if (between !== undefined) return { ...between, ...(notice !== undefined && { notice }) }
  const found = await answerFrom(ranking, input, sources)
  const answer = found.abstained ? ((await happenedThen(ranking, input, sources.index)) ?? found) : found
  return { ...answer, ...(notice !== undefined && { notice }) }
}

/** `What happened at the garden on 22 August?` */
const ASKS_HAPPENED = /^\W*(?:and |so )?what (?:happened|went on|was on|was going on|took place)\b/i

/** What is dated within a time and has a word of what a question asks about, where no sentence says what happened then. */
async function happenedThen(
  { query, edits }: Ranking,
  { text, timeZone }: RecallInput,
  index: SearchIndex,
): Promise<Answer | undefined> {
  const { since, until } = query.time ?? {}
  if (!ASKS_HAPPENED.test(text) || since === undefined || until === undefined) return undefined
  const wanted = { range: { since, until }, sources: [], people: [] }
  const asked = new Set(contentTerms(query.terms, NO_NAMES).map(({ term }) => term))
  const { rows } = replaceCorrected(await readTime(wanted, timeZone, index), edits)
  const about = rows.filter(({ content }) =>
    analyze(`${content.headline ?? ''} ${content.narrative}`).some((term) => asked.has(term)),
  )
  return about.length === 0 ? undefined : timeAnswer(wanted, about, timeZone)
}

/** What is dated within a time, and stays of which only an earlier booking tells. */
async function readTime(wanted: WantedTime, timeZone: string, index: SearchIndex): Promise<readonly MemoryRow[]> {
  const dated = await readWhatHappened(wanted, MOST_OF_A_TIME, index)
  const isOfAll = wanted.people.length === 0 && wanted.sources.length === 0 && wanted.project === undefined
  const known = new Set(dated.map(({ itemKey }) => itemKey))
  const stays = isOfAll ? await readStays(wanted.range, timeZone, index) : []
  const further = stays.filter(({ itemKey }) => !known.has(itemKey))
  return further.length === 0 ? dated : [...dated, ...further].toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
}

async function answerFrom(
  ranking: Ranking,
  asked: RecallInput,
  { index, embedder, writer }: AnswerSources,
): Promise<Answer> {
  if (ranking.ranked.length === 0 || ranking.isNoise) return NOTHING
  const evidence = await readEvidence(ranking, index, asked.timeZone)
  const input = { ...asked, text: withoutNounCapitals(withCapitals(asked.text, evidence), evidence) }
  // A model can't answer about a name that no passage mentions.
  const isSupported = ranking.relevance >= LEAST_RELEVANCE && holdsNames(input.text, evidence, input.userName)
  const isAsked = writer !== undefined && isSupported
  const written = isAsked
    ? await askWriter(writer, evidence, { ...input, text: input.written ?? input.text }, index)
    : undefined
  if (typeof written === 'object' && 'answer' in written) return written.answer
  const contact = writer === undefined ? await contactAnswer(input, evidence, index) : undefined
  if (contact !== undefined) return contact
  return quotedAnswer(evidence, input, { index, embedder }, written)
}

async function askWriter(
  writer: AnswerWriter,
  { ranking, paired, found, history: { currentOf } }: Evidence,
  input: RecallInput,
  index: SearchIndex,
): Promise<Written> {
  const positionOf = new Map(found.map(({ one }) => [one.row.chunkId, one.position]))
  const best = found.flatMap(({ one: { row, position } }) => [
    positionOf.get(currentOf(row.chunkId) ?? row.chunkId)!,
    position,
  ])
  const positions = [...paired.map(({ position }) => position), ...best]
  const passages = await answerPassages(ranking, index, {
    positions,
    currentOf,
    tokens: writer.passageTokens,
    timeZone: input.timeZone,
  })
  return writeAnswer(writer, input, passages)
}
