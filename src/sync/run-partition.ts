import type { Change, ItemRef, Manifest, Partition } from '../connector/connector.ts'
import { mapInOrder } from '../connector/map-in-order.ts'
import { recentSince } from '../connector/recent-window.ts'
import { SourceError } from '../connector/source-error.ts'
import { isNamedIn } from '../domain/source-problems.ts'
import { type LedgerItem, ledgerKey, type PartitionRow } from '../store/ledger/ledger.ts'
import { EntryBatch } from './entry-batch.ts'
import { type Entry, isDue } from './evaluate-entry.ts'
import { isOwn } from './item-state.ts'
import { forgetPartition, forgetUnseen } from './known-items.ts'
import { inParallel } from './memory-changes.ts'
import { PartitionTurns } from './partition-turns.ts'
import { mustGoOn, type PartitionScan, type Reading, type SyncRun, yieldedToOthers } from './sync-run.ts'

/** Concurrently, so that the latency of one does not delay the others. */
const PARTITIONS_AT_ONCE = 4

/** Reads every partition and deletes the items of vanished ones. @throws SourceError, EndOfRun */
export async function runPartitions(run: SyncRun): Promise<void> {
  const { ledger, name, manifest, source, context, tally } = run
  const found = new Map<string, Partition>()
  // Listed completely before anything is compared: an interrupted listing must not look like a loss.
  for await (const partition of source.partitions(context)) found.set(partition.id, partition)
  const rows = await ledger.listPartitions(name)
  const known = new Map(rows.map((row) => [row.partitionId, row]))
  tally.partitionsTotal = found.size
  if (manifest.vanished === 'forget') {
    for (const { partitionId: id, title } of rows) {
      if (!found.has(id)) await forgetPartition(run, { partition: { id, title }, scanNumber: 0, current: true })
    }
  }
  const atOnce = manifest.partitionsAtOnce ?? PARTITIONS_AT_ONCE
  const turns = new PartitionTurns(atOnce)
  // Where one depends on another, the source's order counts.
  const ordered = atOnce === 1 ? [...found.values()] : longestUnread([...found.values()], known)
  tally.expectPartitions(ordered.map(({ id }) => ({ id, ...progressOf(run, known.get(id)) })))
  await inParallel(ordered.length, ordered, async (partition) => {
    await turns.begin()
    try {
      mustGoOn(run)
      mustGiveWay(run)
      tally.reading(partition.title)
      await runPartition({ ...run, turns }, partition, known.get(partition.id))
      tally.partitionDone(partition.id)
    } catch (error) {
      run.end.reason ??= { error }
      throw error
    } finally {
      turns.end()
    }
  })
}

/** Partitions that no run has reached yet come first, then those whose last checkpoint is oldest: a run may give way. */
function longestUnread(partitions: readonly Partition[], known: ReadonlyMap<string, PartitionRow>): Partition[] {
  const readAt = ({ id }: Partition) => known.get(id)?.cursorAt?.getTime() ?? Number.NEGATIVE_INFINITY
  return partitions.toSorted((a, b) => Number(readAt(a) > readAt(b)) - Number(readAt(a) < readAt(b)))
}

/** What earlier runs have read of a partition. */
function progressOf({ manifest, context }: SyncRun, row: PartitionRow | undefined) {
  if (row?.lastSuccessAt !== undefined) return { isFirst: false, isRecentRead: true }
  const { cursor } = readCursors(manifest, row)
  const isRecentRead = cursor !== undefined && manifest.recentRead?.(cursor, recentSince(context)) === true
  return { isFirst: true, isRecentRead }
}

/** @throws EndOfRun when others wait and this run has advanced */
function mustGiveWay({ options, tally, environment }: SyncRun): void {
  if (options.yieldSignal?.aborted && tally.hasAdvanced) throw yieldedToOthers(environment.clock())
}

/** With the turns of the partitions of the run. */
interface PartitionRun extends SyncRun {
  readonly turns: PartitionTurns
}

/** Reads one partition. Its errors are recorded with it, and the others continue. @throws EndOfRun */
async function runPartition(run: PartitionRun, partition: Partition, row: PartitionRow | undefined): Promise<void> {
  try {
    await readPartition(run, partition, row)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    await recordError(run, partition, error)
  }
}

/** At most one restart per run: a source that rejects its own cursors must not be scanned forever. */
async function readPartition(run: PartitionRun, partition: Partition, row: PartitionRow | undefined): Promise<void> {
  try {
    await pass(run, partition, row, run.options.full ?? false)
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'restart') throw error
    run.environment.log.info({ connection: run.name, partition: partition.id }, 'reading the partition from the start')
    const rows = await run.ledger.listPartitions(run.name)
    await pass(
      run,
      partition,
      rows.find(({ partitionId }) => partitionId === partition.id),
      true,
    )
  }
}

