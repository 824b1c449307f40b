import { connectionAccess } from './connection-access.ts'
import { grantsOf, servingGrant } from './grantable-sources.ts'
import type { GrantView } from './oauth/oauth-grants.ts'
import type { SourcesContext, SourcesHome } from './sources-context.ts'
import type { ConnectionAccess } from './sync-service.ts'

/** What was granted, and which connections are read by it. */
export interface GrantUse {
  readonly grant: GrantView
  /** `email/me` */
  readonly connections: readonly string[]
}

/** How the connections of config.yaml get access now. */
export async function accessNow({ settings }: SourcesContext): Promise<readonly ConnectionAccess[]> {
  const { connections } = await settings.connectionsIn(settings.read().text)
  return connections.flatMap((connection) => connectionAccess(connection) ?? [])
}

/** What was granted, and which connections are read by it now. */
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
