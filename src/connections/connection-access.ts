import type { Connector } from '../connector/connector.ts'
import type { Connection } from '../sync/connection.ts'
import type { ConnectionAccess, ConnectorView } from './sync-service.ts'

/** Settings that give a connection access of its own, whatever was granted. */
const OWN_ACCESS = ['token', 'token_file', 'service_account_file']

/** How a connection gets access; `undefined` when it needs none. */
export function connectionAccess({ connector, config }: Connection): ConnectionAccess | undefined {
  const { id, auth, grant } = connector.manifest
  if (auth === 'none') return undefined
  const settings: Readonly<Record<string, unknown>> = { ...config }
  const isOwn = grant === undefined || OWN_ACCESS.some((setting) => settings[setting] !== undefined)
  const base = { connector: id, name: config.name, by: isOwn ? 'token' : 'grant' } as const
  if (grant === undefined) return base
  const { provider, family } = grant
  const { account } = settings
  const need = { provider, family, scopes: grant.scopes(config), ...(typeof account === 'string' && { account }) }
  return { ...base, need }
}

/** What a connection with no settings but its name needs. */
export function newConnectionGrant({ manifest }: Connector): Pick<ConnectorView, 'grant'> {
  const { grant, config } = manifest
  if (grant === undefined) return {}
  const { provider, family } = grant
  const parsed = config.safeParse({ name: 'me' })
  return { grant: { provider, family, ...(parsed.success && { scopes: grant.scopes(parsed.data) }) } }
}
