import type { Kysely } from 'kysely'
import type { Spaces } from '../spaces.ts'
import type { SqlEngine } from './engine.ts'
import type { IntentRunner } from './intent-runner.ts'
import { listSpaces, missingTexts, spaceEstimate, spaceProgress } from './read-spaces.ts'
import type { Database } from './schema.ts'

/** @param active as `Spaces.active`: asked with every question, so each engine has a fast way of its own */
export function createSpaces(
  db: Kysely<Database>,
  engine: SqlEngine,
  intents: IntentRunner,
  active: Spaces['active'],
): Spaces {
  return {
    list: () => listSpaces(db),
    active,
    begin: ({ spaceId, dimensions, model, background }) =>
      intents.call('beginSpace', { spaceId, dimensions, model: { ...model }, background }),
    activate: (spaceId) => intents.call('activateSpace', spaceId),
    drop: (spaceId) => intents.call('dropSpace', spaceId),
    sweep: () => intents.call('sweepSpace'),
    progress: (spaceId) => spaceProgress(db, spaceId),
    estimate: (spaceId) => spaceEstimate(db, spaceId),
    lease: (request) => intents.call('leaseSpace', request),
    release: (request) => intents.call('releaseSpace', request),
    missing: (spaceId, limit) => missingTexts(db, engine, spaceId, limit),
    fill: (spaceId, filled) => intents.call('fillSpace', spaceId, filled),
    noteProblem: (spaceId, problem) => intents.call('noteSpaceProblem', spaceId, problem),
  }
}
