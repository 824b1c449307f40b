import { setTimeout as delay } from 'node:timers/promises'
import type { AnswerCounts } from './answer-counts.ts'

/** Longer than any answer may take, with all that the service waits for. */
const LONGEST_MS = 120_000
const MOST_WAIT_MS = 1_000

export interface FaultAnswer {
  readonly status: number
  readonly bytes: Buffer
  /** Tries before this one that may have had their effect. */
  readonly isRepeated: boolean
}

export interface FaultCall {
  /** For the counts. */
  readonly what: string
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly form?: () => FormData
}

/** Calls the APIs as a client would: another one, a moment later, when one is away or says that it cannot now. */
export class ClientCalls {
  readonly #addresses: readonly string[]
  readonly #key: string
  readonly #counts: AnswerCounts
  readonly #random: () => number
  #isOver = false

  constructor(addresses: readonly string[], key: string, counts: AnswerCounts, random: () => number) {
    this.#addresses = addresses
    this.#key = key
    this.#counts = counts
    this.#random = random
  }

  /** From now on nothing is tried again. */
  end(): void {
    this.#isOver = true
  }

  /** `undefined`: it was given up without an answer that says what happened. */
  async call(call: FaultCall): Promise<FaultAnswer | undefined> {
    let at = Math.floor(this.#random() * this.#addresses.length)
    for (let tries = 0; !this.#isOver || tries === 0; tries++, at++) {
      const answer = await this.#once(this.#addresses[at % this.#addresses.length] ?? '', call)
      if (answer === undefined) {
        await delay(200)
        continue
      }
      const { status, headers, bytes } = answer
      if (status !== 429 && status !== 503) return { status, bytes, isRepeated: tries > 0 }
      const seconds = Number(headers.get('retry-after'))
      if (!(seconds >= 1)) this.#counts.violation(`${call.what} was answered with ${status} and no Retry-After`)
      await delay(Math.min(MOST_WAIT_MS, seconds * 1_000))
    }
    return undefined
  }

  async #once(address: string, { what, method = 'GET', path, form }: FaultCall) {
    const begun = Date.now()
    try {
      const body = form?.()
      const response = await fetch(`${address}${path}`, {
        method,
        headers: { 'x-api-key': this.#key },
        signal: AbortSignal.timeout(LONGEST_MS),
        ...(body && { body }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      this.#counts.count(what, response.status)
      const tookMs = Date.now() - begun
      if (tookMs > LONGEST_MS / 2) this.#counts.violation(`${what} took ${tookMs} ms (${response.status})`)
      return { status: response.status, headers: response.headers, bytes }
    } catch (error) {
      this.#counts.count(what, 'no answer')
      if (error instanceof Error && error.name === 'TimeoutError') {
        this.#counts.violation(`${what} was not answered within ${LONGEST_MS} ms`)
      }
      return undefined
    }
  }
}
