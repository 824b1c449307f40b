import { type GrantUse, grantUses } from '../cli/grant-table.ts'
import type { ConnectionAccess } from '../cli/sync-contract.ts'
import { connectionAccess } from './connection-access.ts'
import type { SourcesContext, SourcesHome } from './sources-context.ts'

/** How the connections of config.yaml get access now. */
export async function accessNow({ settings }: SourcesContext): Promise<readonly ConnectionAccess[]> {
  const { connections } = await settings.connectionsIn(settings.read().text)
  return connections.flatMap((connection) => connectionAccess(connection) ?? [])
}

/** What was granted, and which connections are read by it now. */
export async function grantUsesNow(context: SourcesContext, home: SourcesHome): Promise<readonly GrantUse[]> {
  return grantUses(await home.grants.list(), await accessNow(context))
}
