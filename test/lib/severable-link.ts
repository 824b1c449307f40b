import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Which way bytes still go: `none` of them, or towards the server only, as when answers are lost. */
export type LinkState = 'whole' | 'cut' | 'answers lost'

/**
 * The network between one process and one server, over loopback. Cut, it swallows nothing and ends nothing: both sides
 * wait, as they do when packets are dropped; what was sent arrives when it is whole again.
 */
export class SeverableLink implements AsyncDisposable {
  readonly port: number
  readonly #listener: Server
  readonly #target: number
  readonly #pairs = new Set<Pair>()
  #state: LinkState = 'whole'
  #delayMs = 0

  private constructor(listener: Server, port: number, target: number) {
    this.#listener = listener
    this.port = port
    this.#target = target
    listener.on('connection', (near) => this.#accept(near))
  }

  static async to(target: number): Promise<SeverableLink> {
    const listener = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    if (address === null || typeof address === 'string') throw new Error('the link has no port')
    return new SeverableLink(listener, address.port, target)
  }

  set state(state: LinkState) {
    this.#state = state
    for (const pair of this.#pairs) this.#apply(pair)
  }

  /** Of all that the server sends. */
  set delayMs(delayMs: number) {
    this.#delayMs = delayMs
  }

  /** Ends every connection that there is. */
  reset(): void {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy()
      far?.resetAndDestroy()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.reset()
    this.#listener.close()
    await once(this.#listener, 'close')
  }

  #accept(near: Socket): void {
    const pair: Pair = { near, far: undefined }
    this.#pairs.add(pair)
    near.on('error', () => near.destroy())
    near.on('close', () => {
      pair.far?.destroy()
      this.#pairs.delete(pair)
    })
    this.#apply(pair)
  }

  /** A connection that is begun while the link is cut reaches the server later. */
  #apply(pair: Pair): void {
    if (this.#state !== 'cut') pair.far ??= this.#reach(pair)
    if (this.#state === 'cut') pair.near.pause()
    else pair.near.resume()
    if (this.#state === 'whole') pair.far?.resume()
    else pair.far?.pause()
  }

  #reach(pair: Pair): Socket {
    const { near } = pair
    const far = connect(this.#target, '127.0.0.1')
    far.on('error', () => far.destroy())
    far.on('close', () => near.destroy())
    near.on('data', (bytes) => far.write(bytes))
    near.on('end', () => far.end())
    far.on('data', (bytes) => {
      if (this.#delayMs === 0) near.write(bytes)
      else setTimeout(() => near.writable && near.write(bytes), this.#delayMs)
    })
    far.on('end', () => {
      if (this.#delayMs === 0) near.end()
      else setTimeout(() => near.end(), this.#delayMs)
    })
    return far
  }
}

interface Pair {
  readonly near: Socket
  far: Socket | undefined
}
