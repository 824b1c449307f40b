import type { OAuthProvider } from '../connector/oauth-provider.ts'
import type { Grant, GrantProvider } from '../http/app/schemas/grants.ts'
import type { ConnectorRegistry } from './configured-connections.ts'
import { connectionAccess } from './connection-status.ts'
import { accountSetting, grantsOf, servingGrant } from './grantable-sources.ts'
import type { GrantView, OAuthClient } from './oauth/oauth-grants.ts'
import type { SourcesContext, SourcesHome } from './sources-context.ts'
import type { ConnectionAccess } from './sync-service.ts'

/** @param grants all grants */
export function wireGrant(
  { grant, connections }: GrantUse,
  { providers, grants }: { readonly providers: readonly OAuthProvider[]; readonly grants: readonly GrantView[] },
): Grant {
  const provider = providers.find(({ id }) => id === grant.provider)
  const family = provider?.families.find(({ id }) => id === grant.family)
  return {
    ...{ id: grant.id, provider: grant.provider, family: grant.family, title: grant.title },
    provider_title: provider?.title ?? grant.provider,
    family_title: family?.title ?? grant.family,
    granted_at: grant.grantedAt.toISOString(),
    expires_at: grant.expiresAt?.toISOString() ?? null,
    refusal: grant.refusal ?? null,
    scopes: [...grant.scopes],
    connections: [...connections],
    connectors: [...(family?.connectors ?? [])],
    account_setting: accountSetting(grant, grantsOf(grant.provider, grant.family, grants)),
  }
}

export function wireProvider(
  { id, title, families, clientSecret, device, clientSteps }: OAuthProvider,
  parts: {
    readonly registry: ConnectorRegistry
    readonly redirect: { readonly kind: 'automatic' | 'paste'; readonly url: string }
    readonly client: OAuthClient | undefined
  },
): GrantProvider {
  const { registry, redirect, client } = parts
  const known = (ids: readonly string[]) => ids.filter((connector) => Object.hasOwn(registry, connector))
  return {
    ...{ id, title, client_secret: clientSecret, device },
    families: families.map((family) => ({
      id: family.id,
      title: family.title,
      connectors: known(family.connectors),
      only_named: known(family.onlyNamed ?? []),
    })),
    has_client: client !== undefined,
    client_steps: clientSteps.map((step) => (typeof step === 'string' ? step : step.app)),
    redirect: redirect.kind,
    redirect_url: redirect.url.replace(':*', ''),
  }
}

/** The format of `recalld connect --list --json`. Times are ISO 8601, UTC. */
export function grantJson(grant: GrantView) {
  return {
    id: grant.id,
    provider: grant.provider,
    family: grant.family,
    account: grant.account,
    title: grant.title,
    scopes: grant.scopes,
    granted_at: grant.grantedAt.toISOString(),
    expires_at: grant.expiresAt?.toISOString() ?? null,
    state: grant.refusal === undefined ? 'holds' : 'over',
    problem: grant.refusal ?? null,
    notes: grant.notes,
  }
}

/** The grants, and the connections that use each. */
export interface GrantUse {
  readonly grant: GrantView
  /** `email/me` */
  readonly connections: readonly string[]
}

/** How the connections of config.yaml currently get access. */
export async function accessNow({ settings }: SourcesContext): Promise<readonly ConnectionAccess[]> {
  const { connections } = await settings.connectionsIn(settings.read().text)
  return connections.flatMap((connection) => connectionAccess(connection) ?? [])
}

/** The grants, and the connections that currently use each. */
export async function grantUsesNow(context: SourcesContext, home: SourcesHome): Promise<readonly GrantUse[]> {
  return grantUses(await home.grants.list(), await accessNow(context))
}

export function grantUses(grants: readonly GrantView[], access: readonly ConnectionAccess[]): readonly GrantUse[] {
  return grants.map((grant) => {
    const ofFamily = grantsOf(grant.provider, grant.family, grants)
    const connections = access.filter(({ by, need }) => {
      if (by !== 'grant' || need?.provider !== grant.provider || need.family !== grant.family) return false
      return servingGrant(need.account, ofFamily) === grant
    })
    return { grant, connections: connections.map(connectionId) }
  })
}

/** `email/me` */
export function connectionId({ connector, name }: Pick<ConnectionAccess, 'connector' | 'name'>): string {
  return `${connector}/${name}`
}
