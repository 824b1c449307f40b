import type { ItemRef, Partition } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import { type ConnectionRow, type LedgerItem, ledgerKey, type PartitionRow } from '../store/ledger/ledger.ts'
import { type Connection, connectionName, type RunOptions, type SyncEnvironment, selectionOf } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'
import {
  type Candidate,
  type Entry,
  entryRef,
  evaluateEntry,
  isPresentInPartition,
  type Removal,
} from './evaluate-entry.ts'
import { isInventoryDue, isKnown, keepsVanished, readCursors } from './run-partition.ts'
import type { PartitionPreview, PreviewReport } from './run-report.ts'
import { openSource } from './source.ts'
import { type Evaluation, type PartitionScan, type Reading, Tally } from './sync-run.ts'

/**
 * What `syncConnection` would do now. Reads the source and the ledger, and writes nothing, not even rate limits.
 * @throws AppError only when the ledger cannot be read; other errors are in the report
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
  const tally = new Tally(name, options.onProgress, clock)
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
      warnings: tally.warnings,
    })
    tally.account = opened.context.account.title ?? opened.context.account.account
    const { manifest } = connection.connector
    const selection = selectionOf(connection)
    const reading: Reading = { name, manifest, ledger, environment, options, selection, ...opened }
    await previewPartitions(reading, row, tally, partitions)
  } catch (error) {
    if (!(error instanceof SourceError) && !(error instanceof EndOfRun)) throw error
    problem = error.message || 'Stopped before it finished.'
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
  // Other selection rules, or another version of the connector: everything is scanned.
  const full = options.full === true || row?.selection !== selection.hash
  const scanning: Reading = { ...reading, options: { ...options, full } }
  for (const partition of found.values()) {
    tally.reading(partition.title)
    const ofLedger = { row: known.get(partition.id), live: live.get(partition.id) ?? 0 }
    previews.push(await previewPartition(scanning, partition, ofLedger))
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

/** Items except tombstones, by partition. */
async function liveItems({ ledger, name }: Reading): Promise<ReadonlyMap<string, number>> {
  const live = new Map<string, number>()
  for (const { partitionId, phase, count } of await ledger.countItems(name)) {
    if (phase !== 'removed' && phase !== 'forgotten') live.set(partitionId, (live.get(partitionId) ?? 0) + count)
  }
  return live
}

const AT_ONCE = 32
const EXAMPLES = 3

/** The ledger rows of a partition. */
interface KnownPartition {
  readonly row: PartitionRow | undefined
  /** Its items except tombstones. */
  readonly live: number
}

/** Previews a run of one partition. Writes nothing. @throws EndOfRun */
async function previewPartition(
  reading: Reading,
  partition: Partition,
  known: KnownPartition,
): Promise<PartitionPreview> {
  let preview = new Preview(reading, partition, known, reading.options.full ?? false)
  try {
    try {
      await preview.read()
    } catch (error) {
      if (!(error instanceof SourceError) || error.remedy !== 'restart') throw error
      preview = new Preview(reading, partition, known, true)
      await preview.read()
    }
  } catch (error) {
    const isEnded = error instanceof EndOfRun && reading.options.signal.aborted
    if (!isEnded && !(error instanceof SourceError)) throw error
    return { ...preview.numbers(), problem: error.message || 'Stopped before it finished.' }
  }
  return preview.numbers()
}

class Preview {
  readonly #reading: Reading
  readonly #evaluation: Evaluation
  readonly #known: KnownPartition
  readonly #scan: PartitionScan
  readonly #cursor: unknown
  readonly #lastCursor: unknown
  readonly #counts = { new: 0, changed: 0, unchanged: 0, gone: 0, failed: 0, bytes: 0 }
  readonly #secrets: Record<string, number> = {}
  readonly #examples: string[] = []
  /** Ledger items that a full scan or an inventory has found. */
  #met = 0
  /** Filled only before an inventory, which lists the same items again. */
  #listed: Set<string> | undefined
  #entries: Entry[] = []

  constructor(reading: Reading, partition: Partition, known: KnownPartition, anew: boolean) {
    this.#reading = reading
    // The memory is not queried: items deleted there count as changed.
    this.#evaluation = { ...reading, memory: { holds: () => Promise.resolve(true) } }
    this.#known = known
    const { cursor, lastCursor } = readCursors(reading.manifest, known.row, anew)
    this.#cursor = cursor
    this.#lastCursor = lastCursor
    const current = this.#cursor === undefined || (known.row?.scanning ?? false)
    this.#scan = { partition, scanNumber: 0, current }
  }

