import type { Spaces } from '../spaces.ts'
import { listSpaces, missingTexts, spaceEstimate, spaceProgress } from '../sql/read-spaces.ts'
import type { Connection } from './connection.ts'
import type { Writer } from './writer.ts'

export function createSpaces(connection: Connection, writer: Writer): Spaces {
  const { db } = connection
  return {
    list: () => listSpaces(db),
    async active() {
      const [row] = connection.prepareRows(ACTIVE).all() as unknown as [string, number][]
      return row && { spaceId: row[0], background: row[1] }
    },
    begin: ({ spaceId, dimensions, model, background }) =>
      writer.call('beginSpace', { spaceId, dimensions, model: { ...model }, background }),
    activate: (spaceId) => writer.call('activateSpace', spaceId),
    drop: (spaceId) => writer.call('dropSpace', spaceId),
    sweep: () => writer.call('sweepSpace'),
    progress: (spaceId) => spaceProgress(db, spaceId),
    estimate: (spaceId) => spaceEstimate(db, spaceId),
    lease: (request) => writer.call('leaseSpace', request),
    release: (request) => writer.call('releaseSpace', request),
    missing: (spaceId, limit) => missingTexts(db, spaceId, limit),
    fill: (spaceId, filled) => writer.call('fillSpace', spaceId, filled),
    noteProblem: (spaceId, problem) => writer.call('noteSpaceProblem', spaceId, problem),
  }
}

// Past Kysely: asked with every question.
const ACTIVE = "select space_id, background from space where state = 'active'"
