import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** A request below /v1.0. */
export interface GraphCall {
  readonly method: string
  /** `/me/messages`, decoded part by part. */
  readonly path: string
  /** The parts of the path that braces stand for, decoded. */
  readonly parts: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly server: GraphServer
}

export interface GraphReply {
  readonly status?: number
  /** Bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type GraphHandler = (call: GraphCall) => GraphReply

export interface GraphFault extends GraphReply {
  /** Of the path and query below /v1.0, as sent. */
  readonly on: RegExp
  /** How many requests it meets; all when absent. */
  readonly times?: number
  /** How many requests it lets through first. */
  readonly after?: number
  /** Ends the connection in the middle of the answer. */
  readonly cutOff?: boolean
  /** Never answers. */
  readonly hangs?: boolean
}

interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly names: readonly string[]
  readonly handler: GraphHandler
  readonly isOpen: boolean
}

interface ActiveFault {
  readonly fault: GraphFault
  seen: number
}

export const GRAPH_TOKEN = 'graph-token'
const VERSION = '/v1.0'

/**
 * A made-up Microsoft Graph on 127.0.0.1. It knows who asks and nothing else: mail, calendars, chats and drives are added
 * by their own files, which register handlers.
 */
export class GraphServer implements AsyncDisposable {
  readonly url: string
  /** What is taken as `Authorization: Bearer`. */
  readonly tokens = new Set([GRAPH_TOKEN])
  readonly requests: { readonly path: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[] =
    []
  user = { id: '5f1c7d1e-0000-4000-8000-00000000ada0', displayName: 'Ada Lovelace', mail: 'ada@acme.test' }
  tenant: string | undefined = 'aaaabbbb-0000-4000-8000-00000000acee'
  readonly #routes: Route[] = []
  readonly #faults: ActiveFault[] = []
  readonly #server: Server
  /** Its host and port as the last request named them, which differ behind a server that delays answers. */
  #host: string

  private constructor(server: Server, port: number) {
    this.#server = server
    this.#host = `127.0.0.1:${port}`
    this.url = `http://${this.#host}/`
    this.on('/me', () => ({ body: { ...this.user, userPrincipalName: this.user.mail } }))
    this.on('/organization', () => (this.tenant === undefined ? FORBIDDEN : { body: { value: [{ id: this.tenant }] } }))
  }

  static async start(): Promise<GraphServer> {
    const server = createServer((request, response) => void started.#serve(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port')
    const started = new GraphServer(server, address.port)
    return started
  }

  /** The settings of a connection to it. */
  get settings(): { name: string; token: string; api_url: string } {
    return { name: 'test', token: GRAPH_TOKEN, api_url: this.url }
  }

  /** Answers GET; a later one for the same path goes before. @param pattern `/me/mailFolders/{id}/messages/delta` */
  on(pattern: string, handler: GraphHandler, method = 'GET'): void {
    this.#route(pattern, handler, method, false)
  }

  /** Answers without `Authorization`, and refuses it, as pre-signed addresses do. The address to it. */
  open(pattern: string, handler: GraphHandler): string {
    this.#route(pattern, handler, 'GET', true)
    return `${this.url}v1.0${pattern}`
  }

  /** From now on; the last one that fits counts. */
  fail(fault: GraphFault): void {
    this.#faults.unshift({ fault, seen: 0 })
  }

  /** No faults any more. */
  heal(): void {
    this.#faults.length = 0
  }

  /** An absolute link, as `@odata.nextLink` is. @param path below /v1.0, with its query */
  link(path: string): string {
    return `http://${this.#host}/v1.0${path}`
  }

  /** Requests whose path and query below /v1.0 fit. */
  count(pattern: RegExp): number {
    return this.requests.filter(({ url }) => pattern.test(url)).length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #route(pattern: string, handler: GraphHandler, method: string, isOpen: boolean): void {
    const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const source = pattern
      .split(/\{\w+\}/)
      .map((text) => RegExp.escape(text))
      .join('([^/]+)')
    this.#routes.unshift({ method, pattern: new RegExp(`^${source}$`), names, handler, isOpen })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#host = request.headers.host ?? this.#host
    const body = await textOf(request)
    const url = new URL(request.url ?? '/', this.url)
    const below = url.pathname.startsWith(`${VERSION}/`) ? url.pathname.slice(VERSION.length) : undefined
    const sent = `${below ?? url.pathname}${url.search}`
    this.requests.push({ path: below ?? url.pathname, url: decodeURIComponent(sent), headers: request.headers })
    const fault = this.#fault(decodeURIComponent(sent))
    if (fault?.hangs) return
    const reply = fault && !fault.cutOff ? fault : this.#answer(request, url, below, body)
    await send(response, reply, fault?.cutOff ?? false)
  }

  #fault(sent: string): GraphFault | undefined {
    for (const active of this.#faults) {
      const { on, after = 0, times = Number.POSITIVE_INFINITY } = active.fault
      if (!on.test(sent)) continue
      active.seen += 1
      if (active.seen > after && active.seen <= after + times) return active.fault
    }
    return undefined
  }

  #answer(request: IncomingMessage, url: URL, below: string | undefined, body: string): GraphReply {
    const { method = 'GET', headers } = request
    if (below === undefined) return graphError(404, 'ResourceNotFound', 'Resource not found for the segment.')
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    for (const { pattern, names, handler, isOpen, ...route } of this.#routes) {
      const match = route.method === method ? pattern.exec(below) : null
      if (match === null) continue
      if (isOpen && token !== undefined) return graphError(401, 'unauthenticated', 'No token belongs here.')
      if (!isOpen && !this.tokens.has(token ?? '')) return UNAUTHORIZED
      const parts = Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? '')]))
      return handler({
        method,
        path: decodeURIComponent(below),
        parts,
        query: url.searchParams,
        headers,
        body,
        server: this,
      })
    }
    return graphError(400, 'BadRequest', `Resource not found for the segment '${below}'.`)
  }
}

/** An error in the form in which Graph says it. */
export function graphError(status: number, code: string, message = 'It went wrong.'): GraphReply {
  return { status, body: { error: { code, message, innerError: { 'request-id': 'r1', date: '2026-11-20T10:00:00' } } } }
}

/** The properties that `$select` names; `id` and annotations are always there. */
export function selected(entity: Readonly<Record<string, unknown>>, select: string | null): Record<string, unknown> {
  if (select === null) return { ...entity }
  const names = new Set(select.split(',').map((name) => name.trim()))
  return Object.fromEntries(
    Object.entries(entity).filter(([name]) => name === 'id' || name.startsWith('@') || names.has(name)),
  )
}

const UNAUTHORIZED = graphError(401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.')
const FORBIDDEN = graphError(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.')

async function send(
  response: ServerResponse,
  { status = 200, body, headers }: GraphReply,
  cutOff: boolean,
): Promise<void> {
  const isBytes = body instanceof Uint8Array
  const bytes = isBytes ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body))
  const type = isBytes ? 'application/octet-stream' : 'application/json; odata.metadata=minimal'
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.byteLength, ...headers })
  if (!cutOff) {
    response.end(bytes)
    return
  }
  response.write(bytes.subarray(0, Math.floor(bytes.byteLength / 2)), () => response.destroy())
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
