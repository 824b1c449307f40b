import type { AccessDecision, RequestEnd } from '../../src/http/app/schemas/agents.ts'
import { mcpRoutes } from '../../src/http/mcp/mcp-routes.ts'
import { agentRequests } from '../../src/http/oauth/agent-requests.ts'
import { oauthRoutes } from '../../src/http/oauth/oauth-routes.ts'
import { createOAuthServer, type OAuthServer } from '../../src/http/oauth/oauth-server.ts'
import type { ProviderOptions } from '../../src/http/oauth/provider.ts'
import type { McpTool } from '../../src/mcp/mcp-context.ts'
import { type AppVisit, appVisit, type Visitor } from './app-visit.ts'
import { recordingLog } from './recording-log.ts'
import type { StartOptions } from './start-service.ts'

interface OAuthOptions extends Pick<ProviderOptions, 'fetchDocument'> {
  readonly start?: StartOptions
  /** The setting. */
  readonly baseUrl?: string
  readonly tools?: readonly McpTool[]
}

/** A service with the app, `/mcp` and the authorization server, as `recalld up` puts them together. */
export async function oauthVisit(options: OAuthOptions = {}): Promise<AppVisit> {
  const { start = {}, baseUrl, tools = ['recall', 'ask', 'open', 'remember', 'forget'], fetchDocument } = options
  const { log } = recordingLog()
  let server: OAuthServer | undefined
  return appVisit({
    ...start,
    routes: (app, service) => {
      server = createOAuthServer({
        ...{ agents: service.agents, log, baseUrl, mayWrite: tools.includes('remember') },
        ...{ secret: 'a secret of 32 characters or more', cookieName: 'recalld-test' },
        ...(fetchDocument && { fetchDocument }),
      })
      const scopes = tools.includes('remember') ? ['memory:read', 'memory:write'] : ['memory:read']
      const oauth = { addresses: server.addresses, scopes, whyNot: 'not here' }
      mcpRoutes(app, { service, log, tools, userName: 'Ada', version: '1', allowedHosts: [], oauth })
      oauthRoutes(app, server)
    },
    door: ({ service }) => {
      if (server === undefined) throw new Error('The routes are registered first')
      return { agentRequests: agentRequests(server, service.agents) }
    },
  })
}

/** What a browser does with an address of the authorization server: it keeps the cookies of the answers by their paths. */
export class AgentBrowser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>()
  readonly #visitor: Visitor
  readonly #baseUrl: string

  /** @param visitor who is signed in to the app in this browser */
  constructor(baseUrl: string, visitor: Visitor) {
    this.#baseUrl = baseUrl
    this.#visitor = visitor
  }

  /** Follows no redirect. */
  async open(address: string | URL): Promise<Response> {
    const url = new URL(address, this.#baseUrl)
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie: this.#cookiesFor(url.pathname) } })
    for (const set of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = set.split(/;\s*/)
      const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice(5) ?? '/'
      const [name = '', value = ''] = pair.split('=', 2)
      if (value === '') this.#cookies.delete(`${name} ${path}`)
      else this.#cookies.set(`${name} ${path}`, { value: pair, path })
    }
    return answer
  }

  /** Opens the address that an agent asks for; the id of the request that the consent page then shows. */
  async begin(address: string | URL): Promise<string> {
    const answer = await this.open(address)
    const id = /^\/app\/connect-agent\/([\w-]+)$/.exec(answer.headers.get('location') ?? '')?.[1]
    if (id === undefined) throw new Error(`${answer.status}: ${answer.headers.get('location')} ${await answer.text()}`)
    return id
  }

  /** What the consent page calls. */
  call(id: string, action: '' | '/allow' | '/deny' = '', body?: Partial<AccessDecision>) {
    const path = `/agents/requests/${id}${action}`
    const cookie = [this.#visitor.cookie, this.#cookiesFor(`/app/api${path}`)].filter((one) => one !== '').join('; ')
    return this.#visitor.call(path, {
      method: action === '' ? 'GET' : 'POST',
      ...(body !== undefined && { body }),
      headers: { cookie },
    })
  }

  /** Allows it, and goes where the browser is sent: the address of the agent, with the code. */
  async allow(id: string, decision: AccessDecision): Promise<URL> {
    const answer = await this.call(id, '/allow', decision)
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
    return this.end(JSON.parse(answer.text))
  }

  async end({ path }: RequestEnd): Promise<URL> {
    const answer = await this.open(path)
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`${answer.status} ${await answer.text()}`)
    return new URL(location)
  }

  #cookiesFor(path: string): string {
    const sent = [...this.#cookies.values()].filter((cookie) => path.startsWith(cookie.path))
    return sent.map(({ value }) => value).join('; ')
  }
}
