/**
 * The host of an Enterprise server, which counts people and repositories anew; `undefined`: github.com, also behind a
 * proxy.
 */
export function enterpriseHost(apiUrl: string): string | undefined {
  const { host, pathname } = new URL(apiUrl)
  return /\/api\/v3\/?$/.test(pathname) || host.endsWith('.ghe.com') ? host : undefined
}
