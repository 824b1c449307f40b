import type { CheckContext } from '../../src/connector/connector.ts'
import { type TokenAccess, tokenAccess } from '../../src/connector/token-access.ts'
import type { AsanaConfig } from './asana-config.ts'
import { asanaOAuth } from './asana-oauth.ts'

export const ASANA_SCOPES = [
  'tasks:read',
  'projects:read',
  'stories:read',
  'users:read',
  'workspaces:read',
  'teams:read',
] as const

/** The only one that its provider has. */
export const ASANA_FAMILY = asanaOAuth.families[0]?.id ?? 'asana'

/** A personal access token of the configuration, or else the grant. Errors are thrown by what is called first. */
export function asanaAccess(context: CheckContext<AsanaConfig>): TokenAccess {
  return tokenAccess(context, { provider: 'asana', family: ASANA_FAMILY, scopes: ASANA_SCOPES }, 'Asana')
}
