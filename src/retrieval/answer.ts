import { AppError } from '../domain/errors.ts'
import { answerProbability, weighEvidence } from './answer-confidence.ts'
import { fingerprintOf, foldDuplicates } from './near-duplicates.ts'
import { type RankedChunk, type Ranking, rankChunks } from './rank-chunks.ts'
import { filterOf, LEAST_RELEVANCE, type RecallInput, type RecallSources } from './recall.ts'
import { toldDate } from './told-date.ts'

export interface Answer {
  /** At most `MOST_CHARACTERS`; quotes what is stored and says nothing of its own but dates. */
  readonly response: string
}

const MOST_CHARACTERS = 1_500
/** From this probability on, the passages are given as an answer; below, as the closest there is. */
export const ANSWER_THRESHOLD = 0.55
const MOST_QUOTES = 3
/** A further passage is quoted when it is nearly as good as the best. */
const QUOTED_SHARE = 0.75
const MOST_QUOTED_CHARACTERS = 420
const NOTHING = 'I found nothing about this in the memories that this key may see.'
const ASKS_WHEN = /^\W*when\b|\b(?:what|which) (?:day|date|month|year)\b|\bhow long ago\b/i

interface Quote {
  readonly chunk: RankedChunk
  readonly text: string
}

/**
 * Answers by quoting: whole turns or paragraphs, numbered, with where each comes from. Says that there is no clear answer
 * when the evidence is weak, and then shows the closest passage. Stored text is only ever quoted, so that instructions in
 * it have nobody to obey them.
 */
export async function answerQuestion(input: RecallInput, { index, embedder }: RecallSources): Promise<Answer> {
  const { text, now, timeZone } = input
  const ranking = await rankChunks(text, filterOf(input), { index, embedder, now, timeZone })
  if (ranking.relevance < LEAST_RELEVANCE) return { response: NOTHING }
  const isAnswer = answerProbability(weighEvidence(text, ranking)) >= ANSWER_THRESHOLD
  const chosen = choose(ranking, isAnswer ? MOST_QUOTES : 1)
  const texts = await index.chunkTexts(chosen.map(({ row }) => row.chunkId))
  const quotes = chosen.flatMap((chunk) => {
    const stored = texts.get(chunk.row.chunkId)
    return stored === undefined ? [] : [{ chunk, text: stored }]
  })
  if (quotes.length === 0) return { response: NOTHING }
  const opening = isAnswer ? '' : 'I found no clear answer; the closest is:\n'
  const asksWhen = ASKS_WHEN.test(text)
  const body = quotes.map((quote, i) => `${quoted(quote.text)} [${i + 1}]${asksWhen ? dateNote(quote, timeZone) : ''}`)
  const citations = quotes.map((quote, i) => `[${i + 1}] ${citation(quote, timeZone)}`)
  return { response: shorten(opening, body, citations) }
}

function choose(ranking: Ranking, most: number): RankedChunk[] {
  const close = ranking.ranked.filter(({ share }) => share >= QUOTED_SHARE)
  return foldDuplicates(close, ({ row }) => fingerprintOf([row]), most)
}

/** A stored text on one line between quotation marks, cut at a word when it is very long. */
function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replaceAll('“', '"').replaceAll('”', '"')
  if (line.length <= MOST_QUOTED_CHARACTERS) return `“${line}”`
  const cut = line.slice(0, MOST_QUOTED_CHARACTERS)
  return `“${cut.slice(0, Math.max(cut.lastIndexOf(' '), MOST_QUOTED_CHARACTERS / 2)).toWellFormed()} …”`
}

/** `yesterday` said on 8 May 2023 is 7 May 2023; a passage that tells no time of its own was said on its date. */
function dateNote({ chunk: { row }, text }: Quote, timeZone: string): string {
  if (row.at === undefined) return ''
  const saidAt = new Date(row.at)
  const told = toldDate(text, saidAt, timeZone)
  return told ? ` (“${told.words}” is ${told.date})` : ` (said on ${dayOf(saidAt, timeZone)})`
}

function citation({ chunk: { row } }: Quote, timeZone: string): string {
  const when = row.at === undefined ? [] : [dayOf(new Date(row.at), timeZone)]
  return [row.sourceType, ...when, row.itemId].join(', ')
}

function dayOf(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' }).format(instant)
}

/** Leaves out the last quotes until the answer is short enough; an item id has at most 500 characters, so one always fits. */
function shorten(opening: string, body: readonly string[], citations: readonly string[]): string {
  for (let count = body.length; count > 0; count--) {
    const response = `${opening}${body.slice(0, count).join('\n')}\n\n${citations.slice(0, count).join('\n')}`
    if (response.length <= MOST_CHARACTERS) return response
  }
  throw new AppError('internal', 'One quote does not fit into an answer')
}
