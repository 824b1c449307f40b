import type { ApiServer } from '../../rest/server-types.ts'

/** The address under which people reach the service: as it is set; where any free port was taken, with that port. */
export function publicAddress(server: ApiServer, baseUrl: string): string {
  const bound = server.server.address()
  const url = new URL(baseUrl)
  if (url.port !== '0' || bound === null || typeof bound === 'string') return baseUrl
  url.port = String(bound.port)
  return url.origin
}
