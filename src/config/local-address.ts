/** The address on this machine of a service that listens on this host and port. */
export function localAddress(host: string, port: number): string {
  // You can't connect to 0.0.0.0 or ::, so use loopback.
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
