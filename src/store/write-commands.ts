import {
  addUsage,
  countRequests,
  createAccount,
  createKey,
  deleteKey,
  replaceKeyHash,
  updateAccount,
  updateBilling,
} from './accounts/account-writes.ts'
import { addActivity, pruneActivity } from './activity/activity-writes.ts'
import {
  beginBlob,
  discardBlob,
  discardUnfinished,
  forgetGarbage,
  moveBodyIn,
  moveBodyOut,
  repairBody,
} from './bodies/body-writes.ts'
import { claimTask, endTask } from './daily-tasks.ts'
import { identify } from './database-identity.ts'
import { beginDeletion, noteHeldByAccount, noteRemaining, sweepDeletion } from './deletions/deletion-writes.ts'
import type { WriteContext } from './engine.ts'
import { addGolden, removeGolden, saveGoldenRun } from './golden/golden-writes.ts'
import {
  addConsent,
  claimGrant,
  releaseGrant,
  removeConsent,
  removeGrant,
  renewGrant,
  saveGrant,
  settleConsent,
  takeConsent,
} from './grants/grant-writes.ts'
import { announceItem, deleteItem, forgetItem, putItem, reprocessItems, requeueFailed } from './items/item-writes.ts'
import {
  beginRun,
  endRun,
  extendRun,
  removeConnection,
  saveBudget,
  updateConnection,
  writeFact,
} from './ledger/connection-writes.ts'
import { commitItems, dropTombstones, removePartition, retryItems } from './ledger/ledger-writes.ts'
import {
  createOwnedAccount,
  linkIdentity,
  removeMember,
  removePerson,
  setPassword,
  setRole,
  updatePerson,
} from './people/person-writes.ts'
import {
  addLink,
  addPasskey,
  addSession,
  applyLink,
  countFailedSignIn,
  endSession,
  endSessionOf,
  endSessions,
  forgiveFailedSignIns,
  removeLink,
  removePasskey,
  signEverybodyOut,
  updateSession,
  usePasskey,
} from './people/sign-in-writes.ts'
import { beginStaging, complete, stagePart } from './queue/complete-item.ts'
import {
  chargeAccount,
  claim,
  claimWithoutBodies,
  endLeases,
  extend,
  fail,
  postpone,
  release,
  requeueOutdated,
} from './queue/queue-writes.ts'
import { claimRefinement, queueRefinements } from './refinements/refinement-queue.ts'
import {
  completeRefinement,
  endRefinementLeases,
  extendRefinements,
  failRefinement,
  pauseRefinements,
  releaseRefinements,
  resumeRefinements,
  storeModelSpending,
  storeRefinementCall,
} from './refinements/refinement-writes.ts'
import { sweepHidden } from './search/index-writes.ts'
import {
  activateSpace,
  beginSpace,
  dropSpace,
  fillSpace,
  leaseSpace,
  noteSpaceProblem,
  releaseSpace,
  sweepSpace,
} from './spaces/space-writes.ts'

/** Everything that writes, by name: each call is one commit: it happens whole or not at all. */
export const WRITE_COMMANDS = {
  announceItem,
  putItem,
  beginBlob,
  discardBlob,
  discardUnfinished,
  forgetGarbage,
  moveBodyOut,
  moveBodyIn,
  repairBody,
  deleteItem,
  forgetItem,
  requeueFailed,
  reprocessItems,
  claim,
  claimWithoutBodies,
  extend,
  endLeases,
  beginStaging,
  stagePart,
  complete,
  fail,
  postpone,
  chargeAccount,
  release,
  requeueOutdated,
  sweepHidden,
  createAccount,
  updateBilling,
  updateAccount,
  createKey,
  replaceKeyHash,
  deleteKey,
  addUsage,
  countRequests,
  beginDeletion,
  noteHeldByAccount,
  sweepDeletion,
  noteRemaining,
  identify,
  claimTask,
  endTask,
  addActivity,
  pruneActivity,
  beginRun,
  extendRun,
  endRun,
  updateConnection,
  removeConnection,
  saveBudget,
  writeFact,
  commitItems,
  removePartition,
  retryItems,
  dropTombstones,
  beginSpace,
  activateSpace,
  dropSpace,
  sweepSpace,
  leaseSpace,
  releaseSpace,
  fillSpace,
  noteSpaceProblem,
  addGolden,
  removeGolden,
  saveGoldenRun,
  saveGrant,
  claimGrant,
  renewGrant,
  releaseGrant,
  removeGrant,
  addConsent,
  takeConsent,
  settleConsent,
  removeConsent,
  claimRefinement,
  extendRefinements,
  releaseRefinements,
  endRefinementLeases,
  storeRefinementCall,
  storeModelSpending,
  completeRefinement,
  failRefinement,
  queueRefinements,
  pauseRefinements,
  resumeRefinements,
  updatePerson,
  setPassword,
  removePerson,
  setRole,
  removeMember,
  createOwnedAccount,
  linkIdentity,
  addLink,
  removeLink,
  applyLink,
  addSession,
  updateSession,
  endSession,
  endSessionOf,
  endSessions,
  signEverybodyOut,
  addPasskey,
  usePasskey,
  removePasskey,
  countFailedSignIn,
  forgiveFailedSignIns,
  /** Proves that the database can be written. */
  ping: ({ db, engine }: WriteContext) => engine.probe(db),
} as const

export type CommandName = keyof typeof WRITE_COMMANDS

export type CommandArguments<Name extends CommandName> =
  Parameters<(typeof WRITE_COMMANDS)[Name]> extends [WriteContext, ...infer Rest] ? Rest : []

export type CommandResult<Name extends CommandName> = Awaited<ReturnType<(typeof WRITE_COMMANDS)[Name]>>

/** Runs what writes: by a thread of its own on SQLite, each in a transaction of its own on PostgreSQL. */
export interface WriteCommandRunner {
  /** Resolves when the command is durable; rejects when nothing of it happened, or `unavailable` when that is unknown. */
  call<Name extends CommandName>(name: Name, ...parameters: CommandArguments<Name>): Promise<CommandResult<Name>>
  /** As `call`, and may take these buffers over: the caller can no longer read them. */
  callWith<Name extends CommandName>(
    transfer: readonly ArrayBuffer[],
    name: Name,
    ...parameters: CommandArguments<Name>
  ): Promise<CommandResult<Name>>
}