  numbers(): PartitionPreview {
    return { partition: this.#scan.partition.title, ...this.#counts, examples: this.#examples, secrets: this.#secrets }
  }

  async read(): Promise<void> {
    const { source, context, manifest } = this.#reading
    const whole = this.#cursor === undefined
    // A full scan that resumes from a checkpoint is always followed by an inventory.
    const row = !whole && this.#scan.current ? undefined : this.#known.row
    const takesInventory =
      isInventoryDue(this.#reading, this.#scan.partition, row) && (!whole || manifest.deletions === 'none')
    this.#listed = takesInventory ? new Set() : undefined
    for await (const change of source.changes(this.#scan.partition, this.#cursor, context, this.#lastCursor)) {
      if (change.type !== 'checkpoint' && change.type !== 'expected') await this.#add(change)
    }
    await this.#flush()
    if (whole && manifest.deletions !== 'none') this.#countUnseen()
    if (!takesInventory) return
    this.#met = 0
    await this.#readInventory()
    this.#countUnseen()
  }

  #countUnseen(): void {
    const { manifest } = this.#reading
    // A run reads these before it removes any, and a preview would take as many requests to know.
    if (manifest.missingMayExist || keepsVanished(manifest, this.#scan.partition)) return
    this.#counts.gone += Math.max(0, this.#known.live - this.#met)
  }

  async #readInventory(): Promise<void> {
    const { source, context, ledger } = this.#reading
    let refs: ItemRef[] = []
    const compare = async () => {
      const rows = await ledger.findItems(refs)
      for (const ref of refs) await this.#compare(ref, rows.get(ledgerKey(ref)))
      refs = []
    }
    for await (const ref of source.inventory(this.#scan.partition, context) ?? []) {
      refs.push(ref)
      if (refs.length >= AT_ONCE) await compare()
    }
    await compare()
  }

  async #compare(ref: ItemRef, row: LedgerItem | undefined): Promise<void> {
    const { source, context } = this.#reading
    const { partition } = this.#scan
    if (this.#listed?.has(ledgerKey(ref)) || (row !== undefined && isKnown(this.#reading, this.#scan, ref, row))) {
      if (isPresentInPartition(this.#reading, this.#scan, row)) this.#met++
      return
    }
    try {
      const item = await source.read({ ...ref, partition }, context)
      if (item !== undefined) await this.#take({ type: 'item', item }, row)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      await this.#take({ type: 'failed', ref, error }, row)
    }
  }

  async #add(entry: Entry): Promise<void> {
    this.#listed?.add(ledgerKey(entryRef(entry)))
    this.#entries.push(entry)
    if (this.#entries.length >= AT_ONCE) await this.#flush()
  }

  async #flush(): Promise<void> {
    const entries = this.#entries
    this.#entries = []
    if (entries.length === 0) return
    const rows = await this.#reading.ledger.findItems(entries.map(entryRef))
    for (const entry of entries) await this.#take(entry, rows.get(ledgerKey(entryRef(entry))))
  }

  async #take(entry: Entry, row: LedgerItem | undefined): Promise<void> {
    if (entry.type !== 'gone' && isPresentInPartition(this.#reading, this.#scan, row)) this.#met++
    const evaluated = await evaluateEntry(this.#evaluation, this.#scan, entry, row)
    if (evaluated.kind === 'memorize') this.#countDocument(evaluated.candidate)
    else if (evaluated.kind === 'remove') this.#countRemoval(evaluated.removal, entry)
    else if (evaluated.kind !== 'nothing') this.#counts[evaluated.fate === 'failed' ? 'failed' : 'unchanged']++
  }

  #countDocument({ item, document, held }: Candidate): void {
    this.#counts[held === undefined ? 'new' : 'changed']++
    this.#counts.bytes += document.bytes.length
    this.#addExample(item.title)
    if (document.contentType.startsWith('text/')) this.#countSecrets(new TextDecoder().decode(document.bytes))
  }

  #addExample(title = ''): void {
    const isShown = title.trim() !== '' && Object.keys(this.#reading.environment.countSecrets(title)).length === 0
    if (isShown && this.#examples.length < EXAMPLES && !this.#examples.includes(title)) this.#examples.push(title)
  }

  #countRemoval({ fate }: Removal, entry: Entry): void {
    this.#counts[fate === 'failed' ? 'failed' : 'gone']++
    // Not counted again as unseen.
    if (entry.type === 'gone') this.#met++
  }

  #countSecrets(text: string): void {
    for (const [kind, count] of Object.entries(this.#reading.environment.countSecrets(text))) {
      this.#secrets[kind] = (this.#secrets[kind] ?? 0) + count
    }
  }
}
