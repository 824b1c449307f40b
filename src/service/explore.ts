import { connectorTitle, specificConnector } from '../domain/connector-name.ts'
import type { AskQuery, CallOptions, RecallQuery } from '../domain/memory.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { AskAnswer, FoundMemory, Overview, RecallAnswer } from '../http/app/schemas/recall.ts'
import type { QuestionRestriction } from '../retrieval/question/understand-query.ts'
import type { Explanation } from '../retrieval/recall/explain-recall.ts'
import { matchedSpans, wordForTerm } from '../retrieval/recall/explain-recall.ts'
import type { Recalled, RecalledMemory } from '../retrieval/recall/recall.ts'
import type { PassageRow } from '../store/search/search.ts'
import { type AnswerOptions, answer, withContext } from './ask.ts'
import { excerpt } from './excerpt.ts'
import type { AskLimit } from './load-limits.ts'
import type { Principal } from './principal.ts'
import { customId, editFields, findMemories, memoryCopy, shownNote, supersededMemory, tagsOf } from './recall.ts'
import type { ServiceContext } from './service-context.ts'

/**
 * Recall and ask for the pages of the web app, with explanations, matches and timings. Metered and billed like the
 * others.
 */
export interface ExploreUseCases {
  recall(principal: Principal, query: ExploreQuery, options?: CallOptions): Promise<RecallAnswer>
  ask(principal: Principal, question: Pick<AskQuery, 'text' | 'context'>, options?: AnswerOptions): Promise<AskAnswer>
  overview(principal: Principal): Promise<Overview>
}

export interface ExploreQuery extends Omit<RecallQuery, 'source'> {
  /** As for `ask`. */
  readonly context?: string
  /** Absent or empty: all. */
  readonly sources?: readonly SourceType[]
  /** A speaker or participant: a name, part of one, or the start of a part. */
  readonly person?: string
  readonly ignored?: readonly QuestionRestriction[]
  readonly isPreview?: boolean
}

export function exploreUseCases(context: ServiceContext, asks: AskLimit): ExploreUseCases {
  return {
    recall: (principal, query, options) => exploreRecall(context, principal, query, options),
    ask: (principal, question, options) => exploreAnswer(context, asks, principal, question, options),
    async overview({ scope }) {
      const { items, memories, waiting, failed } = await context.store.scoped(scope).holdings()
      return { items, memories, waiting, failed }
    },
  }
}

/** Number of people to choose from. */
const MOST_PEOPLE = 20

/** As `recall`, for display to a person. */
async function exploreRecall(
  context: ServiceContext,
  principal: Principal,
  { sources = [], person, context: conversation, ...query }: ExploreQuery,
  options: CallOptions = {},
): Promise<RecallAnswer> {
  const wanted = {
    ...query,
    text: withContext(query.text, conversation),
    ...(sources.length > 0 && { sources }),
    ...(person !== undefined && { person }),
    explain: true,
    sourceField: 'sources',
  }
  const { found } = await findMemories(context, principal, wanted, options)
  const { explanation, memories, notice } = found
  if (explanation === undefined) throw new Error('the recall returned no explanation')
  const terms = new Set(explanation.words.map(({ term }) => term))
  const hits = await readHits(context, principal, found)
  const tags = await tagsOf(
    context,
    principal,
    memories.map(({ row }) => row),
  )
  const results = memories.map((memory) => ({
    ...foundMemory(memory, explanation, terms, hits.get(memory)),
    item_tags: [...(tags.get(memory.row.itemKey) ?? [])],
  }))
  return {
    results,
    understood: understoodQuestion(explanation, found, results),
    sources: countValues(results.map(({ source }) => source)).map(([source, count]) => ({ source, count })),
    connectors: countValues(results.flatMap(({ connector }) => connector?.id ?? [])).map(([id, count]) => ({
      ...namedConnector(id),
      count,
    })),
    item_tags: countValues(results.flatMap(({ item_tags }) => item_tags)).map(([tag, count]) => ({ tag, count })),
    people: countValues(results.flatMap(({ participants }) => [...new Set(participants)]))
      .slice(0, MOST_PEOPLE)
      .map(([name, count]) => ({ name, count })),
    notice: notice ?? null,
  }
}

interface Hit extends PassageRow {
  readonly ordinal: number
}

/** The best passage of each memory; the first one of a memory that was found by its date. None of deleted items. */
async function readHits(
  { store }: ServiceContext,
  { scope }: Principal,
  { memories, explanation }: Recalled,
): Promise<ReadonlyMap<RecalledMemory, Hit>> {
  const places = memories.map((memory) => {
    const { firstChunkId, firstOrdinal } = memory.row
    return { memory, ...(explanation?.explain(memory).best ?? { chunkId: firstChunkId, ordinal: firstOrdinal }) }
  })
  const passages = await store.scoped(scope).index.passages(places.map(({ chunkId }) => chunkId))
  return new Map(
    places.flatMap(({ memory, chunkId, ordinal }) => {
      const passage = passages.get(chunkId)
      return passage === undefined ? [] : [[memory, { ...passage, ordinal }] as const]
    }),
  )
}

