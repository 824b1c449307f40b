import type { NewAccount } from '../accounts/accounts.ts'

/**
 * People who sign in to the app, the accounts that they may look at, and what they sign in with. Of the whole server: a
 * person may belong to several accounts. Everybody belongs to at least one, each account that anybody belongs to keeps an
 * owner, and the server an administrator; what would break that is refused inside the commit.
 */
export interface People {
  /** Whether somebody has signed up. */
  anyone(): Promise<boolean>
  /** All, oldest first. */
  list(): Promise<Person[]>
  find(personId: string): Promise<Person | undefined>
  /** In any letter case. */
  findLogin(login: string): Promise<Person | undefined>
  /** Of a provider of OpenID Connect. */
  findIdentity(identity: OutsideIdentity): Promise<Person | undefined>
  /** `undefined`: no such person, or one who has none. */
  passwordHash(personId: string): Promise<string | undefined>
  /** Oldest first. */
  memberships(personId: string): Promise<Membership[]>
  /** People of an account, oldest first. */
  members(accountId: string): Promise<Member[]>
  update(
    personId: string,
    change: { name?: string; login?: string; isAdmin?: boolean },
  ): Promise<'updated' | 'absent' | 'login_taken' | 'last_admin'>
  /** Ends the person's sessions but the one named, and takes their reset links back. */
  setPassword(personId: string, passwordHash: string, keep?: Uint8Array): Promise<'updated' | 'absent'>
  /** With everything they sign in with. */
  remove(personId: string): Promise<Refusable<'removed'>>
  setRole(member: { accountId: string; personId: string }, role: MemberRole): Promise<Refusable<'updated'>>
  /** People who belong to no other account are removed entirely. */
  removeMember(member: { accountId: string; personId: string }): Promise<Refusable<'removed'>>
  /** With its owner, in one commit. */
  createAccount(account: NewAccount, ownerId: string): Promise<'created' | 'absent'>
  /**
   * The person who signs in with this login, for which the provider vouches too, is known by the identity from then on.
   *
   * @returns their id; `undefined`: there is nobody, nobody but they themselves says that the login is theirs, or they are
   *   somebody else at this provider
   */
  linkIdentity(login: string, identity: OutsideIdentity): Promise<string | undefined>
  /** Ends all sessions, and all links. */
  signEverybodyOut(): Promise<void>
  readonly links: SignInLinks
  readonly sessions: WebSessions
  readonly passkeys: Passkeys
  readonly failedSignIns: FailedSignIns
}

/** Wrong passwords, of all processes; kept for an hour, and of each kind the latest 10 000. */
export interface FailedSignIns {
  /** Failures and waits, in the order of `counted`. */
  stats(counted: readonly CountedFailures[]): Promise<FailureStats[]>
  /**
   * Counts a wrong password with each of these; not when one of them has to wait by now.
   *
   * @returns how long in milliseconds, or 0: it was counted
   */
  count(counted: readonly CountedFailures[]): Promise<number>
  /**
   * Forgets the failures of `forgotten`, unless one of these has to wait by now.
   *
   * @returns how long in milliseconds, or 0: they are forgotten
   */
  forgive(counted: readonly CountedFailures[], forgotten: Uint8Array): Promise<number>
}

/** Failures that are counted together. */
export interface CountedFailures {
  readonly kind: string
  /** SHA-256 of what they have in common. */
  readonly hash: Uint8Array
  /** From this one on they bring waits: of a second, of two, of four ... */
  readonly free: number
  readonly longestMs: number
}

export interface FailureStats {
  readonly failures: number
  /** 0: none. */
  readonly waitMs: number
}

/** What was asked for, or why it was refused. */
export type Refusable<Done extends string> = Done | 'absent' | 'last_owner' | 'last_admin'

const MEMBER_ROLES = ['owner', 'member'] as const

export type MemberRole = (typeof MEMBER_ROLES)[number]

export interface Person {
  readonly personId: string
  readonly name: string
  readonly login: string
  readonly isAdmin: boolean
  readonly createdAt: Date
}

export interface Membership {
  readonly accountId: string
  readonly accountName: string
  readonly role: MemberRole
}

export interface Member extends Person {
  readonly role: MemberRole
  readonly joinedAt: Date
  /** Of any session. */
  readonly lastSeenAt: Date | undefined
}

export interface OutsideIdentity {
  readonly issuer: string
  readonly subject: string
}

/* ------------------------------------------------------------------- links */

const LINK_PURPOSES = ['first', 'invitation', 'reset'] as const

export type LinkPurpose = (typeof LINK_PURPOSES)[number]

