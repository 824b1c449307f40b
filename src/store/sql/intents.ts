import { claimRefinement } from './claim-refinement.ts'
import { beginStaging, complete, stagePart } from './complete-item.ts'
import { addConsent, removeConsent, settleConsent, takeConsent } from './consents.ts'
import { countRequests } from './count-requests.ts'
import { claimTask, endTask } from './daily-tasks.ts'
import { identify } from './database-identity.ts'
import type { WriteContext } from './engine.ts'
import { countFailedSignIn, forgiveFailedSignIns } from './failed-sign-ins.ts'
import { sweepHidden } from './hidden-ranges.ts'
import { queueRefinements } from './queue-refinements.ts'
import { chargeAccount } from './round-robin.ts'
import { addActivity, pruneActivity } from './write-activity.ts'
import {
  addUsage,
  createAccount,
  createKey,
  deleteKey,
  replaceKeyHash,
  updateAccount,
  updateBilling,
} from './write-admin.ts'
import {
  beginBlob,
  discardBlob,
  discardUnfinished,
  forgetGarbage,
  moveBodyIn,
  moveBodyOut,
  repairBody,
} from './write-blobs.ts'
import {
  beginRun,
  endRun,
  extendRun,
  removeConnection,
  saveBudget,
  updateConnection,
  writeFact,
} from './write-connections.ts'
import { beginDeletion, noteHeldByAccount, noteRemaining, sweepDeletion } from './write-deletion.ts'
import { addGolden, removeGolden, saveGoldenRun } from './write-golden.ts'
import { claimGrant, releaseGrant, removeGrant, renewGrant, saveGrant } from './write-grants.ts'
import { announceItem, deleteItem, forgetItem, putItem, requeueFailed } from './write-items.ts'
import { commitItems, dropTombstones, removePartition, retryItems } from './write-ledger.ts'
import { reprocessItems } from './write-library.ts'
import {
  createOwnedAccount,
  linkIdentity,
  removeMember,
  removePerson,
  setPassword,
  setRole,
  updatePerson,
} from './write-people.ts'
import {
  claim,
  claimWithoutBodies,
  endLeases,
  extend,
  fail,
  postpone,
  release,
  requeueOutdated,
} from './write-queue.ts'
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
} from './write-refinements.ts'
import {
  addLink,
  addPasskey,
  addSession,
  applyLink,
  endSession,
  endSessionOf,
  endSessions,
  removeLink,
  removePasskey,
  signEverybodyOut,
  updateSession,
  usePasskey,
} from './write-sign-in.ts'
import {
  activateSpace,
  beginSpace,
  dropSpace,
  fillSpace,
  leaseSpace,
  noteSpaceProblem,
  releaseSpace,
  sweepSpace,
} from './write-spaces.ts'

/** Everything that writes, by name: each call is one intent, which happens whole or not at all. */
export const INTENTS = {
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

export type IntentName = keyof typeof INTENTS

export type IntentArguments<Name extends IntentName> =
  Parameters<(typeof INTENTS)[Name]> extends [WriteContext, ...infer Rest] ? Rest : []

export type IntentResult<Name extends IntentName> = Awaited<ReturnType<(typeof INTENTS)[Name]>>
