import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'

const SSL_REQUEST = 80877103
const CANCEL_REQUEST = 80877102
const PROTOCOL_3 = 196608
const SYNC = 'S'.charCodeAt(0)
const SIMPLE_QUERY = 'Q'.charCodeAt(0)
const TERMINATE = 'X'.charCodeAt(0)
const NOTIFICATION = 'A'.charCodeAt(0)

/**
 * PGlite behind PostgreSQL's wire protocol, for many connections. It has one session, so whole requests go to it one after
 * another (everything up to the message that asks for an answer), and a connection that has begun a transaction keeps it to
 * itself until that ends. `@electric-sql/pglite-socket` 0.2.17 lets single messages of two connections alternate: a
 * statement of one is then run with the parameters of the other.
 */
export class PgliteGateway {
  readonly #db: PGlite
  readonly #server: Server
  readonly #clients = new Set<Client>()
  readonly #waiting: { readonly client: Client; readonly request: Uint8Array }[] = []
  #owner: Client | undefined
  #busy = false

  constructor(db: PGlite) {
    this.#db = db
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket))
  }

  /** Resolves with the port, on loopback. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', () => {
        const address = this.#server.address()
        if (address === null || typeof address === 'string') reject(new Error('the gateway has no port'))
        else resolve(address.port)
      })
    })
  }

  /** Ends all connections, and what they have begun. */
  async disconnect(): Promise<void> {
    const closed = [...this.#clients].map(({ socket }) => once(socket, 'close'))
    for (const { socket } of this.#clients) socket.destroy()
    await Promise.all(closed)
    while (this.#busy) await nextTurn()
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(socket: Socket): void {
    const client = new Client(socket)
    this.#clients.add(client)
    socket.on('data', (data) => {
      for (const request of client.requests(data)) this.#waiting.push({ client, request })
      void this.#work()
    })
    // A client that is killed resets its connection.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#clients.delete(client)
      if (this.#owner === client) void this.#rollBack(client)
    })
  }

  async #work(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        const answer = await this.#db.runExclusive(() => this.#db.execProtocolRaw(next.request))
        this.#owner = this.#db.isInTransaction() ? next.client : undefined
        this.#send(next.client, answer)
        if (!this.#clients.has(next.client) && this.#owner === next.client) await this.#rollBack(next.client)
      }
    } finally {
      this.#busy = false
    }
  }

  #next() {
    const place = this.#waiting.findIndex(({ client }) => this.#owner === undefined || client === this.#owner)
    return place === -1 ? undefined : this.#waiting.splice(place, 1)[0]
  }

  /** Notifications go to everybody: the one session cannot tell who listens. */
  #send(client: Client, answer: Uint8Array): void {
    const own: Uint8Array[] = []
    for (let start = 0; start + 5 <= answer.length; ) {
      const length = 1 + new DataView(answer.buffer, answer.byteOffset + start + 1, 4).getInt32(0)
      const message = answer.subarray(start, start + length)
      if (answer[start] === NOTIFICATION) for (const other of this.#clients) other.socket.write(message)
      else own.push(message)
      start += length
    }
    if (this.#clients.has(client)) client.socket.write(Buffer.concat(own))
  }

  async #rollBack(client: Client): Promise<void> {
    if (this.#owner !== client) return
    this.#owner = undefined
    if (this.#db.isInTransaction()) await this.#db.exec('rollback')
    void this.#work()
  }
}

class Client {
  readonly socket: Socket
  #received = Buffer.alloc(0)
  #gathered: Buffer[] = []
  #hasBegun = false

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** Requests that are complete by now. */
  *requests(data: Buffer): Iterable<Uint8Array> {
    this.#received = Buffer.concat([this.#received, data])
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      if (!this.#hasBegun) {
        const code = message.readInt32BE(4)
        if (code === SSL_REQUEST) this.socket.write('N')
        if (code === CANCEL_REQUEST) this.socket.end()
        if (code !== PROTOCOL_3) continue
        this.#hasBegun = true
        yield message
      } else if (message[0] === TERMINATE) {
        this.socket.end()
      } else {
        this.#gathered.push(message)
        if (message[0] !== SYNC && message[0] !== SIMPLE_QUERY) continue
        yield Buffer.concat(this.#gathered.splice(0))
      }
    }
  }

  #next(): Buffer | undefined {
    const header = this.#hasBegun ? 1 : 0
    if (this.#received.length < header + 4) return undefined
    const length = header + this.#received.readInt32BE(header)
    if (this.#received.length < length) return undefined
    const message = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return message
  }
}
