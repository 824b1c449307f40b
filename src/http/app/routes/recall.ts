import type { FastifyReply } from 'fastify'
import { AppError } from '../../../domain/errors.ts'
import type { Explored, ExploredAnswer, ExploredMemory, ExploreQuery, OtherMemory } from '../../../service/explore.ts'
import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { routeFor } from '../route-for.ts'
import {
  type AskAnswer,
  askQuestion,
  type FoundMemory,
  type Overview,
  type RecallAnswer,
  type RecallQuestion,
  recallQuestion,
} from '../schemas/recall.ts'
import { viewerOf } from '../viewer.ts'

/** What the first page asks: memories with reasons, answers with the memories they cite, and how much there is. */
export function recallRoutes(scope: ApiServer, { explore }: Service): void {
  const recall = routeFor('member', { body: recallQuestion })
  scope.post('/app/api/recall', recall, async (request, reply): Promise<RecallAnswer> => {
    const { principal } = viewerOf(request)
    const options = { signal: goneSignal(reply), traceId: request.id }
    return wireRecall(await explore.recall(principal, exploreQuery(request.body), options))
  })

  const ask = routeFor('member', { body: askQuestion })
  scope.post('/app/api/ask', ask, async (request, reply): Promise<AskAnswer> => {
    const { principal } = viewerOf(request)
    return wireAnswer(await explore.ask(principal, request.body, { signal: goneSignal(reply), traceId: request.id }))
  })

  scope.get('/app/api/overview', routeFor('member'), async (request): Promise<Overview> => {
    const { items, memories, waiting, failed } = await explore.overview(viewerOf(request).principal)
    return { items, memories, waiting, failed }
  })
}

/** Aborted when the browser no longer waits, as when the question was changed: a model is not asked for nobody. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort(new AppError('invalid', 'Nobody waits for the answer any more'))
  })
  return gone.signal
}

function exploreQuery({ text, sources, since, until, person, limit }: RecallQuestion): ExploreQuery {
  return {
    text,
    ...(sources && { sources }),
    ...(since !== undefined && { since: new Date(since) }),
    ...(until !== undefined && { until: new Date(until) }),
    ...(person !== undefined && person !== '' && { person }),
    ...(limit !== undefined && { limit }),
  }
}

function wireRecall({ results, understood, sources, people, notice }: Explored): RecallAnswer {
  return {
    results: results.map(wireMemory),
    understood: {
      since: understood.since?.toISOString() ?? null,
      until: understood.until?.toISOString() ?? null,
      sources: [...understood.sources],
      words: understood.words.map(({ word, weight, takenAs }) => ({ word, weight, taken_as: [...takenAs] })),
    },
    sources: [...sources],
    people: [...people],
    notice: notice ?? null,
  }
}

function wireMemory(memory: ExploredMemory): FoundMemory {
  const { matches, why } = memory
  return {
    custom_id: memory.customId,
    item_id: memory.itemId,
    source: memory.source,
    score: memory.score,
    title: memory.title ?? null,
    headline: memory.headline ?? null,
    narrative: memory.narrative ?? null,
    body: memory.body ?? null,
    participants: [...memory.participants],
    when: memory.when ?? null,
    at: memory.at?.toISOString() ?? null,
    where: memory.where ?? null,
    tags: [...memory.tags],
    url: memory.url ?? null,
    also_in: memory.copies.map(({ title = null, when = null, url = null, ...copy }) => ({ ...copy, title, when, url })),
    superseded_by: memory.supersededBy ? wireOther(memory.supersededBy) : null,
    supersedes: memory.supersedes.map(wireOther),
    matches: { headline: pairs(matches.headline), narrative: pairs(matches.narrative), body: pairs(matches.body) },
    why: {
      parts: [...why.parts],
      words: why.words.map(({ word, weight, where }) => ({ word, weight, where })),
    },
  }
}

function wireOther({ when, ...other }: OtherMemory): FoundMemory['supersedes'][number] {
  return { ...other, when: when ?? null }
}

function pairs(spans: ExploredMemory['matches']['body']): [number, number][] {
  return spans.map(([start, end]) => [start, end])
}

function wireAnswer({ text, abstained, citations, notice }: ExploredAnswer): AskAnswer {
  return {
    response: text,
    abstained,
    citations: citations.map(({ n, item_id, source, quote, customId, title, when, url }) => ({
      n,
      item_id,
      source,
      custom_id: customId ?? null,
      quote,
      title: title ?? null,
      when: when ?? null,
      url: url ?? null,
    })),
    notice: notice ?? null,
  }
}
