import { createHash } from 'node:crypto'
import type { IntentArguments, IntentName } from '../sql/intents.ts'
import { memoryOf } from '../sql/read-deletions.ts'

/**
 * What an intent must have alone, by name, while it runs. On SQLite one connection writes, and each intent sees what the
 * one before it left; here they run at once, and those that read before they write say what they read. An intent that
 * takes several locks takes them in the order of their numbers, so that two never wait for each other.
 *
 * `none`: single statements, upserts and rows that are claimed with `for update skip locked`.
 */
type Locks = {
  readonly [Name in IntentName]: readonly string[] | ((...parameters: IntentArguments<Name>) => readonly string[])
}

const NONE: readonly string[] = []
const account = (accountId: string) => [`account ${accountId}`]
const ofScope = (scope: { readonly accountId: string }) => account(scope.accountId)
/** What a worker made of an item: one at a time of an account, which is held for its end only (`complete-item.ts`). */
const toStore = (scope: { readonly accountId: string }) => [`storing ${scope.accountId}`]
const ofLedger = (memoryId: string) => [`ledger ${memoryId}`]
const ofGrants = (memoryId: string) => [`grants ${memoryId}`]
const ofMemory = (memoryId: string) => [...ofLedger(memoryId), ...ofGrants(memoryId)]
const PEOPLE = ['people']
const SPACES = ['spaces']

const LOCKS: Locks = {
  announceItem: ofScope,
  putItem: ofScope,
  beginBlob: NONE,
  discardBlob: NONE,
  discardUnfinished: NONE,
  forgetGarbage: NONE,
  moveBodyOut: ({ scope }) => ofScope(scope),
  moveBodyIn: ({ scope }) => ofScope(scope),
  repairBody: ({ scope }) => ofScope(scope),
  deleteItem: ofScope,
  forgetItem: (scope) => [...ofScope(scope), ...ofLedger(memoryOf(scope.accountId))],
  requeueFailed: ofScope,
  reprocessItems: ofScope,
  claim: NONE,
  claimWithoutBodies: NONE,
  extend: NONE,
  endLeases: NONE,
  beginStaging: toStore,
  stagePart: toStore,
  complete: toStore,
  fail: ofScope,
  postpone: ofScope,
  release: NONE,
  chargeAccount: NONE,
  requeueOutdated: ['requeue outdated'],
  sweepHidden: ['sweep hidden'],
  createAccount: ['accounts'],
  updateBilling: account,
  updateAccount: account,
  createKey: ofScope,
  replaceKeyHash: account,
  deleteKey: account,
  addUsage: NONE,
  countRequests: NONE,
  addActivity: NONE,
  pruneActivity: ['prune activity'],
  // With all that whoever writes for an account may hold instead of its own lock.
  beginDeletion: (accountId) => [...PEOPLE, ...account(accountId), ...ofMemory(memoryOf(accountId))],
  noteHeldByAccount: account,
  sweepDeletion: (accountId) => [...PEOPLE, ...account(accountId), ...ofMemory(memoryOf(accountId)), 'sweep hidden'],
  noteRemaining: account,
  identify: ['identity'],
  claimTask: ['daily tasks'],
  endTask: NONE,
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
  extendRefinements: NONE,
  releaseRefinements: NONE,
  endRefinementLeases: NONE,
  storeRefinementCall: account,
  storeModelSpending: account,
  completeRefinement: ofScope,
  failRefinement: ofScope,
  queueRefinements: ofScope,
  pauseRefinements: ({ accountId }) => ['pause refinements', ...(accountId === undefined ? [] : account(accountId))],
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
  updateSession: NONE,
  endSession: NONE,
  endSessionOf: NONE,
  endSessions: NONE,
  signEverybodyOut: PEOPLE,
  addPasskey: PEOPLE,
  usePasskey: NONE,
  removePasskey: PEOPLE,
  countFailedSignIn: ['failed sign-ins'],
  forgiveFailedSignIns: ['failed sign-ins'],
  ping: NONE,
}

/** The numbers of the locks of an intent, in the order in which they are taken. */
export function intentLocks<Name extends IntentName>(name: Name, parameters: IntentArguments<Name>): readonly bigint[] {
  const locks: readonly string[] | ((...given: IntentArguments<Name>) => readonly string[]) = LOCKS[name]
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
