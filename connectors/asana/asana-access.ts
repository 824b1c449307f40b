import type { AccessGrant } from '../../src/connector/access-grant.ts'
import { configuredToken } from '../../src/connector/connection-fields.ts'
import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
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

/** The token of a run. */
export interface AsanaAccess {
  token(signal: AbortSignal): Promise<string>
  /** Another one than `refused`; `undefined` when only the person can give it. */
  replace(refused: string, signal: AbortSignal): Promise<string | undefined>
}

/** What a header may hold, without blanks. */
const SENDABLE = /^[\x21-\x7e]+$/

/** A personal access token of the configuration, or else the grant. Errors are thrown by what is called first. */
export function asanaAccess({ config, grants }: CheckContext<AsanaConfig>): AsanaAccess {
  if (config.token !== undefined || config.token_file !== undefined) {
    return { token: async () => sendable(configuredToken(config)), replace: async () => undefined }
  }
  let opened: Promise<AccessGrant> | undefined
  const grant = () => {
    opened ??= grants.open({ provider: 'asana', family: ASANA_FAMILY, account: config.account, scopes: ASANA_SCOPES })
    return opened
  }
  return {
    token: async (signal) => (await grant()).accessToken(signal),
    replace: async (refused, signal) => (await grant()).replaceToken(refused, signal),
  }
}

function sendable(token: string): string {
  // It could not be sent, and the error of `fetch` would show it.
  if (SENDABLE.test(token)) return token
  throw new SourceError('reconfigure', 'The token holds characters that no token of Asana has: copy it again, whole.')
}
