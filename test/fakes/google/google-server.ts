import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What requests to a path get instead of their answer. */
export interface GoogleFault {
  readonly path: RegExp
  /** So many requests are answered before; 0 when absent. */
  readonly after?: number
  /** 1 when absent. */
  readonly times?: number
  readonly status?: number
  /** As in `error.errors[].reason`. */
  readonly reason?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of an error of Google's form. */
  readonly body?: string
  /** Only of requests with such a query. */
  readonly query?: RegExp
  /** The connection ends in the middle of the answer. */
  readonly isCut?: boolean
}

export interface GoogleCall {
  readonly method: string
  /** Without the query, decoded. */
  readonly path: string
  readonly query: URLSearchParams
  /** Of the pattern, decoded. */
  readonly groups: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface GoogleReply {
  /** 200 when absent. */
  readonly status?: number
  /** An object becomes JSON; a text or bytes are sent as they are. */
  readonly body?: unknown
  readonly type?: string
}

type Handler = (call: GoogleCall) => GoogleReply

/** Answers with an error in the form of Google. */
export function googleError(status: number, reason: string, message = reason): GoogleReply {
  return { status, body: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } } }
}

/** A local server that behaves like googleapis.com; the fakes of its APIs add their routes. */
export class GoogleServer implements AsyncDisposable {
  /** Without a slash at its end. */
  url = ''
  now = new Date('2026-03-02T09:00:00Z')
  /** Tokens that are taken. */
  readonly tokens = new Set(['ya29.made-up'])
  readonly token = 'ya29.made-up'
  readonly faults: GoogleFault[] = []
  /** `GET /gmail/v1/users/me/profile`, in order. */
  readonly log: string[] = []
  /** Called before each answer, to change the state in between. */
  meanwhile: ((path: string) => void) | undefined
  readonly #routes: { readonly method: string; readonly pattern: RegExp; readonly handler: Handler }[] = []
  readonly #server = createServer((request, response) => this.#handle(request, response))

  static async start(): Promise<GoogleServer> {
    const server = new GoogleServer()
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    server.url = `http://127.0.0.1:${(server.#server.address() as AddressInfo).port}`
    return server
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** @param path as in the manual: `/gmail/v1/users/me/threads/{id}` */
  route(method: string, path: string, handler: Handler): void {
    const pattern = new RegExp(`^${path.replace(/[.:]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    this.#routes.push({ method, pattern, handler })
  }

  /** The requests since the last call. */
  takeLog(): string[] {
    return this.log.splice(0)
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams: query } = new URL(request.url ?? '', this.url)
      const method = request.method ?? ''
      this.log.push(`${method} ${pathname}`)
      this.meanwhile?.(pathname)
      const fault = this.#takeFault(pathname, query)
      const call = { method, query, headers: request.headers, body: Buffer.concat(chunks).toString() }
      this.#send(response, this.#faulty(fault) ?? this.#answer(pathname, call), fault)
    })
  }

  #takeFault(path: string, query: URLSearchParams): GoogleFault | undefined {
    const at = this.faults.findIndex((fault) => fault.path.test(path) && (fault.query?.test(`${query}`) ?? true))
    const fault = this.faults[at]
    if (fault === undefined) return undefined
    if (fault.after) {
      this.faults.splice(at, 1, { ...fault, after: fault.after - 1 })
      return undefined
    }
    const times = (fault.times ?? 1) - 1
    this.faults.splice(at, 1, ...(times > 0 ? [{ ...fault, times }] : []))
    return fault
  }

  #faulty(fault: GoogleFault | undefined): GoogleReply | undefined {
    if (fault?.status === undefined) return undefined
    if (fault.body !== undefined) return { status: fault.status, body: fault.body, type: 'text/html' }
    return googleError(fault.status, fault.reason ?? 'backendError')
  }

  #answer(pathname: string, call: Omit<GoogleCall, 'path' | 'groups'>): GoogleReply {
    const token = /^Bearer (.+)$/.exec(call.headers.authorization ?? '')?.[1] ?? ''
    if (!this.tokens.has(token)) return googleError(401, 'authError', 'Invalid Credentials')
    for (const { method, pattern, handler } of this.#routes) {
      const match = method === call.method ? pattern.exec(pathname) : null
      if (match === null) continue
      const groups = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
      return handler({ ...call, path: decodeURIComponent(pathname), groups: Object.fromEntries(groups) })
    }
    return googleError(404, 'notFound', `no such method: ${call.method} ${pathname}`)
  }

  #send(response: ServerResponse, { status = 200, body = {}, type }: GoogleReply, fault?: GoogleFault): void {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const bytes = Buffer.from(isRaw ? body : JSON.stringify(body))
    response.writeHead(status, {
      date: this.now.toUTCString(),
      'content-type': type ?? (isRaw ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'),
      'content-length': bytes.length,
      ...fault?.headers,
    })
    if (fault?.isCut) response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
    else response.end(bytes)
  }
}

/** One page of a listing; its token is opaque, and another listing does not take it. */
export function googlePage<T>(
  entries: readonly T[],
  query: URLSearchParams,
  { listing, most, standard }: { readonly listing: string; readonly most: number; readonly standard: number },
): { readonly entries: readonly T[]; readonly nextPageToken?: string } | undefined {
  const asked = Number(query.get('maxResults') ?? query.get('pageSize') ?? standard)
  const size = Math.min(Math.max(asked, 1), most)
  const token = query.get('pageToken')
  const [of, at] = token === null ? [listing, '0'] : Buffer.from(token, 'base64url').toString().split('\n')
  if (of !== listing || !/^\d+$/.test(at ?? '')) return undefined
  const end = Number(at) + size
  const next = Buffer.from(`${listing}\n${end}`).toString('base64url')
  return { entries: entries.slice(Number(at), end), ...(end < entries.length && { nextPageToken: next }) }
}
