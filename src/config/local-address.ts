/** The address on this machine of a service that listens on this host and port. */
export function localAddress(host: string, port: number): string {
  // You can't connect to 0.0.0.0 or ::, so use loopback.
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** The address that people open: that of a proxy, if one is named. */
export function serverAddress({ baseUrl, host, port }: ListeningAddress): string {
  return baseUrl?.replace(/\/+$/, '') ?? localAddress(host, port)
}

interface ListeningAddress {
  readonly baseUrl: string | undefined
  readonly host: string
  readonly port: number
}
