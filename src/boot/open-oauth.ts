import type { Config } from '../config.ts'
import type { ProtectedResource } from '../http/mcp/resource-metadata.ts'
import { oauthAddresses, oauthUnavailableReason } from '../http/oauth/addresses.ts'
import { createOAuthServer, type OAuthServer } from '../http/oauth/oauth-server.ts'
import { scopesOf } from '../http/oauth/store-adapter.ts'
import type { Log } from '../lib/log.ts'
import { CHANGING_TOOLS, offeredTools } from '../mcp/mcp-context.ts'
import type { Service } from '../service/service.ts'
import type { sessionSettings } from './session-settings.ts'

/** The authorization server for agents, which is part of the API and its app. */
export function openOAuth(
  { baseUrl, ...tools }: Pick<Config, 'baseUrl' | 'mcpTools' | 'mcpWrite'>,
  { service, log, sessions }: { service: Service; log: Log; sessions: ReturnType<typeof sessionSettings> },
): OAuthServer {
  return createOAuthServer({
    ...{ agents: service.agents, log, baseUrl, mayWrite: maySomeWrite(tools) },
    ...{ secret: sessions.oauthSecret, cookieName: sessions.cookieName },
  })
}

/** Metadata for `/mcp`. A process without the API has it only if `base_url` is set. */
export function protectedResource(
  { baseUrl, ...tools }: Pick<Config, 'baseUrl' | 'mcpTools' | 'mcpWrite'>,
  hasApi: boolean,
): ProtectedResource | undefined {
  if (!hasApi && baseUrl === undefined) return undefined
  return {
    addresses: oauthAddresses(baseUrl),
    scopes: scopesOf(maySomeWrite(tools) ? 'write' : 'read'),
    whyNot: oauthUnavailableReason(baseUrl),
  }
}

function maySomeWrite({ mcpTools, mcpWrite }: Pick<Config, 'mcpTools' | 'mcpWrite'>): boolean {
  return offeredTools(mcpTools, mcpWrite === 'on').some((tool) => CHANGING_TOOLS.has(tool))
}