async function pass(
  run: PartitionRun,
  partition: Partition,
  row: PartitionRow | undefined,
  anew: boolean,
): Promise<void> {
  const { manifest, source, context, ledger, name } = run
  const begin = await beginPass(run, partition, row, anew)
  const scan = { partition, scanNumber: begin.scanNumber, current: begin.scanning }
  await readChanges(run, scan, source.changes(partition, begin.cursor, context, begin.lastCursor))
  const wasFullScan = begin.scanning && manifest.deletions !== 'none'
  // A complete full scan has found everything. One resumed from a checkpoint misses earlier removals, and its listing
  // may have skipped items: if possible, an inventory is used so that nothing is deleted wrongly.
  const complete = wasFullScan && begin.cursor === undefined
  const resumed = wasFullScan && !complete
  const isDue = !complete && isInventoryDue(run, partition, resumed ? undefined : row)
  const refs = isDue ? source.inventory(partition, context) : undefined
  if (wasFullScan && refs === undefined && !keepsVanished(manifest, partition)) await forgetUnseen(run, scan)
  const due = resumed && refs !== undefined ? { lastInventoryAt: null } : undefined
  if (begin.scanning) await ledger.commit(name, partition.id, { partition: { scanning: false, ...due } })
  if (refs !== undefined) await takeInventory(run, { partition, scanNumber: begin.scanNumber + 1, current: true }, refs)
  const now = run.environment.clock()
  const change = { lastSuccessAt: now, error: null, errorAt: null, remedy: null }
  await ledger.commit(name, partition.id, { partition: { ...change, ...(complete && { lastInventoryAt: now }) } })
}

/** The number of a new full scan is stored before it starts, and survives crashes. */
async function beginPass(run: SyncRun, partition: Partition, row: PartitionRow | undefined, anew: boolean) {
  const { cursor, lastCursor } = readCursors(run.manifest, row, anew)
  const scanning = cursor === undefined || (row?.scanning ?? false)
  const scanNumber = cursor === undefined ? (row?.scanNumber ?? 0) + 1 : (row?.scanNumber ?? 0)
  const change = cursor === undefined ? { cursorAt: null, scanNumber, scanning } : undefined
  if (change !== undefined || row?.title !== partition.title) {
    await run.ledger.commit(run.name, partition.id, { partition: { title: partition.title, ...change } })
  }
  return { cursor, lastCursor, scanNumber, scanning }
}

export function isInventoryDue(
  { manifest, environment, options }: Reading,
  partition: Partition,
  row: PartitionRow | undefined,
): boolean {
  if (manifest.deletions !== 'inventory' || partition.vanished === 'keep') return false
  const now = environment.clock().getTime()
  const last = row?.lastInventoryAt?.getTime()
  // A time in the future was recorded before the clock was set back.
  return options.full || last === undefined || last > now || now - last >= manifest.inventoryEveryMs
}

async function recordError(run: SyncRun, partition: Partition, error: SourceError): Promise<void> {
  const { ledger, name, environment, tally } = run
  const { message, remedy, request } = error
  const facts = { connection: name, partition: partition.id, remedy, error: message, ...(request && { request }) }
  environment.log.warn(facts, 'a partition was skipped')
  const change = { error: message, errorAt: environment.clock(), remedy }
  await ledger.commit(name, partition.id, { partition: change })
  tally.fail({ partition: partition.title, error: message })
  // No part is named twice.
  const problem = isNamedIn(message, partition.title) ? message : `${partition.title}: ${message}`
  if (remedy === 'reconfigure') tally.attention ??= { problem, remedy, cause: error }
  else if (remedy !== 'skip') tally.incomplete = true
}

/**
 * Processes the changes of a partition. A checkpoint is stored together with the outcome of everything before it.
 * @throws SourceError, EndOfRun
 */
async function readChanges(
  run: PartitionRun,
  scan: PartitionScan,
  changes: AsyncIterable<Change<unknown>>,
): Promise<void> {
  const { tally, environment } = run
  const { id, title } = scan.partition
  const batch = new EntryBatch(run, scan)
  let isAtCheckpoint = false
  try {
    for await (const change of changes) {
      mustGoOn(run)
      // Not at the last checkpoint: then the partition is done.
      if (isAtCheckpoint) mustGiveWay(run)
      isAtCheckpoint = change.type === 'checkpoint'
      if (change.type === 'checkpoint') {
        const cursor = JSON.stringify(change.cursor ?? null)
        await batch.flush({ cursor, cursorAt: environment.clock() })
        tally.advanced()
        if (change.recentSince !== undefined && tally.recentRead(id)) {
          await run.turns.continueLater()
          mustGoOn(run)
          tally.reading(title)
        }
      } else if (change.type === 'expected') tally.expect(id, change.items)
      else {
        tally.yielded(id)
        await batch.add(change)
      }
    }
  } catch (error) {
    // Keep the work before the error, so that the next run has less to do.
    await (run.signal.aborted ? batch.settle() : batch.flush())
    throw error
  }
  await batch.flush()
}

