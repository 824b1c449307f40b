import type { Partition } from '../connector/connector.ts'
import { forgetPartition } from './forget-rows.ts'
import { runPartition } from './run-partition.ts'
import type { SyncRun } from './sync-run.ts'

/** Reads every partition, and forgets what came from those that are there no more. @throws SourceError, EndOfRun */
export async function runPartitions(run: SyncRun): Promise<void> {
  const { ledger, name, manifest, source, context, tally } = run
  const found = new Map<string, Partition>()
  // All of them before anything is compared: an enumeration that breaks off must not look like a loss.
  for await (const partition of source.partitions(context)) found.set(partition.id, partition)
  const rows = await ledger.listPartitions(name)
  const known = new Map(rows.map((row) => [row.partitionId, row]))
  tally.partitionsTotal = found.size
  if (manifest.vanished === 'forget') {
    for (const { partitionId: id, title } of rows) {
      if (!found.has(id)) await forgetPartition(run, { partition: { id, title }, walk: 0, current: true })
    }
  }
  for (const partition of found.values()) {
    tally.reading(partition.title)
    await runPartition(run, partition, known.get(partition.id))
    tally.partitionsDone++
  }
  tally.progress()
}
