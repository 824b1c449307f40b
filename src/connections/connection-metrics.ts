import type { Meter } from '../lib/meter.ts'
import type { ConnectionRow, Ledger } from '../store/ledger/ledger.ts'
import type { Connection } from '../sync/connection.ts'
import { connectionName } from '../sync/connection-name.ts'

/**
 * Sets the gauges of the connections that run here, by connector: of several of one, what is worst.
 *
 * @param startedAt of this process: until then nothing is missed of a connection that never ended well
 */
export async function readConnections(
  connections: readonly Connection[],
  ledger: Pick<Ledger, 'listConnections'>,
  { meter, startedAt, now }: { readonly meter: Meter; readonly startedAt: Date; readonly now: Date },
): Promise<void> {
  const rows = await ledger.listConnections()
  for (const [connector, ofConnector] of Map.groupBy(connections.map(connectionName), (name) => name.connector)) {
    const known = ofConnector.map(({ name }) => rows.find((row) => row.connector === connector && row.name === name))
    const successes = known.map((row) => (row?.lastSuccessAt ?? startedAt).getTime())
    const due = known.flatMap((row) => row?.nextRunAt?.getTime() ?? [])
    meter.set('recalld_sync_connections', { connector }, ofConnector.length)
    meter.set('recalld_sync_attention', { connector }, known.filter(needsPerson).length)
    meter.set('recalld_sync_last_success_timestamp_seconds', { connector }, Math.min(...successes) / 1_000)
    if (due.length === 0) continue
    meter.set('recalld_sync_next_run_seconds', { connector }, (Math.min(...due) - now.getTime()) / 1_000)
  }
}

function needsPerson(row: ConnectionRow | undefined): boolean {
  return row?.outcome === 'attention'
}
