import type { NewAccount } from '../accounts/accounts.ts'

/**
 * People who sign in to the app, their accounts, and their sign-in methods. For the whole server: a person may belong
 * to several accounts. Everyone belongs to at least one, each account with members has an owner, and the server has an
 * administrator; commits that would violate this are rejected.
 */
export interface People {
  /** Whether somebody has signed up. */
  anyone(): Promise<boolean>
  /** All, oldest first. */
  list(): Promise<Person[]>
  find(personId: string): Promise<Person | undefined>
  /** Ignores case. */
  findLogin(login: string): Promise<Person | undefined>
  /** An identity of an OpenID Connect provider. */
  findIdentity(identity: OutsideIdentity): Promise<Person | undefined>
  /** `undefined`: no such person, or no password. */
  passwordHash(personId: string): Promise<string | undefined>
  /** Oldest first. */
  memberships(personId: string): Promise<Membership[]>
  /** People of an account, oldest first. */
  members(accountId: string): Promise<Member[]>
  update(
    personId: string,
    change: { name?: string; login?: string; isAdmin?: boolean },
  ): Promise<'updated' | 'absent' | 'login_taken' | 'last_admin'>
  /** Ends the person's sessions except the named one, and revokes their reset links. */
  setPassword(personId: string, passwordHash: string, keep?: Uint8Array): Promise<'updated' | 'absent'>
  /** Including all sign-in methods. */
  remove(personId: string): Promise<Refusable<'removed'>>
  setRole(member: { accountId: string; personId: string }, role: MemberRole): Promise<Refusable<'updated'>>
  /** People who belong to no other account are removed entirely. */
  removeMember(member: { accountId: string; personId: string }): Promise<Refusable<'removed'>>
  /** With its owner, in one commit. */
  createAccount(account: NewAccount, ownerId: string): Promise<'created' | 'absent'>
  /**
   * Links the identity to the person with this login, if the provider confirms the login too.
   * @returns their id; `undefined`: no such person, the login is only their own claim, or they have another identity at
   * this provider
   */
  linkIdentity(login: string, identity: OutsideIdentity): Promise<string | undefined>
  /** Ends all sessions, and all links. */
  signEverybodyOut(): Promise<void>
  readonly links: SignInLinks
  readonly sessions: WebSessions
  readonly passkeys: Passkeys
  readonly failedSignIns: FailedSignIns
}

/** Failed passwords of all processes; kept for an hour, and of each kind the latest 10 000. */
export interface FailedSignIns {
  /** Failures and waits, in the order of `counted`. */
  stats(counted: readonly CountedFailures[]): Promise<FailureStats[]>
  /**
   * Counts a failed password for each of these, unless one of them has to wait.
   * @returns the wait in milliseconds, or 0: it was counted
   */
  count(counted: readonly CountedFailures[]): Promise<number>
  /**
   * Clears the failures of `forgotten`, unless one of these has to wait.
   * @returns the wait in milliseconds, or 0: they are cleared
   */
  forgive(counted: readonly CountedFailures[], forgotten: Uint8Array): Promise<number>
}

/** Failures that are counted together. */
export interface CountedFailures {
  readonly kind: string
  /** SHA-256 of what they have in common. */
  readonly hash: Uint8Array
  /** From this number on, each failure adds a wait: of one second, two, four ... */
  readonly free: number
  readonly longestMs: number
}

export interface FailureStats {
  readonly failures: number
  /** 0: none. */
  readonly waitMs: number
}

/** The result, or why it was refused. */
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

/** One-time links. `hash`: SHA-256 of the token, which the store never sees. */
export interface SignInLinks {
  /**
   * A new `first` link replaces earlier ones, and is refused once there is an administrator; a new `reset` link
   * replaces those of its person. Refused too when the person or the issuer no longer exists.
   * @param mostInvitations maximum of open invitations: to this account, or in total for those to a new account;
   * absent: unlimited
   */
  add(link: NewLink, mostInvitations?: number): Promise<'added' | 'refused' | 'limit_reached'>
  /** A link that has not expired. */
  find(hash: Uint8Array): Promise<SignInLink | undefined>
  /** Open invitations to an account; without an account, those to a new account. */
  invitations(accountId: string | undefined): Promise<SignInLink[]>
  /** Open invitations for this login, newest first. */
  findInvitation(login: string): Promise<(SignInLink & { readonly hash: Uint8Array }) | undefined>
  /** Whether it existed. */
  remove(linkId: string): Promise<boolean>
  /** `over`: it was used or has expired. Using it and its effect are one commit. */
  use(hash: Uint8Array, use: LinkUse): Promise<LinkOutcome>
}

export interface NewLink {
  readonly linkId: string
  readonly hash: Uint8Array
  readonly purpose: LinkPurpose
  /** Not for `reset`; without it, an invited person gets a new account. */
  readonly accountId?: string
  readonly role?: MemberRole
  /** Who is invited. */
  readonly login?: string
  /** For `reset`. */
  readonly personId?: string
  /** The issuer: the link ends when they are removed, from the server or an account, or lose their role. */
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
  /** For `first` and `invitation`. The login is trusted if the link names it, or with an identity. */
  | {
      readonly type: 'new_person'
      readonly person: NewPerson
      /** For an invitation to a new account. */
      readonly account?: NewAccount
    }
  /** An existing person joins the account of an invitation. */
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

/** Sessions of signed-in people. `hash`: SHA-256 of the cookie. */
export interface WebSessions {
  /** A session that has not expired. */
  find(hash: Uint8Array): Promise<WebSession | undefined>
  /** Also deletes expired ones. Stores nothing if the person was deleted or has a new password. */
  add(session: NewWebSession): Promise<void>
  /** Updates the last use. An ended session stays ended. */
  update(hash: Uint8Array, change: { data: string; expiresAt: Date }): Promise<void>
  end(hash: Uint8Array): Promise<void>
  /** Whether it existed. */
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
  /** Of the password with which it began. */
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
  /** @param limit maximum per person */
  add(passkey: NewPasskey, limit: number): Promise<'added' | 'known' | 'limit_reached'>
  /** Whether the counter increased, so that a replayed assertion is rejected. Counters that stay 0 are accepted. */
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