/** Links that work once. `hash`: SHA-256 of the token, which the store never sees. */
export interface SignInLinks {
  /**
   * A new `first` link takes the place of those before it, and is refused once there is an administrator; a new `reset`
   * link takes the place of those of its person. Refused too when the person or the issuer is gone.
   *
   * @param mostInvitations as many may be open at a time: to the account of this one, or of all that make an account of their own; absent: any number
   */
  add(link: NewLink, mostInvitations?: number): Promise<'added' | 'refused' | 'limit_reached'>
  /** One that is not over. */
  find(hash: Uint8Array): Promise<SignInLink | undefined>
  /** Invitations to an account that are not over; without an account, those to an account of their own. */
  invitations(accountId: string | undefined): Promise<SignInLink[]>
  /** Not-over invitation of this login, newest first. */
  findInvitation(login: string): Promise<(SignInLink & { readonly hash: Uint8Array }) | undefined>
  /** Whether there was one. */
  remove(linkId: string): Promise<boolean>
  /** `over`: it was used, or its time has passed. What it makes and its end are one commit. */
  use(hash: Uint8Array, use: LinkUse): Promise<LinkOutcome>
}

export interface NewLink {
  readonly linkId: string
  readonly hash: Uint8Array
  readonly purpose: LinkPurpose
  /** Not for `reset`; for an invitation without it, the person gets an account of their own. */
  readonly accountId?: string
  readonly role?: MemberRole
  /** Who is invited. */
  readonly login?: string
  /** For `reset`. */
  readonly personId?: string
  /** Who gives it out: it ends when they are removed, from the server or an account, or are no owner or administrator any more. */
  readonly issuerId?: string
  readonly expiresAt: Date
}

export interface SignInLink {
  readonly linkId: string
  readonly purpose: LinkPurpose
  readonly accountId: string | undefined
  readonly accountName: string | undefined
  readonly role: MemberRole | undefined
  readonly login: string | undefined
  readonly personId: string | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type LinkUse =
  /** Of `first` and `invitation`. The login counts as given where the link says so, or with an identity. */
  | {
      readonly type: 'new_person'
      readonly person: NewPerson
      /** For an invitation to an account of their own. */
      readonly account?: NewAccount
    }
  /** Somebody who is here already joins the account of an invitation. */
  | { readonly type: 'join'; readonly personId: string; readonly account?: NewAccount }
  /** Of `reset`; ends all sessions. */
  | { readonly type: 'new_password'; readonly passwordHash: string }

export interface NewPerson {
  readonly personId: string
  readonly name: string
  readonly login: string
  readonly passwordHash?: string
  readonly identity?: OutsideIdentity
}

export type LinkOutcome =
  | { readonly outcome: 'used'; readonly personId: string; readonly accountId: string | undefined }
  | { readonly outcome: 'over' | 'login_taken' }

/* ---------------------------------------------------------------- sessions */

/** Of people who are signed in. `hash`: SHA-256 of what their cookie holds. */
export interface WebSessions {
  /** One that is not over. */
  find(hash: Uint8Array): Promise<WebSession | undefined>
  /** Also drops those that are over. Nothing is kept for a person who is gone, or has another password by now. */
  add(session: NewWebSession): Promise<void>
  /** Seen now. One that was ended stays ended. */
  update(hash: Uint8Array, change: { data: string; expiresAt: Date }): Promise<void>
  end(hash: Uint8Array): Promise<void>
  /** Whether there was one. */
  endOf(personId: string, sessionId: string): Promise<boolean>
  /** All but one. Returns how many. */
  endAll(personId: string, except?: Uint8Array): Promise<number>
  /** Last seen first. */
  list(personId: string): Promise<WebSession[]>
}

export interface NewWebSession {
  readonly hash: Uint8Array
  readonly sessionId: string
  readonly personId: string
  readonly data: string
  readonly device: string
  readonly expiresAt: Date
  /** Of the password that it begins with. */
  readonly passwordHash?: string
}

export interface WebSession extends Omit<NewWebSession, 'hash' | 'passwordHash'> {
  readonly createdAt: Date
  readonly seenAt: Date
}

/* ---------------------------------------------------------------- passkeys */

export interface Passkeys {
  /** Oldest first. */
  list(personId: string): Promise<Passkey[]>
  find(credentialId: string): Promise<Passkey | undefined>
  /** @param limit how many one person may have */
  add(passkey: NewPasskey, limit: number): Promise<'added' | 'known' | 'limit_reached'>
  /** Whether the counter went on, so that of two uses of one assertion only one counts. Counters that stay 0 are no copies. */
  used(credentialId: string, counter: number): Promise<boolean>
  remove(personId: string, credentialId: string): Promise<boolean>
}

export interface NewPasskey {
  readonly credentialId: string
  readonly personId: string
  readonly name: string
  readonly publicKey: Uint8Array
  readonly rpId: string
  readonly counter: number
  readonly transports: readonly string[]
}

export interface Passkey extends NewPasskey {
  readonly createdAt: Date
  readonly usedAt: Date | undefined
}
