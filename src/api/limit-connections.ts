import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork } from '../kit/client-network.ts'

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
  const { perProcess, perAddress, isProxy, ended, failed } = rules
  const open = new Map<Socket, Connection>()
  /** Without a request, in the order in which their wait began. */
  const waiting = new Set<Socket>()
  const ofNetwork = new Map<string, Set<Socket>>()

  const remove = (socket: Socket) => {
    const network = open.get(socket)?.network
    open.delete(socket)
    waiting.delete(socket)
    if (network === undefined) return
    const siblings = ofNetwork.get(network)
    siblings?.delete(socket)
    if (siblings?.size === 0) ofNetwork.delete(network)
  }
  const end = (socket: Socket, reason: ConnectionEnd) => {
    remove(socket)
    ended(reason)
    // Closes the descriptor at once.
    socket.destroy()
  }
  /** @returns whether the new one may stay */
  const makeRoom = (candidates: Iterable<Socket>, reason: ConnectionEnd): boolean => {
    for (const socket of candidates) {
      if (!waiting.has(socket)) continue
      end(socket, reason)
      return true
    }
    ended(reason)
    return false
  }
  const admit = (siblings: ReadonlySet<Socket> | undefined): boolean => {
    if (siblings !== undefined && siblings.size >= perAddress) return makeRoom(siblings, 'address_limit')
    return open.size < perProcess || makeRoom(waiting, 'process_limit')
  }

  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const network = isProxy(address) ? undefined : clientNetwork(address)
    if (!admit(network === undefined ? undefined : ofNetwork.get(network))) {
      socket.destroy()
      return
    }
    open.set(socket, { network, requests: 0 })
    waiting.add(socket)
    if (network !== undefined) {
      const siblings = ofNetwork.get(network) ?? new Set()
      ofNetwork.set(network, siblings.add(socket))
    }
    socket.once('close', () => remove(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket)
    if (connection === undefined) return
    connection.requests += 1
    waiting.delete(socket)
    response.once('close', () => {
      connection.requests -= 1
      if (connection.requests === 0 && open.has(socket)) waiting.add(socket)
    })
  })
  // Without a listener, an error of accept() would end the process.
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.syscall === 'accept') failed(error)
  })
}
