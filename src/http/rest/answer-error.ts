import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../lib/log.ts'
import type { Service } from '../../service/service.ts'
import { outOfFiles } from './out-of-files.ts'
import { problemOf, sendProblem } from './problem.ts'

/** As `answerError`; but what fails while the store cannot be used is no defect: 503, and a retry makes sense. */
export async function answerUnexpected(
  service: Service,
  log: Log,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!problemOf(error).isDefect || outOfFiles(error) !== undefined) return answerError(log, error, request, reply)
  const storeProblem = await service.health().then(
    () => undefined,
    (cause: unknown) => cause,
  )
  return answerError(log, storeProblem ?? error, request, reply)
}

/** Answers with `{detail}`; a defect goes to the log, and the caller is told none of it. */
export function answerError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const shortage = outOfFiles(error)
  const problem = problemOf(shortage ?? error)
  if (problem.isDefect || shortage !== undefined)
    log.error({ err: error, traceId: request.id, route: request.routeOptions.url }, 'request failed')
  return sendProblem(reply, problem)
}
