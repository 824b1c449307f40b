import { AppError } from '../domain/errors.ts'
import type { Provenance } from '../domain/memory.ts'
import { analyze, hashTerm } from '../lib/analyze.ts'
import type { ChunkRow, MemoryRow, QaRow, SearchIndex } from '../store/search/search.ts'
import { answerProbability, weighEvidence } from './answer-confidence.ts'
import { neighbour } from './features.ts'
import type { Folded } from './near-duplicates.ts'
import {
  type Attribution,
  attribution,
  citationLine,
  citedTitle,
  createProvenance,
  formatDay,
  memoryOfChunk,
} from './provenance.ts'
import { totalWeight } from './query-terms.ts'
import { matchedWeight, type QuoteText, quoteText, statedDate } from './quote-text.ts'
import { type Ranking, type RecallSources, rankChunks } from './rank-chunks.ts'
import { chunkStatement, type ReadChunk, readChunks } from './read-chunks.ts'
import { LEAST_RELEVANCE, type RecallInput, searchFilter } from './recall.ts'
import { buildHistory, findUpdates, type History } from './superseded.ts'
import {
  type Answer,
  type AnswerWriter,
  answerPassages,
  type Citation,
  type Written,
  writeAnswer,
} from './write-answer.ts'

const MOST_CHARACTERS = 1_500
/**
 * From this probability on, the passages are given as an answer; below, as the closest there is. Of questions that had no
 * part in the fit, 80.6 % of those with an answer were answered at .3, and 79.7 % of those without were not (test/eval/FIT.md).
 */
export const ANSWER_THRESHOLD = 0.3
const MOST_QUOTES = 3
/** From this agreement with a stored question on, its answer is given alone; below, with other passages. */
const SAME_WORDS = 0.85
/** A further passage is quoted when it is nearly as good as the best. */
const QUOTED_SHARE = 0.75
/** Chunks among which newer statements are looked for. */
const COMPARED = 40
const FOUND_NOTHING = 'I found nothing about this in the memories that this key may see.'
const NOTHING: Answer = {
  response: FOUND_NOTHING,
  text: FOUND_NOTHING,
  abstained: true,
  citations: [],
}
const ASKS_FOR_CODE =
  /\b(?:how (?:do|can|to|should)|commands?|(?<!claude )code|script|snippet|syntax|example|configur\w*|install\w*)\b/i
/** A question, or one with a sentence that explains it. */
const ASKS = /[?？][^?？]{0,120}$/
const ASKS_WHEN = /^\W*when\b|\b(?:what|which) (?:day|date|month|year)\b|\bhow long ago\b/i

/** A chunk that is shown, or the part of it that answers. */
interface Source {
  readonly row: ChunkRow
  readonly position: number
  /** Instead of the whole chunk. */
  readonly answer?: string
  /** Time of the latest statement that this replaces: milliseconds since the epoch. */
  readonly replacedAt?: number
}

interface Quote {
  readonly row: ChunkRow
  readonly provenance: Provenance
  readonly stored: string
  readonly shown: QuoteText
  readonly by: Attribution
  readonly memory: MemoryRow | undefined
  readonly replacedAt: number | undefined
  /** The reply to a question. */
  readonly reply?: { readonly shown: QuoteText; readonly by: Attribution }
}

/** As `RecallSources`; with a writer, answers are its sentences where it has any. */
interface AnswerSources extends RecallSources {
  readonly writer?: AnswerWriter
}

/** The evidence for an answer. */
interface Evidence {
  readonly ranking: Ranking
  /** The stored pair that asks the same question, unless a newer statement replaced it. */
  readonly paired: readonly Source[]
  readonly isSettled: boolean
  readonly found: readonly Folded<ReadChunk>[]
  readonly history: History<number>
}

/**
 * Answers by a language model when there is one that answers, else by quoting; says that there is no clear answer when
 * the evidence is weak, and then shows the closest passage. When nothing is relevant, no model is asked.
 */
