import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork } from '../../lib/client-network.ts'

export interface ConnectionRules {
  readonly perProcess: number
  readonly perAddress: number
  /** Whether it is the address of a trusted proxy, which connects for many. */
  isProxy(address: string): boolean
  /** Called for each connection that was ended. */
  ended(reason: ConnectionEnd): void
  /** Called when the system could not accept a connection. */
  failed(error: Error): void
}

export type ConnectionEnd = 'process_limit' | 'address_limit'

interface Connection {
  /** Absent for trusted proxies. */
  readonly network: string | undefined
  requests: number
}

/**
 * Caps the connections of a server. When a cap is reached, the connection that has waited longest without a request is
 * ended in favour of the new one, so that sockets without requests can keep nobody out; if all have requests, the new one
 * is ended.
 */
export function limitConnections(server: Server, rules: ConnectionRules): void {
  const connections = new OpenConnections(rules)
  server.prependListener('connection', (socket: Socket) => {
    if (connections.add(socket)) socket.once('close', () => connections.remove(socket))
    else socket.destroy()
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    connections.beginRequest(socket)
    response.once('close', () => connections.endRequest(socket))
  })
  // Without a listener, an error of accept() would end the process.
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.syscall === 'accept') rules.failed(error)
  })
}

class OpenConnections {
  readonly #rules: ConnectionRules
  readonly #open = new Map<Socket, Connection>()
  /** Without a request, in the order in which their wait began. */
  readonly #waiting = new Set<Socket>()
  readonly #ofNetwork = new Map<string, Set<Socket>>()

  constructor(rules: ConnectionRules) {
    this.#rules = rules
  }

  /** @returns whether there was room, or room was made */
  add(socket: Socket): boolean {
    const address = socket.remoteAddress ?? ''
    const network = this.#rules.isProxy(address) ? undefined : clientNetwork(address)
    if (!this.#hasRoom(network)) return false
    this.#open.set(socket, { network, requests: 0 })
    this.#waiting.add(socket)
    if (network === undefined) return true
    const siblings = this.#ofNetwork.get(network) ?? new Set()
    this.#ofNetwork.set(network, siblings.add(socket))
    return true
  }

  remove(socket: Socket): void {
    const network = this.#open.get(socket)?.network
    this.#open.delete(socket)
    this.#waiting.delete(socket)
    if (network === undefined) return
    const siblings = this.#ofNetwork.get(network)
    siblings?.delete(socket)
    if (siblings?.size === 0) this.#ofNetwork.delete(network)
  }

  beginRequest(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    connection.requests += 1
    this.#waiting.delete(socket)
  }

  endRequest(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    connection.requests -= 1
    if (connection.requests === 0) this.#waiting.add(socket)
  }

  #hasRoom(network: string | undefined): boolean {
    const siblings = network === undefined ? undefined : this.#ofNetwork.get(network)
    const { perProcess, perAddress } = this.#rules
    if (siblings !== undefined && siblings.size >= perAddress) return this.#makeRoom(siblings, 'address_limit')
    return this.#open.size < perProcess || this.#makeRoom(this.#waiting, 'process_limit')
  }

  #makeRoom(candidates: Iterable<Socket>, reason: ConnectionEnd): boolean {
    this.#rules.ended(reason)
    for (const socket of candidates) {
      if (!this.#waiting.has(socket)) continue
      this.remove(socket)
      // Closes the descriptor at once.
      socket.destroy()
      return true
    }
    return false
  }
}
