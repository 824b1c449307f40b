import type { Socket } from 'node:net'

/** So long a client may take to read the answer and to close; without an end to it, half-closed sockets would pile up. */
const LINGER_MS = 2_000

/**
 * Answers to what is not HTTP enough to become a request. The detail names what a client can do something about; the
 * connection ends, because where its next request would begin is unknown.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, detail] = clientProblem(error.code)
  const body = JSON.stringify({ detail })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

function clientProblem(code: string | undefined): [status: string, detail: string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['431 Request Header Fields Too Large', 'The headers or the address of the request are too long']
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', 'The request did not arrive in time; send it again']
    default:
      return ['400 Bad Request', 'The request is not valid HTTP']
  }
}
