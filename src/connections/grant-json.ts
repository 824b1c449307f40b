import type { GrantView } from './oauth/oauth-grants.ts'

/** As `recalld connect --list --json` prints it. Times are ISO 8601, UTC. */
export function wireGrant(grant: GrantView) {
  return {
    id: grant.id,
    provider: grant.provider,
    family: grant.family,
    account: grant.account,
    title: grant.title,
    scopes: grant.scopes,
    granted_at: grant.grantedAt.toISOString(),
    expires_at: grant.expiresAt?.toISOString() ?? null,
    state: grant.refusal === undefined ? 'holds' : 'over',
    problem: grant.refusal ?? null,
    notes: grant.notes,
  }
}
