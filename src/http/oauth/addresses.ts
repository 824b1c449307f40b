/** The addresses of the authorization server and of the resource that its tokens grant access to. */
export interface OAuthAddress {
  /** For example `https://memory.example.org`. */
  readonly issuer: string
  /** The MCP address that this client uses. */
  readonly resource: string
  /** All MCP addresses that tokens can be issued for. */
  readonly resources: readonly string[]
}

export interface AddressedRequest {
  readonly headers: { readonly host?: string | undefined }
  readonly socket: { readonly localPort?: number | undefined }
}

/** `undefined`: OAuth isn't available for this request; `oauthUnavailableReason` returns the reason. */
export type OAuthAddresses = (request: AddressedRequest) => OAuthAddress | undefined

const MCP_PATH = '/mcp'
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]']

/**
 * OAuth is only available where nobody can intercept tokens: over https, and for clients on this machine. A `base_url`
 * with a path is not supported, because the consent page is always at /app.
 *
 * @param baseUrl the setting; absent: the service is reached at the port it listens on
 */
export function oauthAddresses(baseUrl: string | undefined): OAuthAddresses {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl)
  if (base === undefined) return (request) => localAddress(request, request.socket.localPort)
  if (base.pathname !== '/') return () => undefined
  if (isLoopback(base)) return (request) => localAddress(request, Number(base.port || portOf(base.protocol)))
  if (base.protocol !== 'https:') return () => undefined
  const resource = base.origin + MCP_PATH
  return () => ({ issuer: base.origin, resource, resources: [resource] })
}

/** Returns the host name that the client used, because clients compare the two. */
function localAddress({ headers: { host } }: AddressedRequest, port: number | undefined): OAuthAddress | undefined {
  const [issuer = '', ...others] = LOOPBACK_HOSTS.map((name) => new URL(`http://${name}:${port}`).origin)
  const origins = [issuer, ...others]
  const used = origins.find((origin) => origin === URL.parse(`http://${host}`)?.origin)
  if (used === undefined) return undefined
  return { issuer, resource: used + MCP_PATH, resources: origins.map((origin) => origin + MCP_PATH) }
}

function portOf(protocol: string): string {
  return protocol === 'https:' ? '443' : '80'
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname)
}

/** The reason for the person who runs the service. */
export function oauthUnavailableReason(baseUrl: string | undefined): string {
  if (baseUrl !== undefined && new URL(baseUrl).pathname !== '/')
    return "OAuth isn't available here, because base_url has a path. Serve recalld at the root of a host name."
  return "OAuth isn't available here. Set base_url to the https address of this service. Keys work without it."
}
