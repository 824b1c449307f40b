import { PROMPT_TOKENS, SHOWN_FRAME_TOKENS } from '../../domain/suggestions.ts'
import { estimateTokens } from '../../lib/estimate-tokens.ts'
import type { ChunkRow, PassageRow } from '../../store/search/search.ts'
import { measureConfidence, type Ranking, type RecallSources, rankChunks, relevanceOf } from '../recall/rank-chunks.ts'
import type { RankedChunk } from '../recall/rerank-chunks.ts'
import { logistic, PUSH_WEIGHTS } from '../recall/weights.ts'
import { isOfSession, passageId, shortened } from './shown-passage.ts'

/** A prompt of a person to an agent, before the agent sees it. */
export interface Prompt {
  readonly text: string
  /** Prompts of the same session before this one. */
  readonly earlier: number
  /** The agent's session, whose transcript it already has. */
  readonly session?: string
  /** Ids of passages that were shown in this session. */
  readonly seen?: ReadonlySet<string>
  readonly now: Date
  readonly timeZone: string
  readonly userName?: string
  readonly signal?: AbortSignal
}

/** Suggestions for the agent. */
export interface Suggestion {
  /** Probability that the prompt relates to something in memory: a logistic model fitted by `npm run eval:push -- --fit`. */
  readonly probability: number
  /** Best first, one per item, within `PROMPT_TOKENS`. */
  readonly passages: readonly SuggestedPassage[]
  /** Absent when nothing was found. */
  readonly evidence?: PushEvidence
}

export interface SuggestedPassage extends PassageRow {
  /** Stable until the item changes. */
  readonly id: string
  readonly row: ChunkRow
  /** Estimated, including the line above it. */
  readonly tokens: number
}

/** Minimum probability for showing passages (decision 36). */
export const PUSH_THRESHOLD = 0.37
/** Tokens of the line above a passage, without title and address. */
const HEAD_TOKENS = 30
const MOST_PASSAGES = 5
/** Maximum tokens of a passage, which is cut after a sentence. */
const MOST_CHARACTERS = 120
/** Minimum score of a passage, relative to the best one. */
const LEAST_SHARE = 0.4
/** Number of chunks from which the best of each item is chosen. */
const CHOSEN_AMONG = 60
/** Maximum characters read of a prompt, because pasted code and files say little about its intent. */
const MOST_PROMPT_CHARACTERS = 1_000
const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g

/**
 * Passages related to a prompt, with the probability that they help.
 *
 * @param least below this probability no passages are read: most prompts need none
 */
export async function suggestPassages(
  prompt: Prompt,
  sources: RecallSources,
  least = PUSH_THRESHOLD,
): Promise<Suggestion> {
  const { now, timeZone, userName, signal } = prompt
  const text = prompt.text.replace(CODE_BLOCK, ' ').slice(0, MOST_PROMPT_CHARACTERS).toWellFormed()
  if (text.trim() === '') return { probability: 0, passages: [] }
  const ranking = await rankChunks(
    text,
    {},
    {
      ...sources,
      now,
      timeZone,
      ...(userName !== undefined && { userName }),
      ...(signal && { signal }),
    },
  )
  const isNew = ({ row }: RankedChunk) => !isOfSession(row, prompt.session) && !prompt.seen?.has(passageId(row))
  const found = ranking.ranked.filter(isNew)
  if (found.length === 0 || ranking.isNoise) return { probability: 0, passages: [] }
  const evidence = weighPrompt(text, prompt.earlier, ranking, found)
  const probability = logistic<keyof PushEvidence>(PUSH_WEIGHTS, evidence)
  const passages = probability < least ? [] : await readPassages(bestOfItems(found), sources)
  return { probability, passages, evidence }
}

/** Features for showing something, about in [0, 1]. */
export interface PushEvidence {
  /** Logarithm of the number of earlier prompts. Later prompts mostly continue the session itself. */
  readonly earlier: number
  readonly relevance: number
  readonly coverage: number
  readonly soft: number
  readonly cosine: number
  /** Amount of content in the prompt. */
  readonly terms: number
  /** Share of its terms that are stored. */
  readonly known: number
  /** How far the best chunk is ahead of the fifth. */
  readonly ahead: number
  /** Words that refer to something said, decided or started earlier. */
  readonly refersBack: number
  readonly firstPerson: number
  /** 1: starts with a request that needs no memory, such as `Write` or `Explain`. */
  readonly isTask: number
  readonly isGreeting: number
  readonly isQuestion: number
  /** How far the best item is ahead of the second. */
  readonly lead: number
  /** Share of the best chunks that belong to the best item. */
  readonly concentrated: number
  /** Number of different items among the best chunks, as a share; many indicate a common topic. */
  readonly items: number
}

