import { lookup as resolve } from 'node:dns'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { privateNetworks } from '../../connector/private-networks.ts'

const TIMEOUT_MS = 5_000

/**
 * Gets the document in which a client describes itself. Whoever asks for access chooses its address, so nothing but https on
 * the internet is reached, no redirect is followed, and the address that was checked is the one that is connected to.
 *
 * @param lookup how names are resolved
 * @returns the answer, whose body the caller limits
 * @throws Error when it cannot be reached, or must not be
 */
export function fetchMetadataDocument(url: string, lookup: LookupFunction = publicLookup): Promise<Response> {
  const target = new URL(url)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  if (target.protocol !== 'https:') return Promise.reject(new Error('only https is allowed'))
  if (isIP(host) !== 0) return Promise.reject(new Error('a client is described at a host name, not at an IP address'))
  const { promise, resolve: answered, reject } = Promise.withResolvers<Response>()
  const headers = { accept: 'application/json', 'user-agent': 'recalld' }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  httpsRequest(target, { headers, lookup, signal, agent: false }, (message) => {
    const { statusCode = 502, headers: received } = message
    const init = { status: statusCode, headers: new Headers(Object.entries(received).flatMap(plainHeader)) }
    // Answers of these kinds have no body; a redirect is refused by its status.
    const body = statusCode === 200 ? Readable.toWeb(message) : null
    if (body === null) message.resume()
    answered(new Response(body as ReadableStream | null, init))
  })
    .once('error', reject)
    .end()
  return promise
}

function plainHeader([name, value]: [string, string | string[] | undefined]): [string, string][] {
  return typeof value === 'string' ? [[name, value]] : []
}

/** As `dns.lookup`, but a name with any address outside the internet does not resolve. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    const networks = privateNetworks()
    const inside = addresses.some(({ address, family }) => networks.check(address, family === 6 ? 'ipv6' : 'ipv4'))
    if (inside || addresses.length === 0) return callback(new Error(`${hostname} is not on the internet`), '')
    if (options.all === true) return callback(null, addresses)
    const [first] = addresses
    callback(null, first?.address ?? '', first?.family)
  })
}
