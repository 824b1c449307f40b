import { createServer, type IncomingMessage } from 'node:http'

export interface FakeAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as it is, anything else as JSON. */
  readonly body: unknown
}

export interface JsonServer {
  /** Without a slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/** Serves the answers of a made-up API on loopback. */
export async function startJsonServer(
  answer: (request: IncomingMessage) => FakeAnswer | Promise<FakeAnswer>,
): Promise<JsonServer> {
  const server = createServer(async (request, response) => {
    const { status, headers, body } = await answer(request)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
