import type { ActivityEntry } from '../domain/activity.ts'
import type { GrantView, OAuthGrants, StartedGrant } from './oauth/oauth-grants.ts'

/** The same desk; what is granted and withdrawn at it is told to `note`. */
export function notedGrants(desk: OAuthGrants, note: (entry: ActivityEntry) => void): OAuthGrants {
  const made = (grant: GrantView) => {
    note({ kind: 'grant_made', provider: grant.provider, account: grant.title })
    return grant
  }
  const started = (grant: StartedGrant): StartedGrant => ({
    ...grant,
    complete: async (redirected, signal) => made(await grant.complete(redirected, signal)),
  })
  return {
    ...desk,
    begin: async (request) => started(await desk.begin(request)),
    resume: async (begun) => started(await desk.resume(begun)),
    byDevice: async (request) => made(await desk.byDevice(request)),
    async revoke(id, signal) {
      const revoked = await desk.revoke(id, signal)
      const { provider, title } = revoked.grant
      note({ kind: 'grant_removed', provider, account: title })
      return revoked
    },
  }
}
