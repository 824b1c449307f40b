import type { CallOptions } from '../domain/memory.ts'
import type { Explanation } from '../retrieval/explain-recall.ts'
import { matchedSpans, wordOf } from '../retrieval/matched-words.ts'
import type { RecalledMemory } from '../retrieval/recall.ts'
import type { Explored, ExploredMemory, ExploreQuery, OtherMemory, Understood, UnderstoodWord } from './explore.ts'
import { customId, findMemories, memoryCopy, supersededMemory } from './recall.ts'
import type { Principal } from './service.ts'
import type { ServiceContext } from './service-context.ts'

/** People shown to choose from. */
const MOST_PEOPLE = 20

/** As `recall`, for a person who looks at the results. */
export async function exploreRecall(
  context: ServiceContext,
  principal: Principal,
  { sources = [], person, ...query }: ExploreQuery,
  options: CallOptions = {},
): Promise<Explored> {
  const wanted = {
    ...query,
    ...(sources.length > 0 && { sources }),
    ...(person !== undefined && { person }),
    explain: true,
    sourceField: 'sources',
  }
  const { traceId, found } = await findMemories(context, principal, wanted, options)
  const { explanation, memories, notice } = found
  if (explanation === undefined) throw new Error('a recall that was to explain itself did not')
  const terms = new Set(explanation.words.map(({ term }) => term))
  const results = memories.map((memory) => exploredMemory(memory, explanation, terms))
  return {
    traceId,
    results,
    understood: understood(explanation, results),
    sources: counted(results.map(({ source }) => source)).map(([source, count]) => ({ source, count })),
    people: counted(results.flatMap(({ participants }) => [...new Set(participants)]))
      .slice(0, MOST_PEOPLE)
      .map(([name, count]) => ({ name, count })),
    notice,
  }
}

function exploredMemory(
  memory: RecalledMemory,
  { titleOf, whyOf }: Explanation,
  terms: ReadonlySet<string>,
): ExploredMemory {
  const { row, score, copies, supersededBy, supersedes } = memory
  const { headline, narrative, body, participants = [], when, where, tags = [] } = row.content
  return {
    customId: customId(row),
    itemId: row.itemId,
    source: row.sourceType,
    score,
    title: titleOf(row),
    headline,
    narrative,
    body,
    participants,
    when,
    at: row.at === undefined ? undefined : new Date(row.at),
    where: where ?? undefined,
    tags,
    url: row.url,
    copies: copies.map(memoryCopy),
    supersededBy: supersededBy && otherMemory(supersededBy),
    supersedes: supersedes.map(otherMemory),
    matches: {
      headline: matchedSpans(headline ?? '', terms),
      narrative: matchedSpans(narrative ?? '', terms),
      body: matchedSpans(body ?? '', terms),
    },
    why: whyOf(memory),
  }
}

function otherMemory(row: RecalledMemory['row']): OtherMemory {
  return { ...supersededMemory(row), source: row.sourceType }
}

function understood({ query, words }: Explanation, results: readonly ExploredMemory[]): Understood {
  const texts = results.flatMap(({ headline = '', narrative = '', body = '', participants }) => [
    body,
    headline,
    narrative,
    ...participants,
  ])
  const byWord = new Map<string, UnderstoodWord>()
  for (const { word, term, weight, isGuessed } of words) {
    const known = byWord.get(word) ?? { word, weight: 0, takenAs: [] }
    const taken = isGuessed ? [wordOf(term, texts) ?? term] : []
    byWord.set(word, { word, weight: known.weight + weight, takenAs: [...known.takenAs, ...taken] })
  }
  return {
    since: query.time?.since,
    until: query.time?.until,
    sources: query.namedSources,
    words: [...byWord.values()],
  }
}

/** Most frequent first. */
function counted<Value>(values: readonly Value[]): (readonly [Value, number])[] {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}
