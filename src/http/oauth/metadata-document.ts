import { lookup as resolve } from 'node:dns'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { privateNetworks } from '../../connector/private-networks.ts'

const TIMEOUT_MS = 5_000

/**
 * Fetches the metadata document of a client. Anybody can choose its URL, so against SSRF it must be https with a public
 * address, redirects are not followed, and the connection uses the address that was checked.
 *
 * @param lookup resolves host names
 * @returns the response; the caller limits the size of its body
 * @throws Error when the document cannot be fetched, or its address is not allowed
 */
export function fetchMetadataDocument(url: string, lookup: LookupFunction = publicLookup): Promise<Response> {
  const target = new URL(url)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  if (target.protocol !== 'https:') return Promise.reject(new Error('only https is allowed'))
  if (isIP(host) !== 0) return Promise.reject(new Error('a client ID must have a host name, not an IP address'))
  const { promise, resolve: answered, reject } = Promise.withResolvers<Response>()
  const headers = { accept: 'application/json', 'user-agent': 'recalld' }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  httpsRequest(target, { headers, lookup, signal, agent: false }, (message) => {
    const { statusCode = 502, headers: received } = message
    const init = { status: statusCode, headers: new Headers(Object.entries(received).flatMap(plainHeader)) }
    // Other statuses, including redirects, are errors, so their body is not needed.
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

/** Like `dns.lookup`, but fails for names with a private address. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    const networks = privateNetworks()
    const inside = addresses.some(({ address, family }) => networks.check(address, family === 6 ? 'ipv6' : 'ipv4'))
    if (inside || addresses.length === 0) return callback(new Error(`${hostname} has a private address`), '')
    if (options.all === true) return callback(null, addresses)
    const [first] = addresses
    callback(null, first?.address ?? '', first?.family)
  })
}
