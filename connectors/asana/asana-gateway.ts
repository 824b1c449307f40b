import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { asanaAccess } from './asana-access.ts'
import { type AsanaEvent, eventsAnswer, FIELDS, lostSyncAnswer, pageAnswer, recordAnswer } from './asana-answers.ts'
import type { AsanaConfig } from './asana-config.ts'
import { type Asked, lastingFailure, passingFailure, type RawAnswer } from './asana-failure.ts'

/** Asana's API as this connector uses it: plain data, parsed by a schema, or a `SourceError`. */
export interface AsanaGateway {
  /** The time of Asana's latest answer, or of this machine where that is earlier. */
  now(): Date
  /** One record; `undefined` when there is none, or the token cannot see it. */
  one<T>(answer: z.ZodType<T>, request: AsanaRequest): Promise<T | undefined>
  /** All records of a listing. Some come twice when it had to be begun again. */
  list<T>(answer: z.ZodType<T>, request: AsanaRequest): AsyncGenerator<T>
  /** The same together, each record once, in the order of the listing. */
  all<T extends { readonly gid: string }>(answer: z.ZodType<T>, request: AsanaRequest): Promise<T[]>
  /** What happened since `sync`, and the token for what follows; without one, the token alone. */
  events(project: string, sync: string | undefined, asked: string): Promise<Happened>
}

export interface AsanaRequest {
  /** `tasks/123/stories` */
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly fields: string
  /** For messages: `the tasks of Launch`. */
  readonly asked: string
  readonly isEssential?: boolean
  readonly isOptional?: boolean
  readonly remedy?: string
}

export interface Happened {
  readonly events: readonly AsanaEvent[]
  /** `undefined`: Asana gave none. */
  readonly sync: string | undefined
}

/** Asana itself gives up after 60 s. */
const TIMEOUT_MS = 70_000
/** The most that Asana gives. */
const PER_PAGE = '100'
/** Of a listing whose offset ends before its next page is asked for. */
const MOST_BEGINNINGS = 3
const NOT_THERE: ReadonlySet<number> = new Set([404, 410])

/** Errors of the token are thrown by the first request. */
export function asanaGateway(context: CheckContext<AsanaConfig>): AsanaGateway {
  const access = asanaAccess(context)
  const base = context.config.api_url.replace(/\/*$/, '/')
  let serverTime: Date | undefined

  async function attempt(url: URL, token: string, asked: Asked): Promise<RawAnswer> {
    context.signal.throwIfAborted()
    return context.requests.call('api', async (signal) => {
      const answer = await answerOf(url, token, AbortSignal.any([signal, context.signal]), asked)
      const told = Date.parse(answer.headers.get('date') ?? '')
      if (Number.isFinite(told)) serverTime = new Date(told)
      const failure = passingFailure(answer, { ...asked, now: context.clock() })
      if (failure !== undefined) throw failure
      return answer
    })
  }

  async function send({ path, query = {}, fields, ...about }: AsanaRequest): Promise<RawAnswer> {
    const url = new URL(`${base}${path}`)
    for (const [name, value] of Object.entries({ ...query, opt_fields: fields })) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    const asked = { ...about, now: context.clock() }
    const token = await access.token(context.signal)
    const answer = await attempt(url, token, asked)
    const other = answer.status === 401 ? await access.replace(token, context.signal) : undefined
    return other === undefined ? answer : attempt(url, other, asked)
  }

  function parsed<T>(schema: z.ZodType<T>, answer: RawAnswer, request: AsanaRequest): T {
    const { asked } = request
    if (answer.status !== 200 || answer.data === undefined) {
      throw lastingFailure(answer, { ...request, now: context.clock() })
    }
    const result = schema.safeParse(answer.data)
    if (result.success) return result.data
    throw new SourceError(
      'retry',
      `Asana answered ${asked} in a form that is not known: check api_url, or take a newer version of recalld.`,
    )
  }

  async function* list<T>(schema: z.ZodType<T>, request: AsanaRequest): AsyncGenerator<T> {
    const page = pageAnswer.extend({ data: z.array(schema) })
    let offset: string | undefined
    for (let beginnings = 1; ; ) {
      const answer = await send({ ...request, query: { ...request.query, limit: PER_PAGE, offset } })
      if (answer.status === 400 && offset !== undefined && beginnings < MOST_BEGINNINGS) {
        // The offset has ended: another one is only to be had from the beginning.
        beginnings += 1
        offset = undefined
        continue
      }
      if (answer.status === 400 && offset !== undefined) {
        throw new SourceError('retry', `Asana ended the listing of ${request.asked} early, ${beginnings} times.`)
      }
      const { data, next_page: next } = parsed(page, answer, request)
      yield* data
      if (!next) return
      if (next.offset === offset) {
        throw new SourceError('retry', `Asana answers ${request.asked} with the same page again and again.`)
      }
      offset = next.offset
    }
  }

  return {
    now: () => new Date(Math.min(context.clock().getTime(), serverTime?.getTime() ?? Number.POSITIVE_INFINITY)),
    async one(schema, request) {
      const answer = await send(request)
      if (NOT_THERE.has(answer.status) && !request.isEssential) return undefined
      return parsed(recordAnswer.extend({ data: schema }), answer, request).data
    },
    list,
    async all<T extends { readonly gid: string }>(schema: z.ZodType<T>, request: AsanaRequest) {
      const found = new Map<string, T>()
      for await (const record of list(schema, request)) found.set(record.gid, record)
      return [...found.values()]
    },
    async events(project, sync, asked) {
      const events: AsanaEvent[] = []
      for (let from = sync; ; ) {
        const query = { resource: project, sync: from }
        const request = { path: 'events', query, fields: FIELDS.event, asked, isOptional: true }
        const answer = await send(request)
        // So Asana gives the first token.
        if (answer.status === 412 && sync === undefined) {
          return { events, sync: lostSyncAnswer.safeParse(answer.data).data?.sync }
        }
        const page = parsed(eventsAnswer, answer, request)
        events.push(...page.data)
        if (!page.has_more) return { events, sync: page.sync }
        if (page.sync === from) throw new SourceError('retry', `Asana tells ${asked} in a circle.`)
        from = page.sync
      }
    },
  }
}

async function answerOf(url: URL, token: string, signal: AbortSignal, { asked }: Asked): Promise<RawAnswer> {
  try {
    const answer = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    return { status: answer.status, headers: answer.headers, data: json(await answer.text()) }
  } catch (cause) {
    signal.throwIfAborted()
    throw new SourceError('retry', `Asana did not answer ${asked}, or broke off: if that lasts, check the network.`, {
      cause,
    })
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
