import type { IncomingMessage, ServerResponse } from 'node:http'
import type { default as Provider } from 'oidc-provider'
import { AppError } from '../../domain/errors.ts'
import { agentName } from '../../service/agent-name.ts'
import type { AgentUseCases, NewAgent } from '../../service/agents.ts'
import type { OAuthServer } from './oauth-server.ts'

/** The browser's side of a request for access. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface AgentRequest {
  readonly client: NewAgent['client']
  /** Target of the redirect: a website, a program listening on loopback, or a program that handles a custom URL scheme. */
  readonly returnsTo: { readonly kind: 'site' | 'machine' | 'program'; readonly name: string }
  readonly mayWrite: boolean
  readonly resource: string
}

/** Authorization requests that wait for consent, each bound to the browser that started it. */
export interface AgentRequests {
  /** @throws AppError `not_found` if it has expired, was answered, or was started in another browser */
  describe(id: string, exchange: Exchange): Promise<AgentRequest>
  /** @returns the path to which the browser goes to complete the request */
  allow(id: string, exchange: Exchange, agent: Omit<NewAgent, 'client' | 'resource'>): Promise<string>
  deny(id: string, exchange: Exchange): Promise<string>
}

export function agentRequests(server: OAuthServer, agents: AgentUseCases): AgentRequests {
  const find = async (id: string, { request, response }: Exchange) => {
    const provider = await server.provider(request)
    const found = await provider.interactionDetails(request, response).catch((cause: unknown) => {
      throw isSessionNotFound(cause) ? requestOver(cause) : cause
    })
    if (found.uid !== id || found.result !== undefined) throw requestOver()
    return { provider, request: await describeRequest(provider, found.params) }
  }
  const finish = async (provider: Provider, { request, response }: Exchange, result: Record<string, unknown>) => {
    const address = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: false })
    return new URL(address).pathname
  }
  return {
    describe: async (id, exchange) => (await find(id, exchange)).request,
    async allow(id, exchange, agent) {
      const { provider, request } = await find(id, exchange)
      if (agent.access === 'write' && !request.mayWrite) {
        throw new AppError('invalid', 'This agent only requested read access.', { field: 'access' })
      }
      const { client, resource } = request
      const { authorizationId } = await agents.connect({ ...agent, client, resource })
      return finish(provider, exchange, {
        login: { accountId: agent.person.id, remember: false },
        select_account: {},
        consent: { grantId: authorizationId },
      })
    },
    async deny(id, exchange) {
      const { provider } = await find(id, exchange)
      return finish(provider, exchange, { error: 'access_denied', error_description: 'the person did not allow it' })
    },
  }
}

async function describeRequest(provider: Provider, params: Record<string, unknown>): Promise<AgentRequest> {
  const { client_id: clientId, redirect_uri: redirectUri, scope, resource } = params
  const client = await provider.Client.find(String(clientId))
  if (client === undefined) throw requestOver()
  const isDescribed = String(clientId).startsWith('https://')
  const host = isDescribed ? new URL(String(clientId)).host : undefined
  return {
    client: { id: client.clientId, name: agentName(client.clientName ?? host), host },
    returnsTo: returnAddress(new URL(String(redirectUri))),
    mayWrite: String(scope).split(' ').includes('memory:write'),
    resource: String([resource].flat()[0]),
  }
}

function returnAddress({ protocol, hostname, host }: URL): AgentRequest['returnsTo'] {
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return { kind: 'machine', name: host }
  if (protocol === 'https:') return { kind: 'site', name: host }
  return { kind: 'program', name: protocol }
}

function isSessionNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === 'SessionNotFound'
}

function requestOver(cause?: unknown): AppError {
  return new AppError(
    'not_found',
    'This request has expired, was already answered, or was started in another browser. Start again from the agent.',
    { cause },
  )
}
