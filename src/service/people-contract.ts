import type { AccountRow } from '../store/accounts/accounts.ts'
import type {
  FailedSignIns,
  LinkPurpose,
  Member,
  MemberRole,
  Membership,
  NewPasskey,
  OutsideIdentity,
  Passkeys,
  Person,
  WebSessions,
} from '../store/people/people.ts'

/**
 * Who may sign in to the app. Passwords come as hashes: how they are made is the business of the door where people type
 * them. Who may ask for what is checked by the doors.
 */
export interface PeopleUseCases {
  /** Whether somebody has signed up. */
  anyone(): Promise<boolean>
  list(): Promise<readonly (Person & { readonly memberships: readonly Membership[] })[]>
  members(accountId: string): Promise<readonly Member[]>
  /** Somebody, and an account of theirs: the one wanted, else their first. `undefined`: there is no such person. */
  look(personId: string, wantedAccountId?: string): Promise<Look | undefined>
  findLogin(login: string): Promise<Person | undefined>
  /** `undefined`: no such person, or no password. */
  passwordHash(personId: string): Promise<string | undefined>
  /** @param keep SHA-256 of the cookie of a session that stays; all others end */
  setPassword(personId: string, passwordHash: string, keep?: Uint8Array): Promise<void>
  rename(personId: string, change: { name: string }): Promise<void>
  /** Rejects with `conflict` for the last administrator. */
  setAdmin(personId: string, isAdmin: boolean): Promise<void>
  /** This, `removeMember` and `remove` reject with `conflict` where an account or the server would be left to nobody. */
  setRole(member: { accountId: string; personId: string }, role: MemberRole): Promise<void>
  /** Whoever belongs to no further account is removed whole. */
  removeMember(member: { accountId: string; personId: string }): Promise<void>
  /** Rejects with `invalid` for its name, and with `conflict` for one that is known or one too many. */
  addPasskey(passkey: NewPasskey): Promise<void>
  /** Rejects with `not_found` when there is none. */
  removePasskey(personId: string, credentialId: string): Promise<void>
  /** With all their sessions. */
  remove(personId: string): Promise<void>
  /** An account more, owned by a person who is here; its default key is in the result and nowhere else. */
  createAccount(account: {
    name: string
    ownerId: string
    timeZone?: string
  }): Promise<{ accountId: string; key: string }>
  readonly links: LinkUseCases
  /**
   * Whom a provider means: by `issuer` and `subject`, or the first time by a confirmed e-mail address. That is the login of
   * somebody who is here, if others than they themselves vouch for it, or the one of an invitation, which is used then.
   */
  matchIdentity(
    identity: OutsideIdentity & { readonly confirmedEmail?: string; readonly name?: string },
  ): Promise<string | undefined>
  readonly sessions: WebSessions
  readonly failedSignIns: FailedSignIns
  readonly passkeys: Pick<Passkeys, 'list' | 'find' | 'used'>
}

export interface Look {
  readonly person: Person
  readonly role: MemberRole
  readonly account: AccountRow
  readonly memberships: readonly Membership[]
}

/** Links that work once. Their token is in the result of the call that makes them, and nowhere else. */
export interface LinkUseCases {
  /** For the first administrator; a link that was made before is over. `undefined`: there is one. */
  first(accountId: string): Promise<IssuedLink | undefined>
  /** Without an account: to one of their own. Rejects with `conflict` while too many are open. */
  invite(invitation: { accountId?: string; role: MemberRole; login?: string; by?: string }): Promise<IssuedLink>
  /** For a forgotten password. This and `invite` are over with the rights of the person who gives them out, if one does. */
  reset(login: string, by?: string): Promise<IssuedLink & { readonly person: Person }>
  invitations(accountId: string | undefined): Promise<readonly InvitationView[]>
  /** Rejects with `not_found` when there is none. */
  takeBack(linkId: string): Promise<void>
  /** What it is for; rejects with `not_found` when it is over. */
  read(token: string): Promise<LinkView>
  signUp(token: string, person: { name: string; login: string; passwordHash: string }): Promise<LinkResult>
  join(token: string, personId: string): Promise<LinkResult>
  /** Ends all sessions of the person. */
  newPassword(token: string, passwordHash: string): Promise<LinkResult>
}

export interface IssuedLink {
  readonly linkId: string
  readonly token: string
  readonly expiresAt: Date
}

export interface InvitationView {
  readonly linkId: string
  readonly role: MemberRole
  readonly login: string | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
}

export interface LinkView {
  readonly purpose: LinkPurpose
  /** `undefined`: an account of their own. */
  readonly accountName: string | undefined
  readonly role: MemberRole | undefined
  /** Who was invited, or whose password it is. */
  readonly login: string | undefined
  readonly expiresAt: Date
}

export interface LinkResult {
  readonly personId: string
  /** `undefined` after a new password. */
  readonly accountId: string | undefined
}