/** As `ask`, with the cited memories. */
async function exploreAnswer(...asked: Parameters<typeof answer>): Promise<AskAnswer> {
  const { text, abstained, citations, notice } = await answer(...asked)
  return {
    response: text,
    abstained,
    citations: citations.map(({ itemId, sourceType, quote, memory, title, when, url }, i) => ({
      n: i + 1,
      item_id: itemId,
      source: sourceType,
      custom_id: memory ? customId(memory) : null,
      quote,
      title: title ?? memory?.fileName ?? null,
      when: when ?? null,
      url: url ?? null,
    })),
    notice: notice ?? null,
  }
}

function foundMemory(
  memory: RecalledMemory,
  { titleOf, explain }: Explanation,
  terms: ReadonlySet<string>,
  hit: Hit | undefined,
): Omit<FoundMemory, 'item_tags'> {
  const { row, score, copies, supersededBy, supersedes } = memory
  const { pin, correction, note, ...content } = { ...row.content, ...editFields(row, memory.edits) }
  const {
    headline,
    narrative,
    body,
    participants = [],
    when,
    where,
    tags = [],
    other_entities: entities = [],
  } = content
  const matches = (text = '') => matchedSpans(text, terms).map(([start, end]): [number, number] => [start, end])
  const why = explain(memory)
  return {
    custom_id: customId(row),
    item_id: row.itemId,
    source: row.sourceType,
    connector: shownConnector(specificConnector(row.sourceType, row.connector)),
    score,
    title: titleOf(row) ?? hit?.title ?? null,
    headline: headline ?? null,
    narrative: narrative ?? null,
    body: body ?? null,
    participants: [...participants],
    when: when ?? null,
    at: row.at === undefined ? null : new Date(row.at).toISOString(),
    where: where ?? null,
    tags: [...tags],
    other_entities: [...entities],
    url: row.url ?? null,
    also_in: copies.map(memoryCopy).map(({ title = null, when = null, url = null, ...copy }) => {
      return { ...copy, title, when, url }
    }),
    superseded_by: supersededBy ? otherMemory(supersededBy) : null,
    supersedes: supersedes.map(otherMemory),
    correction: correction ?? null,
    notes: memory.notes.map(shownNote),
    note_on: note ?? null,
    pin: pin ?? null,
    hit: hit === undefined ? null : shownHit(hit, terms),
    first_chunk: row.firstOrdinal,
    last_chunk: row.firstOrdinal + row.lastChunkId - row.firstChunkId,
    matches: { headline: matches(headline), narrative: matches(narrative), body: matches(body) },
    why: { parts: [...why.parts], words: why.words.map(({ word, weight, where }) => ({ word, weight, where })) },
  }
}

function shownHit({ ordinal, text, speaker }: Hit, terms: ReadonlySet<string>): FoundMemory['hit'] {
  const shown = excerpt(text, matchedSpans(text, terms))
  return { ordinal, text: shown.text, matches: shown.spans.map(([from, to]) => [from, to]), speaker: speaker ?? null }
}

function otherMemory(row: RecalledMemory['row']): FoundMemory['supersedes'][number] {
  const { when = null, ...memory } = supersededMemory(row)
  return { ...memory, source: row.sourceType, when }
}

function understoodQuestion(
  { query, words }: Explanation,
  { applied }: Recalled,
  results: readonly FoundMemory[],
): RecallAnswer['understood'] {
  const texts = results.flatMap(({ headline, narrative, body, participants }) => [
    body ?? '',
    headline ?? '',
    narrative ?? '',
    ...participants,
  ])
  const byWord = new Map<string, RecallAnswer['understood']['words'][number]>()
  for (const { word, term, weight, isGuessed } of words) {
    const known = byWord.get(word) ?? { word, weight: 0, taken_as: [] }
    const taken = isGuessed ? [wordForTerm(term, texts) ?? term] : []
    byWord.set(word, { word, weight: known.weight + weight, taken_as: [...known.taken_as, ...taken] })
  }
  return {
    since: query.time?.since?.toISOString() ?? null,
    until: query.time?.until?.toISOString() ?? null,
    only_time: isOnlyTime(query),
    sources: [...query.filters.sources],
    only_sources: applied.sources !== undefined,
    connector: shownConnector(applied.connector),
    person: applied.person ?? null,
    terms: words.map(({ term }) => term),
    words: [...byWord.values()],
  }
}

/** Names of sources or people ask for less than all of a time. */
function isOnlyTime({ isTimeOnly, people, filters }: Explanation['query']): boolean {
  return isTimeOnly && people.length === 0 && filters.sources.length === 0 && filters.connector === undefined
}

function shownConnector(id: string | undefined): FoundMemory['connector'] {
  return id === undefined ? null : namedConnector(id)
}

function namedConnector(id: string) {
  return { id, title: connectorTitle(id) }
}

/** Most frequent first. */
function countValues<Value>(values: readonly Value[]): (readonly [Value, number])[] {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}
