import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf } from '../../../service/activity.ts'
import type { AgentView } from '../../../service/agents.ts'
import type { LiveEvents } from '../../../service/live-events.ts'
import type { Service } from '../../../service/service.ts'
import type { AgentRequests, Exchange } from '../../oauth/agent-requests.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { accessDecision, agentReference, type ConnectedAgent } from '../schemas/agents.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

/** Agents connected by OAuth. Members see those of their account; owners connect and disconnect them. */
export function agentsRoutes(
  scope: ApiServer,
  { service, live, requests }: { service: Service; live: LiveEvents; requests: AgentRequests },
): void {
  scope.get('/app/api/agents', routeFor('member'), async (request): Promise<AnswerOf<'GET /agents'>> => {
    const agents = await service.agents.list(viewerOf(request).principal.accountId)
    return { agents: agents.map(wireAgent) }
  })

  scope.delete(
    '/app/api/agents/:id',
    routeFor('owner', { params: agentReference }),
    async (request): Promise<AnswerOf<'DELETE /agents/:id'>> => {
      const { principal } = viewerOf(request)
      const { accountId } = principal
      const agent = { account: accountId, agent: request.params.id, by: actorOf(principal) }
      const disconnected = await service.agents.disconnect(agent)
      live.publish({ type: 'keys' }, accountId)
      return wireAgent(disconnected)
    },
  )

  requestsRoutes(scope, { live, requests })
}

/** The person may own other accounts than the one they look at, so the account is checked where the agent is connected. */
function requestsRoutes(scope: ApiServer, { live, requests }: { live: LiveEvents; requests: AgentRequests }): void {
  const ofOne = routeFor('member', { params: agentReference })
  scope.get(
    '/app/api/agents/requests/:id',
    ofOne,
    async (request, reply): Promise<AnswerOf<'GET /agents/requests/:id'>> => {
      const { client, returnsTo, mayWrite } = await requests.describe(request.params.id, exchange(request, reply))
      return { name: client.name, host: client.host ?? null, returns_to: returnsTo, may_write: mayWrite }
    },
  )

  scope.post(
    '/app/api/agents/requests/:id/allow',
    routeFor('member', { params: agentReference, body: accessDecision }),
    async (request, reply): Promise<AnswerOf<'POST /agents/requests/:id/allow'>> => {
      const { personId, name } = viewerOf(request)
      const { account_id: accountId, sources, access, days } = request.body
      const path = await requests.allow(request.params.id, exchange(request, reply), {
        ...{ accountId, sources, access, person: { id: personId, name } },
        ...(days !== null && { days }),
      })
      live.publish({ type: 'keys' }, accountId)
      return { path }
    },
  )

  scope.post(
    '/app/api/agents/requests/:id/deny',
    ofOne,
    async (request, reply): Promise<AnswerOf<'POST /agents/requests/:id/deny'>> => {
      return { path: await requests.deny(request.params.id, exchange(request, reply)) }
    },
  )
}

function exchange(request: FastifyRequest, reply: FastifyReply): Exchange {
  return { request: request.raw, response: reply.raw }
}

function wireAgent(agent: AgentView): ConnectedAgent {
  return {
    id: agent.id,
    name: agent.name,
    host: agent.host,
    sources: agent.sources === 'all' ? 'all' : [...agent.sources],
    access: agent.access,
    connected_by: agent.connectedBy,
    connected_at: agent.connectedAt,
    expires_at: agent.expiresAt,
    last_used_at: agent.lastUsedAt,
  }
}
