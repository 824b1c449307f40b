import type { OAuthProvider } from '../connector/oauth-provider.ts'
import type { Grant, GrantProvider } from '../http/app/schemas/grants.ts'
import type { ConnectorRegistry } from './configured-connections.ts'
import type { GrantUse } from './grant-uses.ts'
import { accountSetting, grantsOf } from './grantable-sources.ts'
import type { GrantView, OAuthClient } from './oauth/oauth-grants.ts'

/** @param grants all that there are */
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
    client_steps: clientSteps.map(withoutOptions),
    redirect: redirect.kind,
    redirect_url: redirect.url.replace(':*', ''),
  }
}

/** The steps are those of the command line, whose options mean nothing in the app. */
function withoutOptions(step: string): string {
  return step
    .replace(' or download them as JSON (--client-file)', '')
    .replace(/\bfor --device\b/gi, 'To sign in by a code')
}
