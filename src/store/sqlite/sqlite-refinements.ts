import type { Kysely } from 'kysely'
import type { Scope } from '../../domain/scope.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Refinements, ScopedRefinements } from '../refinements.ts'
import {
  givenUpRefinements,
  readRefinable,
  refinementCandidates,
  refinementPauses,
  refinementSpending,
  refinementSpendingByDay,
  refinementTotals,
} from '../sql/read-refinements.ts'
import { refinementTurns } from '../sql/refinement-turns.ts'
import type { Database } from '../sql/schema.ts'
import type { RefinementLease } from '../sql/write-refinements.ts'
import type { Writer } from './writer.ts'

export function createRefinements(
  db: Kysely<Database>,
  writer: Writer,
  clock: Clock,
): { readonly of: Refinements; areWanted(): boolean } {
  let wanted = false
  const of: Refinements = {
    want: (now) => {
      wanted = now
    },
    claim: (request) => writer.call('claimRefinement', request),
    extend: (claims, leaseMs) => writer.call('extendRefinements', claims.map(leaseOf), leaseMs),
    release: (claims) => writer.call('releaseRefinements', claims.map(leaseOf)),
    endLeases: () => writer.call('endRefinementLeases'),
    storeCall: (claim, call) => writer.call('storeRefinementCall', claim.accountId, leaseOf(claim), call),
    storeSpending: (accountId, call) => writer.call('storeModelSpending', accountId, call),
    complete: (claim, refined) => writer.call('completeRefinement', leaseOf(claim), refined),
    fail: (claim, failure) => writer.call('failRefinement', leaseOf(claim), failure),
    spent: (accountId, day) => refinementSpending(db, accountId, day),
    spentByDay: (accountId, fromDay) => refinementSpendingByDay(db, accountId, fromDay),
    async nextAt() {
      const turns = await refinementTurns(db, clock().getTime())
      return turns.length === 0 ? undefined : new Date(Math.min(...turns.map(({ readyAt }) => readyAt)))
    },
    pause: (pause) => writer.call('pauseRefinements', pause),
    resume: (reasons) => writer.call('resumeRefinements', reasons),
    pauses: () => refinementPauses(db, clock().getTime()),
  }
  return { of, areWanted: () => wanted }
}

/** @param accountKey `undefined`: there is no such account */
export function createScopedRefinements(
  db: Kysely<Database>,
  writer: Writer,
  scope: Scope,
  accountKey: () => number | undefined,
): ScopedRefinements {
  return {
    async read(ref, mostChunks) {
      const key = accountKey()
      return key === undefined ? undefined : readRefinable(db, key, scope, ref, mostChunks)
    },
    async candidates(query) {
      const key = accountKey()
      return key === undefined ? [] : refinementCandidates(db, key, scope, query)
    },
    queue: (keys) => writer.call('queueRefinements', scope, keys),
    async totals() {
      const key = accountKey()
      return key === undefined ? [] : refinementTotals(db, key, scope)
    },
    async givenUp(limit) {
      const key = accountKey()
      return key === undefined ? [] : givenUpRefinements(db, key, scope, limit)
    },
  }
}

function leaseOf({ refinementId, leaseToken }: RefinementLease): RefinementLease {
  return { refinementId, leaseToken }
}
