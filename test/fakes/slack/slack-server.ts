import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { FakeSlack } from './fake-slack.ts'
import { type ApiAnswer, type ApiCaller, slackApi } from './slack-api.ts'
import { type SlackSockets, slackSockets } from './slack-sockets.ts'

/** What a request gets instead of its answer. */
export type SlackFault =
  | { readonly kind: 'limited'; readonly retryAfter?: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'refused'; readonly error: string }
  /** The connection ends in the middle of the answer. */
  | { readonly kind: 'cut' }
  /** The answer begins and never ends. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'redirect'; readonly to: string }

export interface SlackServer extends AsyncDisposable {
  /** `http://127.0.0.1:port/api/` */
  readonly url: string
  readonly token: string
  /** Its Socket Mode. */
  readonly sockets: SlackSockets
  /** Every request, oldest first. */
  readonly log: { readonly method: string; readonly params: Readonly<Record<string, string>> }[]
  /** Called before each answer, as when somebody writes between two pages. */
  onRequest: ((method: string) => unknown) | undefined
  /** What is answered instead, as by other implementations of the API. */
  alter: ((method: string, answer: ApiAnswer) => object) | undefined
  /** The next request of this method, the one after so many others, or the next one for a thread fails. */
  fault(method: string, fault: SlackFault, where?: number | { readonly thread: string }): void
  /** Ends all faults that have not come yet. */
  calm(): void
  /** How many requests of a method came since the last `log.length = 0`. */
  count(method: string): number
  /** The token is not taken any more. */
  revoke(error?: string): void
}

export interface SlackServerOptions {
  readonly isBot?: boolean
  readonly userId?: string
  /** `untold`: all of them, and no answer says so. */
  readonly scopes?: readonly string[] | 'untold'
  readonly token?: string
  /** Which tokens are taken, where it is not always the same. */
  readonly accepts?: (token: string) => boolean
  readonly visibleFrom?: string
  readonly organization?: ApiCaller['organization']
  /** Most messages in an answer. */
  readonly mostMessages?: number
  /** As for apps outside the marketplace: 15 messages per page, and one request a minute of this clock. */
  readonly strict?: { readonly clock: () => Date }
}

const KINDS = ['channels', 'groups', 'im', 'mpim']
const ALL_SCOPES = [...KINDS.flatMap((kind) => [`${kind}:read`, `${kind}:history`]), 'users:read', 'usergroups:read']
const STRICT_PAGE = 15
const STRICT_SECONDS = 60
const MOST_MESSAGES = 999

/** Slack's Web API over the state of a fake Slack, on this machine. */
export async function slackServer(fake: FakeSlack, options: SlackServerOptions = {}): Promise<SlackServer> {
  const log: SlackServer['log'] = []
  const faults: { method: string; fault: SlackFault; after: number; thread?: string }[] = []
  const lastStrict = new Map<string, number>()
  const token = options.token ?? 'xoxp-made-up'
  let revoked: string | undefined
  const tellsScopes = options.scopes !== 'untold'
  const scopes = options.scopes === 'untold' ? ALL_SCOPES : (options.scopes ?? ALL_SCOPES)
  const caller = {
    userId: options.userId ?? 'U0ADA',
    isBot: options.isBot ?? false,
    scopes,
    mostMessages: options.mostMessages ?? (options.strict ? STRICT_PAGE : MOST_MESSAGES),
    ...(options.organization && { organization: options.organization }),
    ...(options.visibleFrom !== undefined && { visibleFrom: options.visibleFrom }),
  }

  function takeFault(method: string, ts: string | null): SlackFault | undefined {
    const at = faults.findIndex(({ method: planned, thread = ts }) => planned === method && thread === ts)
    const planned = faults[at]
    if (planned === undefined) return undefined
    if (planned.after > 0) {
      planned.after -= 1
      return undefined
    }
    faults.splice(at, 1)
    return planned.fault
  }

  /** Seconds until the strict regime lets the method pass. */
  function strictWait(method: string): number {
    if (options.strict === undefined || !/^conversations\.(history|replies)$/.test(method)) return 0
    const now = options.strict.clock().getTime() / 1000
    const wait = (lastStrict.get(method) ?? Number.NEGATIVE_INFINITY) + STRICT_SECONDS - now
    if (wait <= 0) lastStrict.set(method, now)
    return Math.max(0, Math.ceil(wait))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = (request.url ?? '').replace(/^\/api\//, '')
    const params = new URLSearchParams(await bodyOf(request))
    log.push({ method, params: Object.fromEntries(params) })
    self.onRequest?.(method)
    if (method === 'apps.connections.open') return send(response, sockets.open(bearer(request)), undefined)
    const wait = strictWait(method)
    const fault =
      takeFault(method, params.get('ts')) ?? (wait > 0 ? ({ kind: 'limited', retryAfter: wait } as const) : undefined)
    if (fault !== undefined && fault.kind !== 'refused') return failAs(fault, response)
    const sent = bearer(request)
    const isKnown = options.accepts?.(sent) ?? sent === token
    const refusal = fault?.error ?? (isKnown ? revoked : 'invalid_auth')
    const plain = refusal ? { ok: false, error: refusal } : slackApi(fake, method, params, caller)
    send(response, self.alter?.(method, plain) ?? plain, tellsScopes ? scopes : undefined)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets = slackSockets(server, fake)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const self: SlackServer = {
    url: `http://127.0.0.1:${address.port}/api/`,
    token,
    sockets,
    log,
    onRequest: undefined,
    alter: undefined,
    calm() {
      faults.length = 0
    },
    fault: (method, fault, where = 0) =>
      faults.push({ method, fault, ...(typeof where === 'number' ? { after: where } : { after: 0, ...where }) }),
    count: (method) => log.filter((entry) => entry.method === method).length,
    revoke: (error = 'token_revoked') => {
      revoked = error
    },
    async [Symbol.asyncDispose]() {
      sockets.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  return self
}

function bearer({ headers }: IncomingMessage): string {
  return headers.authorization?.replace(/^Bearer /, '') ?? ''
}

function failAs(fault: Exclude<SlackFault, { kind: 'refused' }>, response: ServerResponse): void {
  switch (fault.kind) {
    case 'limited':
      response.writeHead(429, fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) })
      response.end()
      return
    case 'status':
      response.writeHead(fault.status).end('<html>out of order</html>')
      return
    case 'redirect':
      response.writeHead(302, { location: fault.to }).end()
      return
    default:
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"ok":true,"messages":[{"ts":"17', () => fault.kind === 'cut' && response.destroy())
  }
}

function send(response: ServerResponse, answer: object, scopes: readonly string[] | undefined): void {
  const told = scopes && { 'x-oauth-scopes': scopes.join(',') }
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...told })
  response.end(JSON.stringify(answer))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