const MANY_TERMS = 12
const MANY_WORDS = 3
const FIFTH = 4
const REFERS_BACK =
  /\b(?:we|we've|we'd|our|us|last time|again|remember|recall|earlier|previous(?:ly)?|before|discussed|talked|agreed|finali[sz]ed|decided|mentioned|planned|you (?:said|suggested|recommended)|as (?:planned|discussed)|still|already|continue|progress)\b/gi
const FIRST_PERSON = /\b(?:i|i'm|i've|my|me)\b/gi
const TASK =
  /^\W*(?:write|explain|create|generate|give|list|make|rewrite|describe|what (?:is|are|does)|how (?:does|do) (?!i\b)|translate|summari[sz]e|act as|you are|please|can you write)\b/i
const GREETING = /^\W*(?:hi|hello|hey)\b/i

function weighPrompt(
  text: string,
  earlier: number,
  { query, features }: Ranking,
  found: readonly RankedChunk[],
): PushEvidence {
  const { position } = found[0]!
  const { contextCoverage: coverage, soft, cosine } = measureConfidence(query, features, position)
  const stored = query.terms.filter(({ frequency }) => frequency > 0).length
  const count = (words: RegExp) => Math.min(MANY_WORDS, text.match(words)?.length ?? 0) / MANY_WORDS
  return {
    earlier: Math.log1p(earlier),
    relevance: relevanceOf(query, features, position),
    coverage,
    soft,
    cosine,
    terms: Math.min(1, query.terms.length / MANY_TERMS),
    known: stored / Math.max(1, query.terms.length),
    ahead: 1 - (found[FIFTH]?.share ?? 0) / found[0]!.share,
    refersBack: count(REFERS_BACK),
    firstPerson: count(FIRST_PERSON),
    isTask: TASK.test(text) ? 1 : 0,
    isGreeting: GREETING.test(text) ? 1 : 0,
    isQuestion: text.includes('?') ? 1 : 0,
    ...weighItems(found),
  }
}

/** Number of chunks for counting items. */
const CONCENTRATED_AMONG = 10
const ITEMS_AMONG = 20

function weighItems(found: readonly RankedChunk[]): Pick<PushEvidence, 'lead' | 'concentrated' | 'items'> {
  const best = found[0]!
  const isOfBest = ({ row }: RankedChunk) => row.itemKey === best.row.itemKey
  const second = found.find((chunk) => !isOfBest(chunk))
  return {
    lead: second === undefined ? 1 : 1 - second.share / best.share,
    concentrated: found.slice(0, CONCENTRATED_AMONG).filter(isOfBest).length / CONCENTRATED_AMONG,
    items: new Set(found.slice(0, ITEMS_AMONG).map(({ row }) => row.itemKey)).size / ITEMS_AMONG,
  }
}

/** One passage per item, so that one conversation doesn't crowd out the others. */
function bestOfItems(chunks: readonly RankedChunk[]): RankedChunk[] {
  const best = new Map<number, RankedChunk>()
  const most = chunks[0]!.share
  for (const chunk of chunks.slice(0, CHOSEN_AMONG)) {
    if (best.size === MOST_PASSAGES || chunk.share < LEAST_SHARE * most) break
    if (!best.has(chunk.row.itemKey)) best.set(chunk.row.itemKey, chunk)
  }
  return [...best.values()]
}

async function readPassages(
  chunks: readonly RankedChunk[],
  { index }: Pick<RecallSources, 'index'>,
): Promise<SuggestedPassage[]> {
  const read = await index.passages(chunks.map(({ row }) => row.chunkId))
  const passages: SuggestedPassage[] = []
  let tokens = SHOWN_FRAME_TOKENS
  for (const { row } of chunks) {
    const passage = read.get(row.chunkId)
    if (passage === undefined) continue
    const text = shortened(passage.text, MOST_CHARACTERS)
    const cost = HEAD_TOKENS + estimateTokens(`${text}${passage.title ?? ''}${passage.url ?? ''}`)
    tokens += cost
    if (tokens > PROMPT_TOKENS) break
    passages.push({ ...passage, text, id: passageId(row), row, tokens: cost })
  }
  return passages
}
