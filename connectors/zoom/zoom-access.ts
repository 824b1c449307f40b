import { z } from 'zod'
import { configuredToken } from '../../src/connector/connection-fields.ts'
import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { TokenAccess } from '../../src/connector/token-access.ts'
import type { ZoomConfig } from './zoom-config.ts'

const RENEW_BEFORE_MS = 5 * 60_000

const grantedToken = z.looseObject({ access_token: z.string().min(1), expires_in: z.number().positive() })
const refusal = z.looseObject({ error: z.string() })

/** The tokens of a server-to-server app: requested with its secret, for an hour each, and renewed before they expire. */
export function zoomAccess({ config, clock }: Pick<CheckContext<ZoomConfig>, 'config' | 'clock'>): TokenAccess {
  let held: { readonly token: string; readonly renewAt: number } | undefined
  let requesting: Promise<string> | undefined
  const request = async (signal: AbortSignal) => {
    const now = clock().getTime()
    const { access_token: token, expires_in: seconds } = await requestToken(config, signal)
    held = { token, renewAt: now + seconds * 1000 - RENEW_BEFORE_MS }
    return token
  }
  const renewed = (signal: AbortSignal) => {
    requesting ??= request(signal).finally(() => {
      requesting = undefined
    })
    return requesting
  }
  return {
    token: async (signal) => (held !== undefined && clock().getTime() < held.renewAt ? held.token : renewed(signal)),
    replace: async (rejected, signal) => {
      if (held !== undefined && held.token !== rejected) return held.token
      held = undefined
      return renewed(signal)
    },
  }
}

async function requestToken(config: ZoomConfig, signal: AbortSignal): Promise<z.infer<typeof grantedToken>> {
  const { account_id: account, client_id: client } = config
  const url = new URL('/oauth/token', siteOf(config.api_url))
  url.search = String(new URLSearchParams({ grant_type: 'account_credentials', account_id: account }))
  const authorization = `Basic ${Buffer.from(`${client}:${configuredToken(config)}`).toString('base64')}`
  let response: Response
  let answer: unknown
  try {
    response = await fetch(url, { method: 'POST', headers: { authorization }, signal, redirect: 'error' })
    answer = await response.json().catch(() => undefined)
  } catch (cause) {
    signal.throwIfAborted()
    throw new SourceError('retry', 'Zoom could not be reached for a token of the app.', { cause })
  }
  const granted = grantedToken.safeParse(answer).data
  if (response.ok && granted !== undefined) return granted
  if (response.status >= 500 || response.status === 429)
    throw new SourceError('retry', `Zoom returned no token for the app (HTTP ${response.status}).`)
  const reason = refusal.safeParse(answer).data?.error ?? `HTTP ${response.status}`
  throw new SourceError(
    'reauthorize',
    `Zoom refused the app (${reason}). Check account_id, client_id and the secret, and that the app is activated.`,
  )
}

/** Zoom's tokens and files are not at the address of its API: `https://zoom.us` of `https://api.zoom.us/v2/`. */
export function siteOf(apiUrl: string): URL {
  const { protocol, host } = new URL(apiUrl)
  return new URL(`${protocol}//${host.replace(/^api\./, '')}`)
}
