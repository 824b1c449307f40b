import { createHash } from 'node:crypto'
import type { Log } from '../lib/log.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { Connection } from '../sync/connection.ts'
import { connectionName } from '../sync/connection-name.ts'
import { scheduleOf } from '../sync/schedule-of.ts'
import { selectionOf } from '../sync/selection.ts'

/** What the schedulers of a ledger run, so that processes whose config.yaml differ are noticed. */
export interface SharedConnections {
  /** Notes what this process runs, and warns when another one runs something else. */
  note(connections: readonly Connection[]): Promise<void>
  /** Whether what runs is something else than this. While nothing was ever run, nothing is. */
  differFrom(connections: readonly Connection[]): Promise<boolean>
}

const FACT = 'connections'

export function sharedConnections(ledger: Pick<Ledger, 'readFact' | 'writeFact'>, log: Log): SharedConnections {
  let noted: string | undefined
  return {
    async note(connections) {
      const mine = digestOf(connections)
      const known = await ledger.readFact(FACT)
      // What this process noted before is what has just been changed.
      if (known !== undefined && known !== mine && known !== noted) {
        log.warn(
          { connections: connections.length },
          'the config.yaml of this process names other connections than another one ran last: give all of them the same',
        )
      }
      noted = mine
      if (known !== mine) await ledger.writeFact(FACT, mine)
    },
    async differFrom(connections) {
      const known = await ledger.readFact(FACT)
      return known !== undefined && known !== digestOf(connections)
    },
  }
}

/** Of names, times and what is taken; not of tokens, which need not be the same text. */
function digestOf(connections: readonly Connection[]): string {
  const all = connections.map((connection) => {
    const { connector, name } = connectionName(connection)
    const { paused = false } = connection.config
    return JSON.stringify([connector, name, scheduleOf(connection), paused, selectionOf(connection).hash])
  })
  return createHash('sha256').update(all.sort().join('\n')).digest('hex').slice(0, 32)
}
