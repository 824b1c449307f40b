import { createConnection } from 'node:net'

/** What a test sees of an answer. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed when it is JSON, else the text. */
  readonly body: Record<string, unknown>
  readonly text: string
  readonly bytes: Uint8Array
}

export interface Call {
  readonly method?: string
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
  /** Sent as multipart/form-data; a pair of the same name twice makes a doubled field. */
  readonly form?: readonly (readonly [name: string, value: string | File])[]
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** One request over HTTP, as any client would make it. */
export async function httpCall(url: string, call: Call = {}): Promise<Answer> {
  const headers = new Headers(call.headers)
  if (call.key !== undefined) headers.set('x-api-key', call.key)
  let body: string | Uint8Array<ArrayBuffer> | FormData | undefined = call.body
  if (call.form !== undefined) {
    const form = new FormData()
    for (const [name, value] of call.form) form.append(name, value)
    body = form
  }
  const response = await fetch(url, { method: call.method ?? 'GET', headers, ...(body !== undefined && { body }) })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : {},
    text,
    bytes,
  }
}

/** Writes bytes to the server as they are and reads until it ends the connection or answers whole. */
export function rawCall(port: number, request: string | Uint8Array, endAfter = false): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    let received = ''
    const finish = () => {
      socket.destroy()
      resolve(parseRaw(received))
    }
    socket.setTimeout(60_000, () => {
      socket.destroy()
      reject(new Error(`No whole answer within 60 s; received: ${received.slice(0, 200)}`))
    })
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      if (isWhole(received)) finish()
    })
    socket.on('end', finish)
    socket.on('close', finish)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server may end a connection whose request it refused while bytes are still under way.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') finish()
      else reject(error)
    })
    socket.write(request)
    if (endAfter) socket.end()
  })
}

export interface RawAnswer {
  /** `undefined` when the connection ended without an answer. */
  readonly status: number | undefined
  readonly head: string
  readonly body: string
}

function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0 || /^HTTP\/1\.1 100 /.test(received)) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1]
  return length !== undefined && received.length >= end + 4 + Number(length)
}

/** The first answer; what follows it answers bytes that the server took for a further request. */
function parseRaw(received: string): RawAnswer {
  const text = received.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '')
  const end = text.indexOf('\r\n\r\n')
  const head = end < 0 ? text : text.slice(0, end)
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  return {
    status: status === undefined ? undefined : Number(status),
    head,
    body: end < 0 ? '' : text.slice(end + 4, length === undefined ? undefined : end + 4 + Number(length)),
  }
}
