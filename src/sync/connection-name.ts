import type { ConnectionName } from '../store/ledger/ledger.ts'
import type { Connection } from './connection.ts'

/** A connection as the ledger and messages name it. */
export function connectionName({ connector, config }: Connection): ConnectionName {
  return { connector: connector.manifest.id, name: config.name }
}
