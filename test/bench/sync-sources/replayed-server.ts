import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'

const STARTED = 'http.server.request.start'
/** What decides about an answer. */
const SENT_AGAIN = ['authorization', 'prefer']

const started = z.looseObject({ request: z.custom<IncomingMessage>((value) => typeof value === 'object') })

interface Asked {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** What a server of this process was asked by GET, so that it can be asked the same again. */
export class ReplayedServer {
  readonly #host: string
  #asked: Asked[] = []

  constructor(origin: string) {
    this.#host = new URL(origin).host
    subscribe(STARTED, this.#note)
  }

  readonly #note = (published: unknown): void => {
    const { url = '/', headers } = started.parse(published).request
    if (headers.host !== this.#host) return
    const given = SENT_AGAIN.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
    this.#asked.push({ url, headers: Object.fromEntries(given) })
  }

  /** Sends again what came since the last call; the time it took in ms. */
  async replay(): Promise<number> {
    const asked = this.#asked
    this.#asked = []
    const start = performance.now()
    for (const { url, headers } of asked) {
      const answer = await fetch(new URL(url, `http://${this.#host}`), { headers })
      await answer.arrayBuffer()
      // Some things are looked for that are not there.
      if (!answer.ok && answer.status !== 404) throw new Error(`${url} was answered with ${answer.status}`)
    }
    this.#asked = []
    return performance.now() - start
  }

  close(): void {
    unsubscribe(STARTED, this.#note)
  }
}
