import type { Partition } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import type { PartitionRow } from '../store/ledger/ledger.ts'
import { forgetUnseen } from './forget-rows.ts'
import { keepsVanished } from './keeps-vanished.ts'
import { readChanges } from './read-changes.ts'
import { readCursor } from './read-cursor.ts'
import type { Reading, SyncRun } from './sync-run.ts'
import { takeInventory } from './take-inventory.ts'

/** Reads one partition. Its errors are recorded with it, and the others go on. @throws EndOfRun */
export async function runPartition(run: SyncRun, partition: Partition, row: PartitionRow | undefined): Promise<void> {
  try {
    await readPartition(run, partition, row)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    await recordError(run, partition, error)
  }
}

/** At most one new beginning per run: a source that refuses its own cursors must not be walked for ever. */
async function readPartition(run: SyncRun, partition: Partition, row: PartitionRow | undefined): Promise<void> {
  try {
    await pass(run, partition, row, run.options.full ?? false)
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'restart') throw error
    run.environment.log.info(
      { connection: run.name, partition: partition.id },
      'reading the partition from its beginning',
    )
    const rows = await run.ledger.listPartitions(run.name)
    await pass(
      run,
      partition,
      rows.find(({ partitionId }) => partitionId === partition.id),
      true,
    )
  }
}

async function pass(run: SyncRun, partition: Partition, row: PartitionRow | undefined, anew: boolean): Promise<void> {
  const { manifest, source, context, ledger, name } = run
  const begin = await beginPass(run, partition, row, anew)
  const place = { partition, walk: begin.walk, current: begin.walking }
  await readChanges(run, place, source.changes(partition, begin.cursor, context))
  const walked = begin.walking && manifest.deletions !== 'none'
  // A walk from the beginning has seen everything. One that went on from a checkpoint lacks what was removed before it,
  // and its listing may have skipped what is there: by an inventory, where there is one, nothing is forgotten wrongly.
  const complete = walked && begin.cursor === undefined
  const resumed = walked && !complete
  const isDue = !complete && isInventoryDue(run, partition, resumed ? undefined : row)
  const refs = isDue ? source.inventory(partition, context) : undefined
  if (walked && refs === undefined && !keepsVanished(manifest, partition)) await forgetUnseen(run, place)
  const due = resumed && refs !== undefined ? { lastInventoryAt: null } : undefined
  if (begin.walking) await ledger.commit(name, partition.id, { partition: { walking: false, ...due } })
  if (refs !== undefined) await takeInventory(run, { partition, walk: begin.walk + 1, current: true }, refs)
  const now = run.environment.clock()
  const change = { lastSuccessAt: now, error: null, errorAt: null, remedy: null }
  await ledger.commit(name, partition.id, { partition: { ...change, ...(complete && { lastInventoryAt: now }) } })
}

/** A number for a new walk is written before the walk, and goes with it over crashes. */
async function beginPass(run: SyncRun, partition: Partition, row: PartitionRow | undefined, anew: boolean) {
  const cursor = anew ? undefined : readCursor(run.manifest, row?.cursor)
  const walking = cursor === undefined || (row?.walking ?? false)
  const walk = cursor === undefined ? (row?.walk ?? 0) + 1 : (row?.walk ?? 0)
  const change = cursor === undefined ? { cursor: null, cursorAt: null, walk, walking } : undefined
  if (change !== undefined || row?.title !== partition.title) {
    await run.ledger.commit(run.name, partition.id, { partition: { title: partition.title, ...change } })
  }
  return { cursor, walk, walking }
}

export function isInventoryDue(
  { manifest, environment, options }: Reading,
  partition: Partition,
  row: PartitionRow | undefined,
): boolean {
  if (manifest.deletions !== 'inventory' || partition.vanished === 'keep') return false
  const now = environment.clock().getTime()
  const last = row?.lastInventoryAt?.getTime()
  // One of the future was taken before the clock was set back.
  return options.full || last === undefined || last > now || now - last >= manifest.inventoryEveryMs
}

async function recordError(run: SyncRun, partition: Partition, error: SourceError): Promise<void> {
  const { ledger, name, environment, tally } = run
  const { message, remedy } = error
  environment.log.warn(
    { connection: name, partition: partition.id, remedy, error: message },
    'a partition was not read',
  )
  const change = { error: message, errorAt: environment.clock(), remedy }
  await ledger.commit(name, partition.id, { partition: change })
  tally.fail({ partition: partition.title, error: message })
  // A folder is named in its message.
  const problem = message.startsWith(partition.title) ? message : `${partition.title}: ${message}`
  if (remedy === 'reconfigure') tally.attention ??= { problem, remedy }
  else if (remedy !== 'skip') tally.incomplete = true
}
