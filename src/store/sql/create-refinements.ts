import type { Kysely } from 'kysely'
import type { Scope } from '../../domain/scope.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Refinements, ScopedRefinements } from '../refinements.ts'
import type { IntentRunner } from './intent-runner.ts'
import {
  givenUpRefinements,
  readRefinable,
  refinementCandidates,
  refinementPauses,
  refinementSpending,
  refinementSpendingByDay,
  refinementSpendingSince,
  refinementTotals,
} from './read-refinements.ts'
import { refinementTurns } from './refinement-turns.ts'
import type { Database } from './schema.ts'
import type { RefinementLease } from './write-refinements.ts'

export function createRefinements(
  db: Kysely<Database>,
  intents: IntentRunner,
  clock: Clock,
): { readonly of: Refinements; areWanted(): boolean } {
  let wanted = false
  const of: Refinements = {
    want: (now) => {
      wanted = now
    },
    claim: (request) => intents.call('claimRefinement', request),
    extend: (claims, leaseMs) => intents.call('extendRefinements', claims.map(leaseOf), leaseMs),
    release: (claims) => intents.call('releaseRefinements', claims.map(leaseOf)),
    endLeases: () => intents.call('endRefinementLeases'),
    storeCall: (claim, call) => intents.call('storeRefinementCall', claim.accountId, leaseOf(claim), call),
    storeSpending: (accountId, call) => intents.call('storeModelSpending', accountId, call),
    complete: (claim, refined) => intents.call('completeRefinement', leaseOf(claim), refined),
    fail: (claim, failure) => intents.call('failRefinement', leaseOf(claim), failure),
    spent: (accountId, day) => refinementSpending(db, accountId, day),
    spentByDay: (accountId, fromDay) => refinementSpendingByDay(db, accountId, fromDay),
    spentSince: (fromDay) => refinementSpendingSince(db, fromDay),
    async nextAt() {
      const turns = await refinementTurns(db, clock().getTime())
      return turns.length === 0 ? undefined : new Date(Math.min(...turns.map(({ readyAt }) => readyAt)))
    },
    pause: (pause) => intents.call('pauseRefinements', pause),
    resume: (reasons) => intents.call('resumeRefinements', reasons),
    pauses: () => refinementPauses(db, clock().getTime()),
  }
  return { of, areWanted: () => wanted }
}

/** @param accountKey `undefined`: there is no such account */
export function createScopedRefinements(
  db: Kysely<Database>,
  intents: IntentRunner,
  scope: Scope,
  accountKey: () => Promise<number | undefined>,
): ScopedRefinements {
  return {
    async read(ref, mostChunks) {
      const key = await accountKey()
      return key === undefined ? undefined : readRefinable(db, key, scope, ref, mostChunks)
    },
    async candidates(query) {
      const key = await accountKey()
      return key === undefined ? [] : refinementCandidates(db, key, scope, query)
    },
    queue: (keys) => intents.call('queueRefinements', scope, keys),
    async totals() {
      const key = await accountKey()
      return key === undefined ? [] : refinementTotals(db, key, scope)
    },
    async givenUp(limit) {
      const key = await accountKey()
      return key === undefined ? [] : givenUpRefinements(db, key, scope, limit)
    },
  }
}

function leaseOf({ refinementId, leaseToken, accountId }: RefinementLease): RefinementLease {
  return { refinementId, leaseToken, accountId }
}
