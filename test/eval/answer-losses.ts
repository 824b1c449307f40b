import type { Embedder } from '../../src/models/model.ts'
import { readEvidence } from '../../src/retrieval/answer/evidence/read-evidence.ts'
import { readSentences } from '../../src/retrieval/answer/evidence/read-sentences.ts'
import { formatDay } from '../../src/retrieval/recall/provenance.ts'
import { rankChunks } from '../../src/retrieval/recall/rank-chunks.ts'
import { statedDate } from '../../src/retrieval/recall/stated-date.ts'
import type { ChunkRow, SearchIndex } from '../../src/store/search/search.ts'
import type { AskedAccount } from './answer-service.ts'

/**
 * Where a question that has an answer was lost, by the first condition that holds. `form`: the evidence was found and does
 * not hold three fifths of the words of the expected answer.
 */
export const LOSSES = [
  'not found',
  'form',
  'several passages',
  'abstained',
  'other passage',
  'several sentences',
  'other sentence',
] as const
export type Loss = (typeof LOSSES)[number]

export interface LossQuestion {
  readonly text: string
  readonly now: Date
  readonly until?: Date
  /** Whether a text holds the answer. */
  readonly isRight: (text: string) => boolean
  /** Whether a passage is evidence. */
  readonly isEvidence: (text: string, itemId: string) => boolean
}

interface LossSources {
  readonly account: AskedAccount
  readonly index: SearchIndex
  readonly embedder: Embedder
}

/** Why an answer was wrong: what of the ten best passages and their sentences holds the expected answer. */
export async function classifyLoss(
  { text, now, until, isRight, isEvidence }: LossQuestion,
  answer: { readonly response: string; readonly abstained: boolean },
  { account: { timeZone, userName }, index, embedder }: LossSources,
): Promise<Loss> {
  const ranking = await rankChunks(text, until ? { until } : {}, { index, embedder, now, timeZone, userName })
  const evidence = await readEvidence(ranking, index, timeZone)
  const { read, passages, sentences } = await readSentences(text, evidence, embedder, { timeZone, userName })
  const dated = (words: string, row: ChunkRow) =>
    row.at === undefined
      ? words
      : `${words} ${statedDate(words, row, timeZone)?.date ?? ''} ${formatDay(new Date(row.at), timeZone)}`
  const texts = read.map(({ row }, i) => dated(passages[i]!.text, row))
  const isOne = texts.map(isRight)
  if (!read.some(({ row, passage }) => isEvidence(passage.text, row.itemId)) && !isOne.includes(true))
    return 'not found'
  if (!isRight(texts.join('\n'))) return 'form'
  if (!isOne.includes(true)) return 'several passages'
  if (answer.abstained) return 'abstained'
  const right = sentences.filter(({ passage }) => isOne[passage])
  const isShown = right.some((sentence) => answer.response.includes(sentence.text.slice(0, SHOWN)))
  if (!isShown) return 'other passage'
  const holdsAll = right.some((sentence) => isRight(dated(sentence.text, read[sentence.passage]!.row)))
  return holdsAll ? 'other sentence' : 'several sentences'
}

/** Characters at the start of a sentence by which it is known in an answer. */
const SHOWN = 40
