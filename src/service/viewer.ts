import type { Principal } from './service.ts'

/** The person who looks at the app, and the account that they look at. */
export interface Viewer {
  readonly personId: string
  readonly name: string
  /** What they sign in with. */
  readonly login: string
  /** May manage people, accounts, their plans and the sources of this server. */
  readonly isAdmin: boolean
  /** Of the account: owners manage its keys and people; members recall, upload and forget. */
  readonly role: 'owner' | 'member'
  readonly accountName: string
  /** Of all sources of the account; `keyId` is `APP_KEY_ID`. */
  readonly principal: Principal
}
