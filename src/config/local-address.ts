/** The address under which a service that listens on this host and port answers on this machine. */
export function localAddress(host: string, port: number): string {
  // 0.0.0.0 and :: are no addresses to connect to; this machine answers under loopback then.
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
