import { createHash } from 'node:crypto'
import { memoryOfAccount } from '../accounts/account-rows.ts'
import { accountCommands } from '../accounts/account-writes.ts'
import { authorizationCommands } from '../authorizations/authorization-writes.ts'
import { bodyCommands } from '../bodies/body-writes.ts'
import { deletionCommands } from '../deletions/deletion-writes.ts'
import { editCommands } from '../edits/edit-writes.ts'
import { goldenCommands } from '../golden/golden-writes.ts'
import { grantCommands } from '../grants/grant-writes.ts'
import { itemCommands } from '../items/item-writes.ts'
import { connectionCommands } from '../ledger/connection-writes.ts'
import { ledgerCommands } from '../ledger/ledger-writes.ts'
import { nameCommands } from '../names/name-writes.ts'
import { personCommands } from '../people/person-writes.ts'
import { signInCommands } from '../people/sign-in-writes.ts'
import { completionCommands } from '../queue/complete-item.ts'
import { queueCommands } from '../queue/queue-writes.ts'
import { refinementCommands } from '../refinements/refinement-writes.ts'
import { spaceCommands } from '../spaces/space-writes.ts'
import { tagCommands } from '../tags/tag-writes.ts'
import type { CommandArguments, CommandName } from '../write-commands.ts'

/**
 * The locks of each write command. SQLite has one writing connection, so each command sees the result of the one before. Here
 * commands run at the same time, and those that read before they write lock what they read. Locks are taken in the order of
 * their numbers, which prevents deadlocks.
 */
type CommandLocks = {
  readonly [Name in CommandName]: readonly string[] | ((...parameters: CommandArguments<Name>) => readonly string[])
}

/** For single statements, upserts and rows that are claimed with `for update skip locked`. */
const NO_LOCKS: readonly string[] = []
const PEOPLE = ['people']
const SPACES = ['spaces']
const ofAccount = (accountId: string) => [`account ${accountId}`]
const ofScope = (scope: { readonly accountId: string }) => ofAccount(scope.accountId)
const ofItem = ({ scope }: { readonly scope: { readonly accountId: string } }) => ofScope(scope)
const ofLedger = (memoryId: string) => [`ledger ${memoryId}`]
const ofAuthorization = (authorizationId: string) => [`authorization ${authorizationId}`]
const ofGrants = (memoryId: string) => [`grants ${memoryId}`]
/** All locks that a command for the account can hold instead of the account lock. */
const ofDeletion = (accountId: string) => {
  const memoryId = memoryOfAccount(accountId)
  return [...PEOPLE, ...ofAccount(accountId), ...ofLedger(memoryId), ...ofGrants(memoryId)]
}

const LOCKS: CommandLocks = {
  ...each(accountCommands, ofAccount),
  ...{ createAccount: ['accounts'], createKey: ofScope, addUsage: NO_LOCKS, countRequests: NO_LOCKS },
  ...{ addActivity: NO_LOCKS, pruneActivity: ['prune activity'] },
  ...each(authorizationCommands, NO_LOCKS),
  addAuthorization: ({ accountId }) => [...PEOPLE, ...ofAccount(accountId)],
  endAuthorization: ofAuthorization,
  // What is saved and the end of its authorization exclude each other.
  saveAgentToken: ({ authorizationId }) =>
    authorizationId === undefined ? ['agent requests'] : ofAuthorization(authorizationId),
  addAgentClient: ['agent clients'],
  ...each(bodyCommands, NO_LOCKS),
  ...{ moveBodyOut: ofItem, moveBodyIn: ofItem, repairBody: ofItem },
  ...each(deletionCommands, ofAccount),
  ...{ beginDeletion: ofDeletion, sweepDeletion: (accountId) => [...ofDeletion(accountId), 'sweep hidden'] },
  ...each(editCommands, ofScope),
  ...each(goldenCommands, ofScope),
  ...each(grantCommands, ofGrants),
  ...each(itemCommands, ofScope),
  forgetItem: (scope) => [...ofScope(scope), ...ofLedger(memoryOfAccount(scope.accountId))],
  ...each(connectionCommands, ofLedger),
  ...each(ledgerCommands, ofLedger),
  ...each(nameCommands, ofScope),
  ...each(personCommands, PEOPLE),
  createOwnedAccount: ['accounts', ...PEOPLE],
  // A new session and a change of its password exclude each other.
  ...each(signInCommands, PEOPLE),
  ...{ applyLink: ['accounts', ...PEOPLE], usePasskey: NO_LOCKS },
  ...{ updateSession: NO_LOCKS, endSession: NO_LOCKS, endSessionOf: NO_LOCKS, endSessions: NO_LOCKS },
  ...{ countFailedSignIn: ['failed sign-ins'], forgiveFailedSignIns: ['failed sign-ins'] },
  ...each(queueCommands, NO_LOCKS),
  ...{ fail: ofScope, postpone: ofScope, requeueOutdated: ['requeue outdated'] },
  // They lock the account themselves, after what takes long.
  ...each(completionCommands, NO_LOCKS),
  ...{ claimRefinement: ['claim refinement'], queueRefinements: ofScope },
  ...each(refinementCommands, NO_LOCKS),
  ...{ storeRefinementCall: ofAccount, storeModelSpending: ofAccount },
  ...{ completeRefinement: ofScope, failRefinement: ofScope },
  pauseRefinements: ({ accountId }) => ['pause refinements', ...(accountId === undefined ? [] : ofAccount(accountId))],
  resumeRefinements: ['pause refinements'],
  ...each(spaceCommands, SPACES),
  ...each(tagCommands, ofScope),
  ...{ sweepHidden: ['sweep hidden'], identify: ['identity'], claimTask: ['daily tasks'], endTask: NO_LOCKS },
  ping: NO_LOCKS,
}

