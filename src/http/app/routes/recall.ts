import type { FastifyReply } from 'fastify'
import { AppError } from '../../../domain/errors.ts'
import type { ExploreQuery } from '../../../service/explore.ts'
import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { askQuestion, type RecallQuestion, recallQuestion } from '../schemas/recall.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

/** For the first page: memories with explanations, answers with their citations, and counts. */
export function recallRoutes(scope: ApiServer, { explore }: Service): void {
  const recall = routeFor('member', { body: recallQuestion })
  scope.post('/app/api/recall', recall, async (request, reply): Promise<AnswerOf<'POST /recall'>> => {
    const { principal } = viewerOf(request)
    const options = { signal: goneSignal(reply), traceId: request.id }
    return explore.recall(principal, exploreQuery(request.body), options)
  })

  const ask = routeFor('member', { body: askQuestion })
  scope.post('/app/api/ask', ask, async (request, reply): Promise<AnswerOf<'POST /ask'>> => {
    const { principal } = viewerOf(request)
    const { text, context } = request.body
    const question = { text, ...(context !== undefined && { context }) }
    return explore.ask(principal, question, { signal: goneSignal(reply), traceId: request.id })
  })

  scope.get('/app/api/overview', routeFor('member'), async (request): Promise<AnswerOf<'GET /overview'>> => {
    return explore.overview(viewerOf(request).principal)
  })
}

/**
 * Aborted when the browser no longer waits, for example after the question was changed, so that no model is called in
 * vain.
 */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort(new AppError('invalid', 'The client disconnected'))
  })
  return gone.signal
}

function exploreQuery(question: RecallQuestion): ExploreQuery {
  const { text, context, sources, since, until, as_of: asOf, person, connector, tag, limit, ignore, preview } = question
  return {
    text,
    ...(context !== undefined && { context }),
    ...(ignore && { ignored: ignore }),
    ...(preview !== undefined && { isPreview: preview }),
    ...(sources && { sources }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(asOf !== undefined && { asOf }),
    ...(person !== undefined && person !== '' && { person }),
    ...(connector !== undefined && connector !== '' && { connector }),
    ...(tag !== undefined && tag !== '' && { tag }),
    ...(limit !== undefined && { limit }),
  }
}
