import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { AccessGrant, GrantNeed } from '../../src/connector/access-grant.ts'
import { configuredToken } from '../../src/connector/connection-fields.ts'
import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { GoogleConfig } from './google-config.ts'

/** The source of its access tokens, and the account. */
export interface GoogleAccess extends Pick<AccessGrant, 'accessToken' | 'replaceToken'> {
  /** Absent for a token from the configuration, which does not state it. */
  readonly granted?: Pick<AccessGrant, 'account' | 'title' | 'expiresAt'>
}

export type GoogleNeed = Pick<GrantNeed, 'family' | 'scopes'>

/** The token endpoint in service account keys, which the SDK always uses. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const SOON_MS = 5 * 60_000

/**
 * The token or service account of the configuration, or the grant of `recalld connect`.
 * @throws SourceError `reconfigure`, `reauthorize`
 */
export async function googleAccess(
  { config, grants, clock }: CheckContext<GoogleConfig>,
  need: GoogleNeed,
): Promise<GoogleAccess> {
  if (config.token !== undefined || config.token_file !== undefined) return configuredAccess(configuredToken(config))
  if (config.service_account_file !== undefined) return serviceAccess(config, need.scopes, () => clock().getTime())
  const grant = await grants.open({ provider: 'google', account: config.account, ...need })
  return {
    granted: grant,
    accessToken: (signal) => grant.accessToken(signal),
    replaceToken: (refused, signal) => grant.replaceToken(refused, signal),
  }
}

function configuredAccess(token: string): GoogleAccess {
  return {
    accessToken: async () => token,
    async replaceToken() {
      throw new SourceError('reauthorize', 'Google rejected the token: it is invalid, expired or revoked.')
    },
  }
}

const serviceKey = z.looseObject({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  token_uri: z.url({ protocol: /^https?$/ }).default(TOKEN_URL),
})

async function serviceAccess(
  { service_account_file: file = '', subject }: GoogleConfig,
  scopes: readonly string[],
  now: () => number,
): Promise<GoogleAccess> {
  const key = readServiceKey(file)
  if (subject === undefined) {
    throw new SourceError(
      'reconfigure',
      'service_account_file needs subject. Set it to the address of the person whose data is synced.',
    )
  }
  const { auth } = await import('googleapis/build/src/apis/gmail/index.js')
  const client = new auth.JWT({
    email: key.client_email,
    key: key.private_key,
    scopes: [...scopes],
    subject,
    transporterOptions: {
      fetchImplementation: (url, init) => fetch(String(url) === TOKEN_URL ? key.token_uri : url, init),
    },
  })
  let known: { token: string; until: number } | undefined
  const renewed = async () => {
    try {
      const { access_token: token, expiry_date: until = now() } = await client.authorize()
      if (!token) throw new SourceError('retry', 'Google issued no token for the service account.')
      known = { token, until: until ?? now() }
      return token
    } catch (cause) {
      throw cause instanceof SourceError ? cause : refusedService(cause, subject)
    }
  }
  return {
    granted: { account: `service:${key.client_email}:${subject.toLowerCase()}`, title: subject },
    accessToken: async () => (known !== undefined && known.until - now() > SOON_MS ? known.token : renewed()),
    replaceToken: renewed,
  }
}

function readServiceKey(file: string): z.output<typeof serviceKey> {
  try {
    return serviceKey.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    // Never quote these errors, because they can contain parts of the key.
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'it is not a service account key'
    throw new SourceError('reconfigure', `service_account_file ${file} can't be read (${reason}).`)
  }
}

const tokenRefusal = z.looseObject({ error: z.string() })

const failedAnswer = z.looseObject({ status: z.number(), data: z.unknown() })

/** The error is not kept as the cause, because it quotes the request with an assertion that is valid for an hour. */
function refusedService(error: unknown, subject: string): SourceError {
  const answer = error instanceof Error && 'response' in error ? failedAnswer.safeParse(error.response).data : undefined
  const refusal = tokenRefusal.safeParse(answer?.data).data?.error
  if (answer === undefined || refusal === undefined || answer.status >= 500 || answer.status === 429) {
    const reason = answer === undefined ? 'no answer' : String(answer.status)
    return new SourceError('retry', `Google issued no token for the service account (${reason}).`)
  }
  const remedy = `ask a Workspace administrator to delegate its scopes (domain-wide delegation), and check subject ${subject}`
  return new SourceError('reauthorize', `Google rejected the service account (${refusal}): ${remedy}.`)
}
