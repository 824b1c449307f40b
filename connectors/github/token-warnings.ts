import type { SourceAccount } from '../../src/connector/connector.ts'
import type { Headers } from './github-failure.ts'

const WARN_BEFORE_MS = 7 * 24 * 60 * 60_000

/** What the answer's headers say about the token: when it expires, and which scopes it lacks (classic tokens and OAuth only). */
export function tokenWarnings(headers: Headers, now: Date): Pick<SourceAccount, 'warnings' | 'expiresAt'> {
  const expiresAt = expiry(headers['github-authentication-token-expiration'])
  const scopes = headers['x-oauth-scopes']?.split(',').map((scope) => scope.trim())
  const warnings = [
    ...(scopes !== undefined && !scopes.includes('repo')
      ? ['The token lacks the scope repo: private repositories are left out.']
      : []),
    ...(expiresAt !== undefined && expiresAt.getTime() - now.getTime() < WARN_BEFORE_MS
      ? [`The token expires on ${expiresAt.toISOString().slice(0, 10)}: make a new one in time.`]
      : []),
  ]
  return { warnings, ...(expiresAt && { expiresAt }) }
}

/** `2026-12-20 10:00:00 UTC` or `2026-12-20 10:00:00 +0100`. */
function expiry(header: string | undefined): Date | undefined {
  const [, day, time, zone] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (UTC|[+-]\d{4})$/.exec(header ?? '') ?? []
  if (zone === undefined) return undefined
  return new Date(`${day}T${time}${zone === 'UTC' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`}`)
}
