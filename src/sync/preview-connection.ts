import type { Partition } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import type { ConnectionRow } from '../store/ledger/ledger.ts'
import type { Connection, RunOptions, SyncEnvironment } from './connection.ts'
import { connectionName } from './connection-name.ts'
import { EndOfRun } from './end-of-run.ts'
import { openSource } from './open-source.ts'
import { previewPartition } from './preview-partition.ts'
import type { PartitionPreview, PreviewReport } from './run-report.ts'
import { selectionOf } from './selection.ts'
import type { Reading } from './sync-run.ts'
import { Tally } from './tally.ts'

/**
 * What `syncConnection` would take now. Reads the source and the ledger, and writes nothing: neither to the memory nor to
 * the ledger, not even rate limits.
 *
 * @throws AppError only when the ledger cannot be read; everything else is in the report
 */
export async function previewConnection(
  connection: Connection,
  environment: SyncEnvironment,
  options: RunOptions,
): Promise<PreviewReport> {
  const { clock, ledger } = environment
  const name = connectionName(connection)
  const began = clock().getTime()
  const rows = await ledger.listConnections()
  const row = rows.find((one) => one.connector === name.connector && one.name === name.name)
  const partitions: PartitionPreview[] = []
  const tally = new Tally(name, options.onProgress)
  tally.account = row?.accountTitle ?? row?.account ?? ''
  let problem: string | undefined
  try {
    const opened = await openSource({
      connection,
      environment,
      signal: options.signal,
      account: row?.account,
      persist: false,
      counts: tally.requests,
    })
    tally.account = opened.context.account.title ?? opened.context.account.account
    const { manifest } = connection.connector
    const selection = selectionOf(connection)
    const reading: Reading = { name, manifest, ledger, environment, options, selection, ...opened }
    await previewPartitions(reading, row, tally, partitions)
  } catch (error) {
    if (!(error instanceof SourceError) && !(error instanceof EndOfRun)) throw error
    problem = error.message || 'It was ended before it was through.'
  }
  return {
    ...name,
    account: tally.account,
    partitions,
    requests: tally.requests.sent,
    waited_ms: tally.requests.waitedMs,
    duration_ms: clock().getTime() - began,
    ...(problem !== undefined && { problem }),
  }
}

async function previewPartitions(
  reading: Reading,
  row: ConnectionRow | undefined,
  tally: Tally,
  previews: PartitionPreview[],
): Promise<void> {
  const { ledger, name, manifest, source, context, selection, options } = reading
  const found = new Map<string, Partition>()
  for await (const partition of source.partitions(context)) found.set(partition.id, partition)
  const known = new Map((await ledger.listPartitions(name)).map((partition) => [partition.partitionId, partition]))
  const live = await liveItems(reading)
  tally.partitionsTotal = found.size
  // Other rules, or another version of the connector: everything is walked.
  const full = options.full === true || row?.selection !== selection.hash
  const walking: Reading = { ...reading, options: { ...options, full } }
  for (const partition of found.values()) {
    tally.reading(partition.title)
    const ofLedger = { row: known.get(partition.id), live: live.get(partition.id) ?? 0 }
    previews.push(await previewPartition(walking, partition, ofLedger))
    tally.partitionsDone++
    if (options.signal.aborted) throw new EndOfRun('aborted', '')
  }
  if (manifest.vanished === 'keep') return
  for (const { partitionId, title } of known.values()) {
    const gone = live.get(partitionId) ?? 0
    if (found.has(partitionId) || gone === 0) continue
    const nothing = { new: 0, changed: 0, unchanged: 0, failed: 0, bytes: 0, examples: [], secrets: {} }
    previews.push({ partition: title, ...nothing, gone })
  }
}

/** Items that are no tombstones, by partition. */
async function liveItems({ ledger, name }: Reading): Promise<ReadonlyMap<string, number>> {
  const live = new Map<string, number>()
  for (const { partitionId, phase, count } of await ledger.countItems(name)) {
    if (phase !== 'removed' && phase !== 'forgotten') live.set(partitionId, (live.get(partitionId) ?? 0) + count)
  }
  return live
}
