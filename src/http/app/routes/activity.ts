import type { FastifyRequest } from 'fastify'
import type { LiveEvents } from '../../../service/live-events.ts'
import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { activityQuery } from '../schemas/activity.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

/** Activity of the account, for owners and members; members see that others asked, but not what. */
export function activityRoutes(scope: ApiServer, service: Service): void {
  scope.get(
    '/app/api/activity',
    routeFor('member', { querystring: activityQuery }),
    async (request): Promise<AnswerOf<'GET /activity'>> => {
      const { principal, personId, role } = viewerOf(request)
      const { limit, ...query } = request.query
      // One more entry shows whether there is a next page.
      const rows = await service.activity.page(
        { accountId: principal.accountId, personId, role },
        { ...query, limit: limit + 1 },
      )
      const shown = rows.slice(0, limit)
      return {
        entries: shown.map(({ number, at, actor, entry }) => ({ id: number, at: at.toISOString(), actor, entry })),
        next: rows.length > limit ? (shown.at(-1)?.number ?? null) : null,
      }
    },
  )

  scope.get(
    '/app/api/activity/actors',
    routeFor('member'),
    async (request): Promise<AnswerOf<'GET /activity/actors'>> => {
      return { actors: await service.activity.actors(viewerOf(request).principal.accountId) }
    },
  )
}

/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 25_000
/** Maximum per person: many tabs, but no flood. */
const MOST_STREAMS = 50
/** A client that reads nothing for this long is disconnected, and may reconnect. */
const MOST_UNREAD_BYTES = 256 * 1024

/** `GET /app/api/events`: changes as server-sent events, so that pages need not poll. Ends with the session. */
export function eventsRoute(
  scope: ApiServer,
  live: LiveEvents,
  mayGoOn: (request: FastifyRequest) => Promise<boolean>,
): void {
  const open = new Map<string, number>()
  const ends = new Set<() => void>()
  scope.addHook('preClose', async () => {
    for (const end of ends) end()
  })
  scope.get('/app/api/events', routeFor('member'), async (request, reply) => {
    const { personId, principal } = viewerOf(request)
    const { accountId } = principal
    const streams = open.get(personId) ?? 0
    if (streams >= MOST_STREAMS) return reply.code(204).send()
    open.set(personId, streams + 1)
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      ...Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    raw.write('retry: 2000\n\n')
    const end = () => raw.end()
    const endIfOver = () => mayGoOn(request).then((may) => !may && end(), end)
    const leave = live.subscribe(accountId, (event) => {
      raw.write(`data: ${JSON.stringify(event)}\n\n`)
      if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy()
      if (event.type === 'people') void endIfOver()
    })
    const heart = setInterval(() => {
      raw.write(': still here\n\n')
      // Ended by another process, or expired.
      void endIfOver()
    }, HEARTBEAT_MS)
    ends.add(end)
    raw.once('close', () => {
      leave()
      ends.delete(end)
      clearInterval(heart)
      const left = (open.get(personId) ?? 1) - 1
      if (left > 0) open.set(personId, left)
      else open.delete(personId)
    })
    return reply
  })
}
