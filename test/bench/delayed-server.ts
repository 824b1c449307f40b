import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes a local server's bytes on, each as late as the network of a person is slow. */
export class DelayedServer implements AsyncDisposable {
  readonly port: number
  /** How often a client sent something after it had received everything before, over all connections. */
  get roundTrips(): number {
    return this.#count.roundTrips
  }
  readonly #count: { readonly roundTrips: number }
  readonly #server: ReturnType<typeof createServer>
  readonly #sockets: Set<Socket>

  private constructor(
    server: ReturnType<typeof createServer>,
    sockets: Set<Socket>,
    count: { readonly roundTrips: number },
  ) {
    this.#count = count
    this.#server = server
    this.#sockets = sockets
    this.port = (server.address() as AddressInfo).port
  }

  /** @param delayMs between a request and its answer */
  static async start(target: number, delayMs: number): Promise<DelayedServer> {
    const sockets = new Set<Socket>()
    const count = { roundTrips: 0 }
    const server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1')
      for (const socket of [client, upstream]) {
        sockets.add(socket)
        socket.setNoDelay(true)
        socket.on('close', () => sockets.delete(socket))
        socket.on('error', () => socket.destroy())
      }
      let isAnswered = true
      client.on('data', () => {
        if (isAnswered) count.roundTrips += 1
        isAnswered = false
      })
      client.pipe(upstream)
      upstream.on('data', (chunk) =>
        setTimeout(() => {
          isAnswered = true
          client.write(chunk)
        }, delayMs),
      )
      upstream.on('end', () => setTimeout(() => client.end(), delayMs))
      client.on('close', () => upstream.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new DelayedServer(server, sockets, count)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
