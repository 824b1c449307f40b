import { createHash } from 'node:crypto'
import { memoryOfAccount } from '../accounts/account-rows.ts'
import type { CommandArguments, CommandName } from '../write-commands.ts'

/**
 * The locks that each write command holds, by name. On SQLite one connection writes, and each command sees what the
 * one before it left; here they run at once, and those that read before they write say what they read. A command that
 * takes several locks takes them in the order of their numbers, so that two never wait for each other.
 *
 * `none`: single statements, upserts and rows that are claimed with `for update skip locked`.
 */
type CommandLocks = {
  readonly [Name in CommandName]: readonly string[] | ((...parameters: CommandArguments<Name>) => readonly string[])
}

const NO_LOCKS: readonly string[] = []

const ofAccount = (accountId: string) => [`account ${accountId}`]

const ofScope = (scope: { readonly accountId: string }) => ofAccount(scope.accountId)

/** What a worker made of an item: one at a time of an account, which is held for its end only (`complete-item.ts`). */
const toStore = (scope: { readonly accountId: string }) => [`storing ${scope.accountId}`]

const ofLedger = (memoryId: string) => [`ledger ${memoryId}`]

const ofGrants = (memoryId: string) => [`grants ${memoryId}`]

const ofMemory = (memoryId: string) => [...ofLedger(memoryId), ...ofGrants(memoryId)]

const PEOPLE = ['people']

const SPACES = ['spaces']

const LOCKS: CommandLocks = {
  announceItem: ofScope,
  putItem: ofScope,
  beginBlob: NO_LOCKS,
  discardBlob: NO_LOCKS,
  discardUnfinished: NO_LOCKS,
  forgetGarbage: NO_LOCKS,
  moveBodyOut: ({ scope }) => ofScope(scope),
  moveBodyIn: ({ scope }) => ofScope(scope),
  repairBody: ({ scope }) => ofScope(scope),
  deleteItem: ofScope,
  forgetItem: (scope) => [...ofScope(scope), ...ofLedger(memoryOfAccount(scope.accountId))],
  requeueFailed: ofScope,
  reprocessItems: ofScope,
  claim: NO_LOCKS,
  claimWithoutBodies: NO_LOCKS,
  extend: NO_LOCKS,
  endLeases: NO_LOCKS,
  beginStaging: toStore,
  stagePart: toStore,
  complete: toStore,
  fail: ofScope,
  postpone: ofScope,
  release: NO_LOCKS,
  chargeAccount: NO_LOCKS,
  requeueOutdated: ['requeue outdated'],
  sweepHidden: ['sweep hidden'],
  createAccount: ['accounts'],
  updateBilling: ofAccount,
  updateAccount: ofAccount,
  createKey: ofScope,
  replaceKeyHash: ofAccount,
  deleteKey: ofAccount,
  addUsage: NO_LOCKS,
  countRequests: NO_LOCKS,
  addActivity: NO_LOCKS,
  pruneActivity: ['prune activity'],
  // With all that whoever writes for an account may hold instead of its own lock.
  beginDeletion: (accountId) => [...PEOPLE, ...ofAccount(accountId), ...ofMemory(memoryOfAccount(accountId))],
  noteHeldByAccount: ofAccount,
  sweepDeletion: (accountId) => [
    ...PEOPLE,
    ...ofAccount(accountId),
    ...ofMemory(memoryOfAccount(accountId)),
    'sweep hidden',
  ],
  noteRemaining: ofAccount,
  identify: ['identity'],
  claimTask: ['daily tasks'],
  endTask: NO_LOCKS,
  beginRun: ofLedger,
  extendRun: ofLedger,
  endRun: ofLedger,
  updateConnection: ofLedger,
  removeConnection: ofLedger,
  saveBudget: ofLedger,
  writeFact: ofLedger,
  commitItems: ofLedger,
  removePartition: ofLedger,
  retryItems: ofLedger,
  dropTombstones: ofLedger,
  beginSpace: SPACES,
  activateSpace: SPACES,
  dropSpace: SPACES,
  sweepSpace: SPACES,
  leaseSpace: SPACES,
  releaseSpace: SPACES,
  fillSpace: SPACES,
  noteSpaceProblem: SPACES,
  addGolden: ofScope,
  removeGolden: ofScope,
  saveGoldenRun: ofScope,
  saveGrant: ofGrants,
  claimGrant: ofGrants,
  renewGrant: ofGrants,
  releaseGrant: ofGrants,
  removeGrant: ofGrants,
  addConsent: ofGrants,
  takeConsent: ofGrants,
  settleConsent: ofGrants,
  removeConsent: ofGrants,
  claimRefinement: ['claim refinement'],
  extendRefinements: NO_LOCKS,
  releaseRefinements: NO_LOCKS,
  endRefinementLeases: NO_LOCKS,
  storeRefinementCall: ofAccount,
  storeModelSpending: ofAccount,
  completeRefinement: ofScope,
  failRefinement: ofScope,
  queueRefinements: ofScope,
  pauseRefinements: ({ accountId }) => ['pause refinements', ...(accountId === undefined ? [] : ofAccount(accountId))],
  resumeRefinements: ['pause refinements'],
  updatePerson: PEOPLE,
  setPassword: PEOPLE,
  removePerson: PEOPLE,
  setRole: PEOPLE,
  removeMember: PEOPLE,
  createOwnedAccount: ['accounts', ...PEOPLE],
  linkIdentity: PEOPLE,
  addLink: PEOPLE,
  removeLink: PEOPLE,
  applyLink: ['accounts', ...PEOPLE],
  // After whoever changes the password that it was proven with, or before.
  addSession: PEOPLE,
  updateSession: NO_LOCKS,
  endSession: NO_LOCKS,
  endSessionOf: NO_LOCKS,
  endSessions: NO_LOCKS,
  signEverybodyOut: PEOPLE,
  addPasskey: PEOPLE,
  usePasskey: NO_LOCKS,
  removePasskey: PEOPLE,
  countFailedSignIn: ['failed sign-ins'],
  forgiveFailedSignIns: ['failed sign-ins'],
  ping: NO_LOCKS,
}

/** The numbers of the locks of a command, in the order in which they are taken. */
export function commandLocks<Name extends CommandName>(
  name: Name,
  parameters: CommandArguments<Name>,
): readonly bigint[] {
  const locks: readonly string[] | ((...given: CommandArguments<Name>) => readonly string[]) = LOCKS[name]
  const names = typeof locks === 'function' ? locks(...parameters) : locks
  return [...new Set(names.map(lockNumber))].sort((a, b) => (a < b ? -1 : 1))
}

/** The number of the lock of an account. */
export function accountLock(accountId: string): bigint {
  return lockNumber(`account ${accountId}`)
}

/** 64 bits of the name's hash: two names that share a number would only wait for each other. */
function lockNumber(name: string): bigint {
  return createHash('sha256').update(`recalld ${name}`).digest().readBigInt64BE()
}

interface Waiter {
  readonly locks: readonly bigint[]
  begin(): void
}

/**
 * Lets those of this process that need the same lock of the database wait here, where they hold no connection. First come,
 * first served, for each lock. Whoever needs several stands in all of their queues from the same moment on, so that of two
 * one is before the other in every queue they share, and never each waits for the other.
 */
export class LockQueue {
  readonly #queues = new Map<bigint, Set<Waiter>>()

  /** Resolves with the function that ends the turn; rejects with `late()` when it did not come within `withinMs`. */
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
    // One that needs several of these locks is found once for each.
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