export async function answerQuestion(input: RecallInput, sources: AnswerSources): Promise<Answer> {
  const { now, timeZone, signal } = input
  const { writer, ...rest } = sources
  const ranking = await rankChunks(input.text, searchFilter(input), {
    ...rest,
    now,
    timeZone,
    ...(signal && { signal }),
  })
  signal?.throwIfAborted()
  const { notice } = ranking
  return { ...(await answerFrom(ranking, input, sources)), ...(notice !== undefined && { notice }) }
}

async function answerFrom(ranking: Ranking, input: RecallInput, { index, writer }: AnswerSources): Promise<Answer> {
  if (ranking.relevance < LEAST_RELEVANCE) return NOTHING
  const evidence = await readEvidence(ranking, index, input.timeZone)
  const renderQuote = writer && (await askWriter(writer, evidence, input, index))
  if (typeof renderQuote === 'object' && 'answer' in renderQuote) return renderQuote.answer
  return quotedAnswer(evidence, input, index, renderQuote)
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

/**
 * Whole turns or paragraphs, numbered, with who said it and where each comes from. The answer of a stored pair is taken
 * when its question is the same. Stored text is only quoted, so that instructions in it are not followed.
 *
 * @param unwritten why no model has answered; absent when none was asked
 */
async function quotedAnswer(
  evidence: Evidence,
  { text, timeZone }: RecallInput,
  index: SearchIndex,
  unwritten: Exclude<Written, { answer: unknown }> | undefined,
): Promise<Answer> {
  const { ranking, paired, isSettled } = evidence
  const isLikely = paired.length > 0 || answerProbability(weighEvidence(text, ranking)) >= ANSWER_THRESHOLD
  const isAnswer = isLikely && unwritten !== 'abstained'
  const found = isSettled ? [] : chooseSources(evidence).slice(0, isAnswer ? MOST_QUOTES : 1)
  // Leave out the answer of the pair and the question above it.
  const others = found.filter(({ row, position }) =>
    paired.every(
      (source) =>
        source.row.itemKey !== row.itemKey || position > source.position || position < source.position - BEHIND,
    ),
  )
  const sources: Source[] = [...paired, ...others].slice(0, MOST_QUOTES)
  const quotes = await readQuotes(sources, ranking, index, timeZone)
  if (quotes.length === 0) return NOTHING
  const opening = isAnswer ? '' : 'I found no clear answer; the closest is:\n'
  const closing = typeof unwritten === 'object' ? `\n\n${modelFailureNote(unwritten.problem)}` : ''
  const body = quotes.map((quote, i) => renderQuote(quote, `[${i + 1}]`, text, timeZone))
  const citations = quotes.map(({ row, by }, i) => `[${i + 1}] ${citationLine(row, by.title, timeZone)}`)
  const { count, ...shown } = fitQuotes({ opening, body, citations, closing })
  return {
    ...shown,
    abstained: !isAnswer,
    citations: quotes.slice(0, count).map((quote) => createCitation(quote, text)),
  }
}

function modelFailureNote(problem: string): string {
  return `(The language model did not answer: ${problem}; these are quotations.)`
}

function pairSource({ chunkId, answer }: QaRow, { rows }: Ranking): Source[] {
  const position = rows.findIndex((row) => row.chunkId === chunkId)
  return position < 0 ? [] : [{ row: rows[position]!, position, answer }]
}

async function readEvidence(ranking: Ranking, index: SearchIndex, timeZone: string): Promise<Evidence> {
  const matching = await matchingPair(ranking, index)
  const size = { size: COMPARED, least: 0, timeZone }
  const { folded } = await readChunks(ranking.ranked.slice(0, COMPARED), size, index)
  const chunks = new Map(folded.map(({ one }) => [one.row.chunkId, one]))
  const statements = folded.map(({ one }) => chunkStatement(one))
  const updates = await findUpdates(statements, index, timeZone)
  const history = buildHistory(updates.map((update) => ({ ...update, at: chunks.get(update.newer)!.row.at ?? 0 })))
  const holds = matching !== undefined && history.currentOf(matching.pair.chunkId) === undefined
  const paired = holds ? pairSource(matching.pair, ranking) : []
  const isSettled = paired.length > 0 && matching !== undefined && matching.agreement >= SAME_WORDS
  return { ranking, paired, isSettled, found: folded, history }
}

/** Chunks nearly as good as the best; replaced ones give way to the current statement. */
function chooseSources({ found, history }: Evidence): Source[] {
  const chunks = new Map(found.map(({ one }) => [one.row.chunkId, one]))
  const close = found.flatMap(({ one: { row, share } }) => (share >= QUOTED_SHARE ? [row.chunkId] : []))
  return [...new Set(close.map((id) => history.currentOf(id) ?? id))].map((id): Source => {
    const { row, position } = chunks.get(id)!
    const times = history.replacedBy(id).map((older) => chunks.get(older)!.row.at ?? 0)
    return { row, position, ...(times.length > 0 && { replacedAt: Math.max(...times) }) }
  })
}

/** A chunk without a text was deleted since it was found. */
async function readQuotes(
  sources: readonly Source[],
  { rows, query }: Ranking,
  index: SearchIndex,
  timeZone: string,
): Promise<Quote[]> {
  const nextOf = ({ row, position }: Source) => (row.kind === 'turn' ? rows[neighbour(rows, position, 1)] : undefined)
  const ids = [...new Set(sources.flatMap((source) => [source.row.chunkId, nextOf(source)?.chunkId ?? []].flat()))]
  const [passages, memories] = await Promise.all([index.passages(ids), index.memoriesOf(ids)])
  const provenanceOf = createProvenance(memories, timeZone)
  return sources.flatMap((source): Quote[] => {
    const { row, answer } = source
    const passage = passages.get(row.chunkId)
    if (passage === undefined) return []
    const stored = passage.text
    const quote = {
      row,
      provenance: provenanceOf(row, passage),
      stored,
      shown: quoteText(answer ?? stored, query.terms, row.kind === 'turn'),
      by: attribution(row, passage, memories),
      memory: memoryOfChunk(row, memories),
      replacedAt: source.replacedAt,
    }
    const next = answer === undefined && ASKS.test(stored) ? nextOf(source) : undefined
    const reply = next && passages.get(next.chunkId)
    if (next === undefined || reply === undefined) return [quote]
    const by = attribution(next, reply, memories)
    if (by.speaker === quote.by.speaker) return [quote]
    return [{ ...quote, reply: { shown: quoteText(reply.text, query.terms, true), by } }]
  })
}

/** `Mara (4 March 2026): “We agreed.” [1]` */
function renderQuote(quote: Quote, mark: string, question: string, timeZone: string): string {
  const { row, by, reply } = quote
  const shown = visibleParts(quote, question)
  const isTold = ASKS_WHEN.test(question)
  const said = row.at === undefined || by.speaker === undefined ? '' : ` (${formatDay(new Date(row.at), timeZone)})`
  const who = by.speaker ?? (row.sourceType === 'calendar' && by.title ? `“${citedTitle(by.title)}”` : undefined)
  const words = shown.words === '' ? '' : `“${shown.words}” `
  const lead = who === undefined ? '' : `${who}${said}: `
  const replied = reply?.by.speaker ? `${reply.by.speaker}: ` : ''
  const answer = shown.reply === '' ? '' : ` ${replied}“${shown.reply}” ${mark}`
  const code = shown.code === '' ? '' : `\n\`\`\`\n${shown.code}\n\`\`\``
  const replaced =
    quote.replacedAt === undefined
      ? ''
      : ` (replaces what was said on ${formatDay(new Date(quote.replacedAt), timeZone)})`
  return `${lead}${words}${mark}${isTold ? dateNote(quote, timeZone) : ''}${replaced}${answer}${code}`
}

/** The parts of a quote that the answer contains; others are empty. */
function visibleParts({ shown: { words, code }, reply }: Quote, question: string) {
  const withCode = words === '' || ASKS_FOR_CODE.test(question)
  return { words, reply: reply?.shown.words ?? '', code: withCode ? code : '' }
}

function createCitation(quote: Quote, question: string): Citation {
  const { row, provenance, reply, memory } = quote
  const shown = visibleParts(quote, question)
  const replier = shown.reply === '' ? undefined : reply?.by.speaker
  const participants = [...(provenance.participants ?? []), ...(replier === undefined ? [] : [replier])]
  return {
    itemId: row.itemId,
    sourceType: row.sourceType,
    quote: [shown.words, shown.reply, shown.code].filter((part) => part !== '').join('\n'),
    ...(memory && { memory }),
    ...provenance,
    ...(participants.length > 0 && { participants }),
  }
}

/** `yesterday` said on 8 May 2023 is 7 May 2023; a passage that names no time has its own date. */
function dateNote({ row, stored, by }: Quote, timeZone: string): string {
  if (row.at === undefined) return ''
  const saidAt = new Date(row.at)
  const stated = statedDate(stored, saidAt, timeZone)
  if (stated) return ` (“${stated.words}” is ${stated.date})`
  // The line has the date already, and an event says itself when it is.
  if (by.speaker !== undefined || row.sourceType === 'calendar') return ''
  return ` (${row.kind === 'turn' ? 'said on' : 'dated'} ${formatDay(saidAt, timeZone)})`
}

interface Parts {
  readonly opening: string
  readonly body: readonly string[]
  readonly citations: readonly string[]
  readonly closing: string
}

/** Leaves out the last quotes until the answer is short enough; an item id has at most 500 characters, so one always fits. */
function fitQuotes({
  opening,
  body,
  citations,
  closing,
}: Parts): Pick<Answer, 'response' | 'text'> & { count: number } {
  for (let count = body.length; count > 0; count--) {
    const quoted = `${opening}${body.slice(0, count).join('\n')}`
    const response = `${quoted}\n\n${citations.slice(0, count).join('\n')}${closing}`
    if (response.length <= MOST_CHARACTERS) return { response, text: `${quoted}${closing}`, count }
  }
  throw new AppError('internal', 'One quote does not fit into an answer')
}

/** Chunks whose pairs are looked at. */
const LOOKED_AT = 20
/** How many chunks after its question an answer may follow. */
const BEHIND = 4
/** From this agreement of the two questions on, the answer of the one is taken for the other. */
const SAME_QUESTION = 0.66

interface MatchingPair {
  readonly pair: QaRow
  /** In (0.66, 1]. */
  readonly agreement: number
}

/**
 * A stored question-answer pair that asks the same: the harmonic mean of the share of the asked question that the stored
 * one holds (by weight) and of the share of the stored question that was asked for (by words). `undefined` when none does.
 */
async function matchingPair(ranking: Ranking, index: SearchIndex): Promise<MatchingPair | undefined> {
  const { query, rows, ranked } = ranking
  const total = totalWeight(query.terms)
  if (total === 0) return undefined
  const ids = new Set<number>()
  for (const { position } of ranked.slice(0, LOOKED_AT)) {
    for (let distance = 0; distance <= BEHIND; distance++) {
      const at = distance === 0 ? position : neighbour(rows, position, distance)
      if (at >= 0) ids.add(rows[at]!.chunkId)
    }
  }
  const asked = new Set(query.terms.map(({ hash }) => hash))
  let best: QaRow | undefined
  let most = SAME_QUESTION
  for (const pair of await index.qasOf([...ids])) {
    const words = new Set(analyze(pair.question).map(hashTerm))
    if (words.size === 0) continue
    const held = matchedWeight(pair.question, query.terms) / total
    const wanted = [...words].filter((hash) => asked.has(hash)).length / words.size
    const agreement = held + wanted === 0 ? 0 : (2 * held * wanted) / (held + wanted)
    if (agreement > most) {
      most = agreement
      best = pair
    }
  }
  return best && { pair: best, agreement: most }
}
