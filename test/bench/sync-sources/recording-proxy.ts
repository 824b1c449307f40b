import { createServer, type IncomingMessage } from 'node:http'

/** Headers of a request that decide about its answer. */
const SENT_ON = ['authorization', 'content-type', 'notion-version', 'private-token']

interface Asked {
  readonly url: string
  readonly init: RequestInit
}

/** Stands before a fake server and keeps what it was asked, bodies included, so that it can be asked the same again. */
export class RecordingProxy {
  readonly url: string
  readonly close: () => Promise<void>
  readonly #asked: Asked[]

  private constructor(url: string, asked: Asked[], close: () => Promise<void>) {
    this.url = url
    this.#asked = asked
    this.close = close
  }

  /** @param to the address of the fake, without a path */
  static async start(to: string): Promise<RecordingProxy> {
    const asked: Asked[] = []
    const server = createServer(async (request, response) => {
      const one = await askedBy(request)
      asked.push(one)
      const answer = await fetch(new URL(one.url, to), one.init)
      const headers = Object.fromEntries([...answer.headers].filter(([name]) => /^(content-type|x-.*)$/.test(name)))
      response.writeHead(answer.status, headers)
      // Addresses in answers lead through the proxy too.
      response.end((await answer.text()).replaceAll(to, url))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
    const url = `http://127.0.0.1:${address.port}`
    return new RecordingProxy(url, asked, async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
  }

  /** Sends again what came since the last call; the time it took in ms. */
  async replay(): Promise<number> {
    const again = this.#asked.splice(0)
    const start = performance.now()
    for (const { url, init } of again) {
      const answer = await fetch(new URL(url, this.url), init)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`)
    }
    this.#asked.length = 0
    return performance.now() - start
  }
}

async function askedBy(request: IncomingMessage): Promise<Asked> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = SENT_ON.flatMap((name): [string, string][] => {
    const value = request.headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  const body = chunks.length > 0 && { body: Buffer.concat(chunks) }
  return { url: request.url ?? '/', init: { method: request.method ?? 'GET', headers, ...body } }
}