/** The same lock for each of these commands. */
function each<Commands extends object, Lock>(commands: Commands, lock: Lock) {
  return Object.fromEntries(Object.keys(commands).map((name) => [name, lock])) as Readonly<Record<keyof Commands, Lock>>
}

/** The numbers of the locks of a command, in the order in which they are taken. */
export function commandLocks<Name extends CommandName>(
  name: Name,
  parameters: CommandArguments<Name>,
): readonly bigint[] {
  const locks: readonly string[] | ((...given: CommandArguments<Name>) => readonly string[]) = LOCKS[name]
  const names = typeof locks === 'function' ? locks(...parameters) : locks
  return lockNumbers(names)
}

/** The numbers of the locks of accounts, in the order in which they are taken. */
export function accountLocks(accountIds: readonly string[]): readonly bigint[] {
  return lockNumbers(accountIds.flatMap(ofAccount))
}

function lockNumbers(names: readonly string[]): readonly bigint[] {
  return [...new Set(names.map(lockNumber))].sort((a, b) => (a < b ? -1 : 1))
}

/** 64 bits of the hash of the name. Two names with the same number would only wait for each other. */
function lockNumber(name: string): bigint {
  return createHash('sha256').update(`recalld ${name}`).digest().readBigInt64BE()
}

interface Waiter {
  readonly locks: readonly bigint[]
  begin(): void
}

/**
 * Queues the commands of this process that need the same database lock, so that they hold no connection while they wait. Each
 * lock is first come, first served. A command that needs several joins all their queues at once, so any two commands have
 * the same order in every queue they share, which prevents deadlocks.
 */
export class LockQueue {
  readonly #queues = new Map<bigint, Set<Waiter>>()

  /** Resolves with a function that releases the locks; rejects with `late()` when they are not free within `withinMs`. */
  take(locks: readonly bigint[], withinMs: number, late: () => unknown): Promise<() => void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const turn: Waiter = {
        locks,
        begin: () => {
          clearTimeout(timer)
          resolve(() => this.#leave(turn))
        },
      }
      for (const lock of locks) this.#queueOf(lock).add(turn)
      if (this.#isFirst(turn)) return turn.begin()
      timer = setTimeout(() => {
        this.#leave(turn)
        reject(late())
      }, withinMs)
    })
  }

  #leave(turn: Waiter): void {
    const wasFirst = turn.locks.filter((lock) => this.#first(lock) === turn)
    for (const lock of turn.locks) {
      const queue = this.#queueOf(lock)
      queue.delete(turn)
      if (queue.size === 0) this.#queues.delete(lock)
    }
    // A set, because a command that needs several of these locks is first in several queues.
    const next = new Set(wasFirst.map((lock) => this.#first(lock)))
    for (const one of next) if (one !== undefined && this.#isFirst(one)) one.begin()
  }

  #isFirst(turn: Waiter): boolean {
    return turn.locks.every((lock) => this.#first(lock) === turn)
  }

  #first(lock: bigint): Waiter | undefined {
    return this.#queues.get(lock)?.values().next().value
  }

  #queueOf(lock: bigint): Set<Waiter> {
    const known = this.#queues.get(lock)
    if (known !== undefined) return known
    const made = new Set<Waiter>()
    this.#queues.set(lock, made)
    return made
  }
}
