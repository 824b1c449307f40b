import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'

export interface HostRules {
  /** Further host names the service answers to, without a port, in any case. `*`: any. */
  readonly allowedHosts: readonly string[]
}

/**
 * Refuses requests under a foreign host name, against DNS rebinding: a page in a browser can point a name of its own at
 * this machine, but cannot make the browser send another name. A plain address cannot be rebound, so clients that
 * connect by IP always work.
 */
export function checkHost({ allowedHosts }: HostRules) {
  const names = new Set(allowedHosts.map((host) => host.toLowerCase()))
  return async (request: FastifyRequest): Promise<void> => {
    const name = isGivenOnce(request.raw.rawHeaders) ? hostName(request.raw.headers.host) : undefined
    if (name === undefined) throw new AppError('invalid', 'The Host header is missing or not valid')
    if (names.has('*') || names.has(name) || isLoopbackName(name) || isIP(name) !== 0) return
    throw new AppError(
      'forbidden',
      `This service does not answer to the host name ${name}; add it to allowed_hosts if it is meant to`,
    )
  }
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

/** Of two Host headers, another server on the way might go by the other one (RFC 9112, 3.2). */
function isGivenOnce(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1
}

/** The name or address in a Host header, lowercase, without port and brackets. A port above 65535 makes no address. */
function hostName(header: string | undefined): string | undefined {
  if (!URL.canParse(`http://${header}`)) return undefined
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, '')
}
