import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../../domain/errors.ts'
import type { Log } from '../../../lib/log.ts'
import type { ExploreQuery } from '../../../service/explore.ts'
import type { Service } from '../../../service/service.ts'
import { problemOf } from '../../rest/problem.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { type AskAnswer, type AskEvent, askQuestion, type RecallQuestion, recallQuestion } from '../schemas/recall.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

/** For the first page: memories with explanations, answers with their citations, and counts. */
export function recallRoutes(scope: ApiServer, { explore }: Service, log: Log): void {
  const recall = routeFor('member', { body: recallQuestion })
  scope.post('/app/api/recall', recall, async (request, reply): Promise<AnswerOf<'POST /recall'>> => {
    const { principal } = viewerOf(request)
    const options = { signal: goneSignal(reply), traceId: request.id }
    return explore.recall(principal, exploreQuery(request.body), options)
  })

  const ask = routeFor('member', { body: askQuestion })
  scope.post('/app/api/ask', ask, async (request, reply): Promise<AnswerOf<'POST /ask'> | FastifyReply> => {
    const { principal } = viewerOf(request)
    const { text, context } = request.body
    const question = { text, ...(context !== undefined && { context }) }
    const options = { signal: goneSignal(reply), traceId: request.id }
    if (!request.headers.accept?.includes(EVENTS)) return explore.ask(principal, question, options)
    const asking = (onDraft: (sentences: string) => void) => explore.ask(principal, question, { ...options, onDraft })
    const onDefect = (err: unknown) => log.error({ err, traceId: request.id }, 'answering a question failed')
    return streamAnswer(reply, asking, onDefect)
  })

  scope.get('/app/api/overview', routeFor('member'), async (request): Promise<AnswerOf<'GET /overview'>> => {
    return explore.overview(viewerOf(request).principal)
  })
}

const EVENTS = 'text/event-stream'

/** As JSON, unless sentences of it come before the answer; then as `AskEvent`s. */
async function streamAnswer(
  reply: FastifyReply,
  ask: (onDraft: (sentences: string) => void) => Promise<AskAnswer>,
  onDefect: (error: unknown) => void,
): Promise<AskAnswer | FastifyReply> {
  const events = new PassThrough()
  const begun = Promise.withResolvers<void>()
  const answering = ask((draft) => {
    events.write(eventText({ draft }))
    begun.resolve()
  })
  const answer = await Promise.race([begun.promise, answering])
  if (answer !== undefined) return answer
  const last = answering.then(
    (answer): AskEvent => ({ answer }),
    (error: unknown): AskEvent => {
      const { status, body, isDefect } = problemOf(error)
      if (isDefect) onDefect(error)
      return { problem: { status, detail: body.detail } }
    },
  )
  void last.then((event) => events.end(eventText(event)))
  return reply.type(`${EVENTS}; charset=utf-8`).header('x-accel-buffering', 'no').send(events)
}

function eventText(event: AskEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
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
