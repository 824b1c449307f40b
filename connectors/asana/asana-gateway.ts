import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { cutOff, unreachable } from '../../src/connector/lost-answer.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type TokenAccess, tokenAccess } from '../../src/connector/token-access.ts'
import { type AsanaEvent, eventsAnswer, FIELDS, lostSyncAnswer, pageAnswer, recordAnswer } from './asana-answers.ts'
import type { AsanaConfig } from './asana-config.ts'
import { type Asked, lastingFailure, passingFailure, type RawAnswer } from './asana-failure.ts'
import { ASANA_FAMILY } from './asana-oauth.ts'

export const ASANA_SCOPES = [
  'tasks:read',
  'projects:read',
  'stories:read',
  'users:read',
  'workspaces:read',
  'teams:read',
] as const

/** A personal access token from the configuration, otherwise the grant. The first call throws its errors. */
function asanaAccess(context: CheckContext<AsanaConfig>): TokenAccess {
  return tokenAccess(context, { provider: 'asana', family: ASANA_FAMILY, scopes: ASANA_SCOPES }, 'Asana')
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

interface ProjectEvents {
  readonly events: readonly AsanaEvent[]
  /** `undefined`: Asana returned none. */
  readonly sync: string | undefined
}

/** Asana itself gives up after 60 s. */
const TIMEOUT_MS = 70_000
/** Asana's maximum. */
const PER_PAGE = '100'
/** How often a listing is started before its expiring offsets end the run. */
const MOST_BEGINNINGS = 3
const NOT_THERE: ReadonlySet<number> = new Set([404, 410])

/** Asana's API as this connector uses it: plain data, parsed by a schema, or a `SourceError`. */
export class AsanaGateway {
  readonly #context: CheckContext<AsanaConfig>
  readonly #access: TokenAccess
  readonly #base: string
  #serverTime: Date | undefined

  /** Never throws; the first request throws errors of the token. */
  constructor(context: CheckContext<AsanaConfig>) {
    this.#context = context
    this.#access = asanaAccess(context)
    this.#base = context.config.api_url.replace(/\/*$/, '/')
  }

  /** The time of Asana's last response, or of this machine if that is earlier. */
  now(): Date {
    return new Date(Math.min(this.#context.clock().getTime(), this.#serverTime?.getTime() ?? Number.POSITIVE_INFINITY))
  }

  /** One record; `undefined` when it does not exist or the token has no access. */
  async one<T>(schema: z.ZodType<T>, request: AsanaRequest): Promise<T | undefined> {
    const answer = await this.#send(request)
    if (NOT_THERE.has(answer.status) && !request.isEssential) return undefined
    return this.#parsed(recordAnswer.extend({ data: schema }), answer, request).data
  }

  /** All records of a listing. Some come twice if it had to be restarted. */
  async *list<T>(schema: z.ZodType<T>, request: AsanaRequest): AsyncGenerator<T> {
    const page = pageAnswer.extend({ data: z.array(schema) })
    let offset: string | undefined
    for (let beginnings = 1; ; ) {
      const answer = await this.#send({ ...request, query: { ...request.query, limit: PER_PAGE, offset } })
      if (answer.status === 400 && offset !== undefined && beginnings < MOST_BEGINNINGS) {
        // The offset has expired, so the listing starts again.
        beginnings += 1
        offset = undefined
        continue
      }
      if (answer.status === 400 && offset !== undefined) {
        throw new SourceError('retry', `Asana ended ${request.asked} early ${beginnings} times.`)
      }
      const { data, next_page: next } = this.#parsed(page, answer, request)
      yield* data
      if (!next) return
      if (next.offset === offset) {
        throw new SourceError('retry', `Asana keeps returning the same page of ${request.asked}.`)
      }
      offset = next.offset
    }
  }

  /** All records of a listing together, each once, in the order of the listing. */
  async all<T extends { readonly gid: string }>(schema: z.ZodType<T>, request: AsanaRequest): Promise<T[]> {
    const found = new Map<string, T>()
    for await (const record of this.list(schema, request)) found.set(record.gid, record)
    return [...found.values()]
  }

  /** Events since `sync` with the next token; without `sync`, only the token. */
  async events(project: string, sync: string | undefined, asked: string): Promise<ProjectEvents> {
    const events: AsanaEvent[] = []
    for (let from = sync; ; ) {
      const query = { resource: project, sync: from }
      const request = { path: 'events', query, fields: FIELDS.event, asked, isOptional: true }
      const answer = await this.#send(request)
      // Asana returns the first token in a 412 response.
      if (answer.status === 412 && sync === undefined) {
        return { events, sync: lostSyncAnswer.safeParse(answer.data).data?.sync }
      }
      const page = this.#parsed(eventsAnswer, answer, request)
      events.push(...page.data)
      if (!page.has_more) return { events, sync: page.sync }
      if (page.sync === from) throw new SourceError('retry', `Asana returns the pages of ${asked} in a loop.`)
      from = page.sync
    }
  }

  async #send({ path, query = {}, fields, ...about }: AsanaRequest): Promise<RawAnswer> {
    const url = new URL(`${this.#base}${path}`)
    for (const [name, value] of Object.entries({ ...query, opt_fields: fields })) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    const { signal, clock } = this.#context
    const asked = { ...about, now: clock() }
    const token = await this.#access.token(signal)
    const answer = await this.#attempt(url, token, asked)
    const other = answer.status === 401 ? await this.#access.replace(token, signal) : undefined
    return other === undefined ? answer : this.#attempt(url, other, asked)
  }

  async #attempt(url: URL, token: string, asked: Asked): Promise<RawAnswer> {
    const { signal, clock, requests } = this.#context
    signal.throwIfAborted()
    return requests.call('api', async (ofCall) => {
      const answer = await fetchAnswer(url, token, AbortSignal.any([ofCall, signal]), asked)
      const date = Date.parse(answer.headers.get('date') ?? '')
      if (Number.isFinite(date)) this.#serverTime = new Date(date)
      const failure = passingFailure(answer, { ...asked, now: clock() })
      if (failure !== undefined) throw failure
      return answer
    })
  }

  #parsed<T>(schema: z.ZodType<T>, answer: RawAnswer, request: AsanaRequest): T {
    if (answer.status !== 200 || answer.data === undefined) {
      throw lastingFailure(answer, { ...request, now: this.#context.clock() })
    }
    const result = schema.safeParse(answer.data)
    if (result.success) return result.data
    throw new SourceError(
      'retry',
      `Asana sent an unexpected response for ${request.asked}. Check api_url, or update recalld.`,
    )
  }
}

async function fetchAnswer(url: URL, token: string, signal: AbortSignal, { asked }: Asked): Promise<RawAnswer> {
  const lost = (error: typeof unreachable) => (cause: unknown) => {
    signal.throwIfAborted()
    throw error({ title: 'Asana', asked, cause })
  }
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch(lost(unreachable))
  return { status: answer.status, headers: answer.headers, data: json(await answer.text().catch(lost(cutOff))) }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