const REFS_AT_ONCE = 500
const READ_AT_ONCE = 8

/**
 * Compares a partition with its complete inventory: reads what is missing or differs, deletes what no longer exists.
 */
async function takeInventory(run: SyncRun, scan: PartitionScan, refs: AsyncIterable<ItemRef>): Promise<void> {
  const partitionId = scan.partition.id
  // Stored first, so that an interrupted inventory never counts for a later one.
  await run.ledger.commit(run.name, partitionId, { partition: { scanNumber: scan.scanNumber } })
  const inventory = new Inventory(run, scan)
  for await (const ref of refs) {
    mustGoOn(run)
    await inventory.add(ref)
  }
  await inventory.flush()
  if (!keepsVanished(run.manifest, scan.partition)) await forgetUnseen(run, scan)
  await run.ledger.commit(run.name, partitionId, { partition: { lastInventoryAt: run.environment.clock() } })
}

class Inventory {
  readonly #run: SyncRun
  readonly #scan: PartitionScan
  readonly #batch: EntryBatch
  #refs: ItemRef[] = []

  constructor(run: SyncRun, scan: PartitionScan) {
    this.#run = run
    this.#scan = scan
    this.#batch = new EntryBatch(run, scan)
  }

  async add(ref: ItemRef): Promise<void> {
    this.#refs.push(ref)
    if (this.#refs.length >= REFS_AT_ONCE) await this.flush()
  }

  async flush(): Promise<void> {
    const refs = this.#refs
    this.#refs = []
    if (refs.length === 0) return
    const { ledger, name } = this.#run
    const rows = await ledger.findItems(refs)
    const known: ItemRef[] = []
    const others: ItemRef[] = []
    for (const ref of refs) {
      const row = rows.get(ledgerKey(ref))
      const isRead = row === undefined || !isKnown(this.#run, this.#scan, ref, row)
      ;(isRead ? others : known).push(ref)
    }
    try {
      const read = mapInOrder(others, READ_AT_ONCE, (ref) => this.#read(ref, rows.get(ledgerKey(ref))))
      for await (const entry of read) if (entry !== undefined) await this.#batch.add(entry)
    } catch (error) {
      await this.#batch.settle()
      throw error
    }
    await this.#batch.flush()
    const { scanNumber, partition } = this.#scan
    if (known.length > 0) await ledger.commit(name, partition.id, { seen: { refs: known, scanNumber } })
  }

  /** `undefined`: gone since it was listed; as it is not seen, it is forgotten with the others. */
  async #read(ref: ItemRef, row: LedgerItem | undefined): Promise<Entry | undefined> {
    const { source, context } = this.#run
    try {
      const item = await source.read({ ...ref, partition: this.#scan.partition }, context)
      return item && { type: 'item', item }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      return { type: 'failed', ref: { ...ref, title: ref.title ?? row?.title }, error }
    }
  }
}

/** Nothing of it needs to be read. */
export function isKnown(run: Reading, scan: PartitionScan, ref: ItemRef, row: LedgerItem): boolean {
  if (row.phase === 'forgotten') return true
  if (row.phase === 'removed' || !isOwn(run, scan, row)) return false
  // Failed and settling items have their own due time.
  if ((row.phase === 'failed' || row.phase === 'settling') && !isDue(run, row)) return true
  return ref.revision === undefined || run.selection.stamp(ref.revision) === row.revision
}

/**
 * Where a partition goes on, and the last cursor of an earlier scan too (without a time, so that it is scanned from its
 * start).
 */
export function readCursors(
  manifest: Manifest,
  row: PartitionRow | undefined,
  anew = false,
): { readonly cursor: unknown; readonly lastCursor: unknown } {
  const lastCursor = readCursor(manifest, row?.cursor)
  return { cursor: anew || row?.cursorAt === undefined ? undefined : lastCursor, lastCursor }
}

/** A stored cursor; `undefined` when there is none, or when this version of the connector cannot parse it. */
function readCursor(manifest: Manifest, stored: string | undefined): unknown {
  if (stored === undefined) return undefined
  try {
    return manifest.cursor.safeParse(JSON.parse(stored)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether missing items of a partition stay memorized. */
export function keepsVanished({ vanished }: Pick<Manifest, 'vanished'>, partition: Partition): boolean {
  return vanished === 'keep' || partition.vanished === 'keep'
}
