import type { Ledger } from '../store/ledger/ledger.ts'

/**
 * Ends runs of a process that was killed: their leases would keep the connections from running until they are over.
 *
 * @param holder how the holders of its runs begin
 */
export async function reapOrphanedRuns(
  ledger: Pick<Ledger, 'listConnections' | 'endRun'>,
  holder: string,
): Promise<void> {
  for (const row of await ledger.listConnections()) {
    if (!row.running?.holder.startsWith(holder)) continue
    const problem = 'The last run was cut off before its end.'
    await ledger.endRun(row, row.running.holder, { outcome: 'aborted', problem, report: row.report ?? '{}' })
  }
}
