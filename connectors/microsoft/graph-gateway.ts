import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type GraphAccess, graphAccess } from './graph-access.ts'
import { belowRoot, type GraphQuery, graphPath } from './graph-address.ts'
import { downloaded } from './graph-download.ts'
import { type AskedOfGraph, type GraphFailure, GraphRefusal, graphFailure } from './graph-failure.ts'
import type { MicrosoftConfig } from './microsoft-config.ts'

/** Microsoft Graph as these connectors use it: plain data, parsed by a schema, or a `SourceError` (`GraphRefusal`). */
export interface GraphGateway {
  /** Where Graph answers and whose grant is used. */
  access(): Promise<GraphAccess>
  /** @param path below the root, its parts encoded: `/me/events/AAMk` */
  get<T>(schema: z.ZodType<T>, path: string, options?: GraphOptions): Promise<T>
  /** As `get`; `undefined` when it is not there (404, 410). */
  find<T>(schema: z.ZodType<T>, path: string, options?: GraphOptions): Promise<T | undefined>
  /**
   * A page of a collection. What does not fit the schema is left out, and counted in the log.
   *
   * @param at a path, or `nextLink` or `deltaLink` of an earlier page, or `location` of a refusal
   * @throws GraphRefusal `restart` when Graph does not take the link any more
   */
  page<T>(entry: z.ZodType<T>, at: string | GraphLink, options?: GraphOptions): Promise<GraphPage<T>>
  /** All entries of a collection, page by page; throws rather than end early. */
  list<T>(entry: z.ZodType<T>, path: string, options?: GraphOptions): AsyncGenerator<T>
  /**
   * The bytes of a file, `undefined` when it is not there.
   *
   * @param at a pre-signed address, which gets no token; or a path that answers with the bytes or redirects to them
   * @throws SourceError `skip` when it is larger than `mostBytes`
   */
  download(at: string, mostBytes: number): Promise<Uint8Array | undefined>
}

export interface GraphOptions {
  readonly query?: GraphQuery
  readonly headers?: Readonly<Record<string, string>>
}

/** Path and query of a link that Graph gave; belongs into a cursor as it is. */
export interface GraphLink {
  readonly link: string
}

export interface GraphPage<T> {
  readonly values: readonly T[]
  /** Absent on the last page. */
  readonly nextLink: string | undefined
  /** Only on the last page of a delta. */
  readonly deltaLink: string | undefined
}

export interface GraphNeed {
  /** What Microsoft counts together: `outlook`, `teams`, `files`. */
  readonly workload: string
  /** Without which the connection cannot work: `Mail.Read`. */
  readonly scopes: readonly string[]
}

interface Request {
  readonly at: string
  readonly isLink: boolean
  readonly headers: Readonly<Record<string, string>>
}

interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Graph gives up on a request itself after about a minute. */
const TIMEOUT_MS = 90_000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const collection = z.looseObject({
  value: z.array(z.unknown()),
  '@odata.nextLink': z.string().nullish(),
  '@odata.deltaLink': z.string().nullish(),
})

const refused = z.looseObject({
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }),
})

