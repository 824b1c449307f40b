import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { TokenAccess } from '../../src/connector/token-access.ts'
import type { GithubConfig } from './github-config.ts'

/** An app may state at most ten minutes; a clock that is ahead by less than a minute is accepted. */
const STATEMENT_SECONDS = 9 * 60
const CLOCK_SECONDS = 60
/** A token of an installation lasts an hour. */
const RENEW_BEFORE_MS = 5 * 60_000

const installationToken = z.object({ token: z.string(), expires_at: z.iso.datetime({ offset: true }) })

/**
 * The tokens of an app's installation: requested with the app's private key, and renewed before they expire. `undefined`
 * when the settings name no app.
 */
export function appAccess(context: CheckContext<GithubConfig>, apiUrl: string): TokenAccess | undefined {
  const { app_id: app, installation_id: installation, private_key_file: file } = context.config
  if (app === undefined && installation === undefined && file === undefined) return undefined
  if (app === undefined || installation === undefined || file === undefined) {
    throw new SourceError('reconfigure', 'An app needs all of app_id, installation_id and private_key_file.')
  }
  let held: { readonly token: string; readonly renewAt: number } | undefined
  let requesting: Promise<string> | undefined
  const request = async (signal: AbortSignal) => {
    const url = `${apiUrl}/app/installations/${installation}/access_tokens`
    const now = context.clock()
    const response = await post(url, appStatement(app, privateKey(file), now), signal)
    if (!response.ok) throw refused(response, app, installation)
    const { token, expires_at } = installationToken.parse(await response.json())
    held = { token, renewAt: Date.parse(expires_at) - RENEW_BEFORE_MS }
    return token
  }
  const renewed = (signal: AbortSignal) => {
    requesting ??= request(signal).finally(() => {
      requesting = undefined
    })
    return requesting
  }
  return {
    token: async (signal) =>
      held !== undefined && context.clock().getTime() < held.renewAt ? held.token : renewed(signal),
    replace: async (rejected, signal) => {
      if (held !== undefined && held.token !== rejected) return held.token
      held = undefined
      return renewed(signal)
    },
  }
}

async function post(url: string, statement: string, signal: AbortSignal): Promise<Response> {
  const headers = {
    authorization: `Bearer ${statement}`,
    accept: 'application/vnd.github+json',
    'user-agent': 'recalld',
  }
  try {
    return await fetch(url, { method: 'POST', headers, signal, redirect: 'error' })
  } catch (cause) {
    signal.throwIfAborted()
    throw new SourceError('retry', 'GitHub could not be reached for a token of the app.', { cause })
  }
}

function refused({ status }: Response, app: number, installation: number): SourceError {
  if (status === 401) {
    const message = `GitHub rejected the key of app ${app}. Check app_id, private_key_file and the clock of this machine.`
    return new SourceError('reauthorize', message)
  }
  if (status === 404) {
    return new SourceError('reconfigure', `App ${app} has no installation ${installation}. Check installation_id.`)
  }
  if (status === 403) return new SourceError('reauthorize', `Installation ${installation} of the app is suspended.`)
  return new SourceError('retry', `GitHub returned no token for the app (HTTP ${status}).`)
}

function privateKey(file: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(file))
  } catch (cause) {
    // The message of a damaged key may contain a part of it.
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable'
    throw new SourceError('reconfigure', `private_key_file ${file} can't be read as a private key (${code}).`)
  }
}

/** A JSON Web Token, signed as GitHub wants it (RS256). */
function appStatement(app: number, key: KeyObject, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const claims = { iat: seconds - CLOCK_SECONDS, exp: seconds + STATEMENT_SECONDS - CLOCK_SECONDS, iss: String(app) }
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claims].map(base64urlJson).join('.')
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

function base64urlJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
