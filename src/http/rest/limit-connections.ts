import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import type { Log } from '../../lib/log.ts'
import { clientNetwork } from '../../lib/network-address.ts'
import type { Meter } from '../../lib/telemetry.ts'

interface ConnectionRules {
  readonly perProcess: number
  readonly perAddress: number
  /** Whether it is the address of a trusted proxy, which connects for many clients. */
  isProxy(address: string): boolean
  /** Called for each closed connection. */
  ended(reason: ConnectionEnd): void
  /** Called when the system could not accept a connection. */
  failed(error: Error): void
}

type ConnectionEnd = 'process_limit' | 'address_limit'

interface Connection {
  /** Absent for trusted proxies. */
  readonly network: string | undefined
  requests: number
}

/**
 * Limits the connections of a server. At the limit, the connection that has been idle longest is closed in favor of the
 * new one, so that idle sockets cannot lock anyone out; if all have requests, the new one is closed.
 */
function limitConnections(server: Server, rules: ConnectionRules): void {
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
  /** Connections without a request, longest idle first. */
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
      // Closes the descriptor immediately.
      socket.destroy()
      return true
    }
    return false
  }
}

interface GuardOptions extends Omit<ConnectionRules, 'ended' | 'failed'> {
  readonly log: Log
  readonly meter: Meter
}

/** In an attack there are thousands a second. */
const LOG_EVERY_MS = 60_000

const REASONS: Readonly<Record<ConnectionEnd, string>> = {
  process_limit: 'connections closed: the process is at its connection limit',
  address_limit: 'connections closed: one address is at its connection limit',
}

/** Limits the connections of a server, counts closed ones, and logs each reason at most once a minute. */
export function guardConnections(server: Server, { log, meter, ...rules }: GuardOptions): void {
  const lastLogged = new Map<string, number>()
  const isDue = (what: string) => {
    const now = performance.now()
    if (now - (lastLogged.get(what) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return false
    lastLogged.set(what, now)
    return true
  }
  limitConnections(server, {
    ...rules,
    ended(reason) {
      meter.count('recalld_connections_ended_total', { reason })
      if (isDue(reason)) log.warn({ perProcess: rules.perProcess, perAddress: rules.perAddress }, REASONS[reason])
    },
    failed(error) {
      meter.count('recalld_connections_ended_total', { reason: 'system_limit' })
      if (isDue('system_limit')) log.error({ err: error }, 'the system could not accept a connection')
    },
  })
}

/** Options of `http.createServer`: sockets without complete headers in time are answered 408 and closed. */
export function httpTimeouts(headersTimeout: number) {
  return { headersTimeout, connectionsCheckingInterval: Math.min(1_000, headersTimeout) }
}

/** Whether an address is in this list of addresses and networks, in either notation of an IPv4 address. */
export function trustedPeers(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}