export function graphGateway(context: CheckContext<MicrosoftConfig>, { workload, scopes }: GraphNeed): GraphGateway {
  let opened: Promise<GraphAccess> | undefined
  const access = () => {
    opened ??= graphAccess(context, scopes)
    return opened
  }

  /** One request, and once more with another token when the first one is refused. */
  async function attempt(request: Request, signal: AbortSignal): Promise<RawAnswer> {
    const { root, token, replacement } = await access()
    const first = await token(signal)
    const answer = await exchange(`${root}${request.at}`, first, request.headers, signal)
    if (answer.status !== 401) return answer
    const other = await replacement(first, signal)
    return other === undefined ? answer : exchange(`${root}${request.at}`, other, request.headers, signal)
  }

  function call<T>(request: Request, read: (answer: RawAnswer, asked: AskedOfGraph, root: string) => T): Promise<T> {
    context.signal.throwIfAborted()
    return context.requests.call(workload, async (signal) => {
      const both = AbortSignal.any([signal, context.signal])
      const name = decodeURI(request.at.split('?')[0] ?? '').slice(1)
      try {
        const answer = await attempt(request, both)
        return read(answer, { asked: name, isLink: request.isLink, now: context.clock() }, (await access()).root)
      } catch (cause) {
        both.throwIfAborted()
        if (cause instanceof SourceError) throw cause
        const reason = cause instanceof z.ZodError ? 'its answer is not in the known form' : connectionCode(cause)
        throw new SourceError('retry', `Graph did not answer ${name} completely (${reason}).`, { cause })
      }
    })
  }

  function request(at: string | GraphLink, { query, headers = {} }: GraphOptions = {}): Request {
    return typeof at === 'string'
      ? { at: graphPath(at, query), isLink: false, headers }
      : { at: at.link, isLink: true, headers }
  }

  async function page<T>(entry: z.ZodType<T>, at: string | GraphLink, options?: GraphOptions): Promise<GraphPage<T>> {
    const { raw, root } = await call(request(at, options), (answer, asked, root) => ({
      raw: collection.parse(dataOf(answer, asked, root)),
      root,
    }))
    const values = raw.value.flatMap((value) => {
      const parsed = entry.safeParse(value)
      return parsed.success ? [parsed.data] : []
    })
    const left = raw.value.length - values.length
    if (left > 0) context.log.warn({ workload, count: left }, 'records in a form that is not known')
    const { '@odata.nextLink': next, '@odata.deltaLink': delta } = raw
    return {
      values,
      nextLink: next ? belowRoot(next, root) : undefined,
      deltaLink: delta ? belowRoot(delta, root) : undefined,
    }
  }

  async function* list<T>(entry: z.ZodType<T>, path: string, options?: GraphOptions): AsyncGenerator<T> {
    const seen = new Set<string>()
    let { values, nextLink } = await page(entry, path, options)
    for (;;) {
      yield* values
      if (nextLink === undefined) return
      if (seen.has(nextLink)) {
        throw new SourceError('retry', `Graph gives the same page of ${path.slice(1)} again and again.`)
      }
      seen.add(nextLink)
      ;({ values, nextLink } = await page(entry, { link: nextLink }, { headers: options?.headers ?? {} }))
    }
  }

  const gateway: GraphGateway = {
    access,
    get: (schema, path, options) =>
      call(request(path, options), (answer, asked, root) => schema.parse(dataOf(answer, asked, root))),
    async find(schema, path, options) {
      try {
        return await gateway.get(schema, path, options)
      } catch (error) {
        if (isNotThere(error)) return undefined
        throw error
      }
    },
    page,
    list,
    download: (at, mostBytes) => downloaded(at, mostBytes, { context, workload, access }),
  }
  return gateway
}

/** Whether Graph says that what was asked for does not exist (any more). */
export function isNotThere(error: unknown): boolean {
  return error instanceof GraphRefusal && error.remedy === 'skip' && (error.status === 404 || error.status === 410)
}

/**
 * The SDK with a chain of our own: its own one tries again inside the process and sends no token over http. A client of
 * its own for each request, because token and exact address belong to one; it costs microseconds.
 */
async function exchange(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const { Client, HTTPMessageHandler, ResponseType } = await import('@microsoft/microsoft-graph-client')
  const sender = new HTTPMessageHandler()
  const client = Client.initWithMiddleware({
    middleware: {
      // The SDK takes links apart and joins them anew, which loses what is said twice; they are sent as they were given.
      execute: async (request) => {
        request.request = url
        request.options = {
          headers: { accept: 'application/json', ...headers, authorization: `Bearer ${token}` },
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        }
        await sender.execute(request)
      },
    },
  })
  const response: Response = await client.api('/').responseType(ResponseType.RAW).get()
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The parsed answer. @throws GraphRefusal when it is an error */
function dataOf({ status, headers, text }: RawAnswer, asked: AskedOfGraph, root: string): unknown {
  const data = parsed(text)
  if (status >= 200 && status < 300) {
    if (data !== undefined) return data
    if (!/html/i.test(headers.get('content-type') ?? ''))
      throw new SourceError('retry', `Graph cut off ${asked.asked}.`)
    throw new SourceError('reconfigure', `A web page answered ${asked.asked}: set api_url to that of Microsoft Graph.`)
  }
  throw graphFailure(failureOf(status, headers, data, root), asked)
}

function failureOf(status: number, headers: Headers, data: unknown, root: string): GraphFailure {
  const { error } = refused.safeParse(data).data ?? { error: {} }
  const location = headers.get('location')
  if (REDIRECTS.has(status)) return { status, code: 'redirect', message: 'it redirects, which the API does not' }
  return {
    status,
    code: error.code ?? '',
    message: error.message ?? '',
    retryAfter: headers.get('retry-after') ?? undefined,
    location: location === null ? undefined : belowRoot(location, root),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `ECONNREFUSED` lies some causes deep; the messages would name addresses. */
function connectionCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at.name === 'TimeoutError') return `no answer in ${TIMEOUT_MS / 1000} s`
  }
  return 'no connection'
}
