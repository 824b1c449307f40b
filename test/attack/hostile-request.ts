import { oneOf } from '../lib/seeded-random.ts'
import { between, type Random } from './attack.ts'
import { hostileBytes, hostileJson, hostileJsonText, hostileText } from './hostile-values.ts'
import type { Route } from './requests.ts'

export interface Caller {
  readonly kind: string
  readonly headers: readonly string[]
}

export interface HostileRequest {
  readonly method: string
  readonly bytes: Buffer
  /** Its frame was broken: the server may end the connection without an answer. */
  readonly isDamaged: boolean
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'] as const
const TYPES: readonly string[] = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'text/plain',
  'text/event-stream',
  'application/octet-stream',
  'application/jsonp; a="',
  '*/*',
]
const HEADERS: readonly string[] = [
  'origin: https://evil.test',
  'origin: null',
  'sec-fetch-site: cross-site',
  'x-forwarded-for: 127.0.0.1, ::1, evil',
  'x-forwarded-host: evil.test',
  'x-forwarded-proto: javascript',
  'forwarded: for="[::1]";host=evil.test',
  'x-http-method-override: DELETE',
  'accept: application/xml',
  'accept-encoding: gzip;q=x, br, *;q=0',
  'content-encoding: gzip',
  'range: bytes=0-,5-1,-99999999999',
  'if-none-match: *',
  'expect: something',
  'upgrade: websocket',
  'x-account-id: __proto__',
  'mcp-protocol-version: 9999-99-99',
  'mcp-session-id: ../../x',
  'last-event-id: 1',
  'traceparent: 00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-01',
  'cookie: a=b; a=c; =; recalld',
  'authorization: Bearer',
  'authorization: Basic OjpB',
]

/** A request to a route, with at least something that nobody expects. */
export function hostileRequest(
  random: Random,
  { route, caller, port }: { route: Route; caller: Caller; port: number },
): HostileRequest {
  const method = random() < 0.85 ? route.method : oneOf(random, METHODS)
  const { type, body } = hostileBody(random, route, method)
  const extra = Array.from({ length: between(random, 0, 2) }, () => oneOf(random, HEADERS))
  const lines = [
    `${method} ${hostilePath(random, route)} HTTP/1.1`,
    `host: ${random() < 0.97 ? `127.0.0.1:${port}` : oneOf(random, ['evil.test', '', 'localhost:99999', '[::'])}`,
    'connection: close',
    ...caller.headers,
    ...extra,
    ...(type === undefined ? [] : [`content-type: ${type}`]),
    ...(body.length === 0 && method === 'GET' ? [] : [`content-length: ${body.length}`]),
  ]
  const isOdd = extra.some((line) => /^(?:expect|upgrade|content-encoding)/.test(line))
  const whole = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
  if (random() >= 0.12) return { method, bytes: whole, isDamaged: isOdd }
  return { method, bytes: damaged(random, whole), isDamaged: true }
}

function hostilePath(random: Random, { path }: Route): string {
  const filled = path.replace(/:\w+/g, () => encoded(random, hostileText(random)))
  const query = Array.from({ length: random() < 0.5 ? 0 : between(random, 1, 4) }, () => {
    const name = oneOf(random, [
      'source_type',
      'item_id',
      'limit',
      'offset',
      'start_date',
      'days',
      'text',
      'states',
      'a',
    ])
    return `${name}=${encoded(random, hostileText(random))}`
  })
  const around =
    random() < 0.95 ? filled : oneOf(random, [`/${filled}`, `${filled}/`, `${filled}%2f`, `${filled};a`, '*'])
  return query.length === 0 ? around : `${around}?${query.join('&')}`
}

/** For a line of the head: percent-encoded, or as bytes where those end no line. */
function encoded(random: Random, text: string): string {
  if (random() < 0.7) return encodeURIComponent(text.toWellFormed())
  return text.replace(/[^!-~]/g, '%00')
}

function hostileBody(random: Random, route: Route, method: string): { type: string | undefined; body: Buffer } {
  if (method === 'GET' && random() < 0.9) return { type: undefined, body: Buffer.alloc(0) }
  if (route.area === 'mcp') return { type: 'application/json', body: Buffer.from(rpcText(random)) }
  if (route.path === '/v1/memorize' || route.path.endsWith('/upload') || random() < 0.15) return multipart(random)
  const kind = random()
  if (kind < 0.75) return { type: 'application/json', body: Buffer.from(hostileJsonText(random)) }
  return { type: oneOf(random, TYPES), body: hostileBytes(random, 300) }
}

function multipart(random: Random): { type: string; body: Buffer } {
  const end = random() < 0.9 ? '--b--\r\n' : ''
  const part = () => {
    const name = oneOf(random, ['file', 'user_name', 'source_type', 'item_id', 'on_conflict', 'text', '__proto__', ''])
    const file = name === 'file' ? `; filename="${quotable(hostileText(random))}"` : ''
    const value = name === 'file' ? hostileBytes(random, 500) : Buffer.from(hostileText(random))
    const head = `--b\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), value, Buffer.from('\r\n')])
  }
  const parts = Array.from({ length: between(random, 0, 6) }, part)
  const whole = Buffer.concat([...parts, Buffer.from(end)])
  const body = random() < 0.85 ? whole : damaged(random, whole)
  return { type: 'multipart/form-data; boundary=b', body }
}

function quotable(text: string): string {
  return text.replace(/["\r\n\0]/g, '_')
}

const RPC_METHODS = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'prompts/get'],
  ...['completion/complete', 'notifications/cancelled', 'logging/setLevel', 'server/discover', '__proto__', ''],
]
const TOOLS = ['recall', 'ask', 'open', 'search', 'fetch', 'memorize', 'forget', 'constructor', '']

function rpcText(random: Random): string {
  if (random() < 0.15) return hostileJsonText(random)
  const message = () => ({
    jsonrpc: random() < 0.95 ? '2.0' : hostileJson(random),
    id: random() < 0.9 ? between(random, 1, 99) : hostileJson(random),
    method: oneOf(random, RPC_METHODS),
    params:
      random() < 0.6
        ? { name: oneOf(random, TOOLS), uri: hostileText(random), arguments: hostileJson(random) }
        : hostileJson(random),
  })
  return JSON.stringify(random() < 0.8 ? message() : Array.from({ length: between(random, 0, 120) }, message))
}

function damaged(random: Random, whole: Buffer): Buffer {
  const bytes = Buffer.from(whole)
  const kind = random()
  if (kind < 0.3) return bytes.subarray(0, between(random, 0, bytes.length))
  if (kind < 0.7) {
    for (let n = between(random, 1, 8); n > 0 && bytes.length > 0; n--)
      bytes[between(random, 0, bytes.length - 1)] = between(random, 0, 255)
    return bytes
  }
  const at = between(random, 0, bytes.length)
  const more = oneOf(random, [
    '\r\n\r\n',
    'content-length: 5\r\n',
    'transfer-encoding: chunked\r\n',
    '\r\ncontent-length: -1\r\n',
    '\0',
    `x: ${'y'.repeat(70_000)}\r\n`,
  ])
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(more), bytes.subarray(at)])
}
