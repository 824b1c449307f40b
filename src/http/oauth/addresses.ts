/** Where a client finds the authorization server, and what its tokens are for. */
export interface OAuthAddress {
  /** Such as `https://memory.example.org`. */
  readonly issuer: string
  /** The address of MCP that this client uses. */
  readonly resource: string
  /** All addresses of MCP that tokens may be for. */
  readonly resources: readonly string[]
}

export interface AddressedRequest {
  readonly headers: { readonly host?: string | undefined }
  readonly socket: { readonly localPort?: number | undefined }
}

/** `undefined`: not for this request; `whyNoOAuth` says why. */
export type OAuthAddresses = (request: AddressedRequest) => OAuthAddress | undefined

const MCP_PATH = '/mcp'
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]']

/**
 * OAuth is offered where its tokens cannot be read on the way: under an https address of the service, and to clients on this
 * machine. The app, which asks for consent, has no other path than /app.
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

/** Each client is told the address that it uses itself, because clients compare the two. */
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

/** For the person who set the service up. */
export function whyNoOAuth(baseUrl: string | undefined): string {
  if (baseUrl !== undefined && new URL(baseUrl).pathname !== '/')
    return "OAuth isn't available here, because base_url has a path. Serve recalld at the root of a host name."
  return "OAuth isn't available here. Set base_url to the https address of this service. Keys work without it."
}
