import { configuredToken } from '../../src/connector/connection-fields.ts'
import type { CheckContext } from '../../src/connector/connector.ts'
import { graphRoot } from './graph-address.ts'
import { type MicrosoftConfig, microsoftCloud } from './microsoft-config.ts'

/** The URL of Graph and the token to use. */
export interface GraphAccess {
  readonly root: string
  /** The grant's account; `undefined` when the configuration has a token. */
  readonly grant: { readonly account: string; readonly title: string; readonly expiresAt?: Date } | undefined
  token(signal: AbortSignal): Promise<string>
  /** A token other than the one that Graph rejected; `undefined` when there is none. */
  replacement(refused: string, signal: AbortSignal): Promise<string | undefined>
}

/** @param scopes without which the connection cannot work, such as `Mail.Read` */
export async function graphAccess(
  context: CheckContext<MicrosoftConfig>,
  scopes: readonly string[],
): Promise<GraphAccess> {
  const { account, token, token_file, cloud, api_url } = context.config
  if (token !== undefined || token_file !== undefined) {
    // Another program can renew the file during a long run.
    const read = () => configuredToken({ ...(token && { token }), ...(token_file && { token_file }) })
    return {
      root: graphRoot(api_url, microsoftCloud(cloud)),
      grant: undefined,
      token: async () => read(),
      replacement: async (refused) => (read() === refused ? undefined : read()),
    }
  }
  const grant = await context.grants.open({ provider: 'microsoft', family: 'graph', account, scopes })
  return {
    root: graphRoot(api_url, microsoftCloud(cloud ?? grant.place.cloud)),
    grant,
    token: (signal) => grant.accessToken(signal),
    replacement: (refused, signal) => grant.replaceToken(refused, signal),
  }
}
