import { problemSentence } from '../domain/source-problems.ts'
import type { AccessGrant, GrantNeed } from './access-grant.ts'
import { configuredToken } from './connection-fields.ts'
import type { CheckContext } from './connector.ts'
import { SourceError } from './source-error.ts'

/** The source of a connection's token. */
export interface TokenAccess {
  /** @throws SourceError `reconfigure`, `reauthorize` when there is none */
  token(signal: AbortSignal): Promise<string>
  /** A token other than `refused`; `undefined` when only the person can provide one. */
  replace(refused: string, signal: AbortSignal): Promise<string | undefined>
}

interface TokenConfig {
  readonly account?: string | undefined
  readonly token?: string | undefined
  readonly token_file?: string | undefined
}

/** Characters allowed in a header, without spaces. */
const SENDABLE = /^[\x21-\x7e]+$/

/**
 * The token of the configuration, otherwise the grant of `recalld connect`.
 * @param title of the source, for messages
 */
export function tokenAccess(
  { config, grants }: Pick<CheckContext<TokenConfig>, 'config' | 'grants'>,
  need: Omit<GrantNeed, 'account'>,
  title: string,
): TokenAccess {
  if (config.token !== undefined || config.token_file !== undefined) {
    return { token: async () => sendable(configuredToken(config), title), replace: async () => undefined }
  }
  let opened: Promise<AccessGrant> | undefined
  const grant = () => {
    opened ??= grants.open({ ...need, account: config.account })
    return opened
  }
  return {
    token: async (signal) => (await grant()).accessToken(signal),
    replace: async (refused, signal) => (await grant()).replaceToken(refused, signal),
  }
}

function sendable(token: string, title: string): string {
  // It could not be sent, and the error of `fetch` would contain it.
  if (SENDABLE.test(token)) return token
  throw new SourceError('reconfigure', problemSentence('token_malformed', { title }))
}
