import type { CheckContext } from '../../src/connector/connector.ts'
import { type TokenAccess, tokenAccess } from '../../src/connector/token-access.ts'
import type { AsanaConfig } from './asana-config.ts'
import { ASANA_FAMILY } from './asana-oauth.ts'

export const ASANA_SCOPES = [
  'tasks:read',
  'projects:read',
  'stories:read',
  'users:read',
  'workspaces:read',
  'teams:read',
] as const

/** A personal access token of the configuration, or else the grant. Errors are thrown by what is called first. */
export function asanaAccess(context: CheckContext<AsanaConfig>): TokenAccess {
  return tokenAccess(context, { provider: 'asana', family: ASANA_FAMILY, scopes: ASANA_SCOPES }, 'Asana')
}
