import { mapInOrder } from '../connector/map-in-order.ts'
import { inSpan, NO_TELEMETRY } from '../lib/telemetry.ts'
import { type LedgerItem, ledgerKey, type PartitionChange } from '../store/ledger/ledger.ts'
import { type Candidate, type Entry, type Evaluated, entryRef, evaluateEntry, type Removal } from './evaluate-entry.ts'
import { itemLocks } from './item-locks.ts'
import { BatchOutcomes, memorizeGroup, removeItems } from './memory-changes.ts'
import type { PartitionScan, SyncRun } from './sync-run.ts'

const MOST_ENTRIES = 32
const MOST_BYTES = 1024 * 1024

/** Bodies of one batch that are read ahead. */
const BODIES_AT_ONCE = 8

/** The bodies of one are read while the one before is memorized. */
const BATCHES_AT_ONCE = 2

interface Working {
  /** Nobody else works on its items. */
  readonly locked: Promise<void>
  /** Everything is committed. */
  readonly done: Promise<void>
}

/**
 * Processes reported items in batches that are bounded in number and bytes. Bodies are read ahead; memorizing and
 * committing keep the order of the batches.
 */
export class EntryBatch {
  readonly #run: SyncRun
  readonly #scan: PartitionScan
  #entries = new Map<string, Entry>()
  #bytes = 0
  readonly #working: Working[] = []

  constructor(run: SyncRun, scan: PartitionScan) {
    this.#run = run
    this.#scan = scan
  }

  async add(entry: Entry): Promise<void> {
    const key = ledgerKey(entryRef(entry))
    // A batch holds one entry for each item, so that entries of an item are processed in order.
    if (this.#entries.has(key)) await this.#begin()
    this.#entries.set(key, entry)
    this.#bytes += entry.type === 'item' && typeof entry.item.body !== 'function' ? entry.item.body.length : 0
    if (this.#entries.size >= MOST_ENTRIES || this.#bytes >= MOST_BYTES) await this.#begin()
  }

  /** Processes the added entries to the end. @param change of the partition, written together with the last outcomes */
  async flush(change?: PartitionChange): Promise<void> {
    await this.#begin(change)
    while (this.#working.length > 0) await this.#endFirst()
  }

  /** Waits for what is under way, whatever comes of it. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#working.map(({ done }) => done))
  }

  /** Begins with the gathered entries. @throws what went wrong with those before */
  async #begin(change?: PartitionChange): Promise<void> {
    const entries = [...this.#entries.values()]
    this.#entries = new Map()
    this.#bytes = 0
    while (this.#working.length >= BATCHES_AT_ONCE) await this.#endFirst()
    if (entries.length === 0 && change === undefined) return
    const { tracer } = this.#run.environment.telemetry ?? NO_TELEMETRY
    const { promise: locked, resolve: onLocked } = Promise.withResolvers<void>()
    const before = this.#working.at(-1)
    const done = inSpan(tracer, 'sync batch', { 'recalld.entries': entries.length }, () =>
      this.#do({ entries, change, before, onLocked }),
    ).finally(onLocked)
    // It is thrown by `#endFirst`; until then it is no unhandled rejection.
    done.catch(() => undefined)
    this.#working.push({ locked, done })
  }

  async #endFirst(): Promise<void> {
    await this.#working.shift()?.done
  }

  async #do({ entries, change, before, onLocked }: Batch): Promise<void> {
    // In order, so that no batch waits for an item that a later one holds.
    await before?.locked
    await itemLocks(this.#run.environment.ledger).hold(entries.map(entryRef), async () => {
      onLocked()
      const outcomes = new BatchOutcomes(this.#run, this.#scan)
      const gathered = new GatheredWork(this.#run, this.#scan, { outcomes, before: before?.done })
      try {
        await this.#take(entries, outcomes, gathered)
      } catch (error) {
        await before?.done
        // Completed work is recorded; the cursor stays.
        await outcomes.commit()
        throw error
      }
      await before?.done
      await outcomes.commit(change)
      this.#run.monitor.check()
    })
  }

  async #take(entries: readonly Entry[], outcomes: BatchOutcomes, gathered: GatheredWork): Promise<void> {
    if (entries.length === 0) return
    const rows = await this.#run.ledger.findItems(entries.map(entryRef))
    for await (const { evaluated, row, failure } of mapInOrder(entries, BODIES_AT_ONCE, (entry) =>
      this.#evaluate(entry, rows.get(ledgerKey(entryRef(entry)))),
    )) {
      if (failure !== undefined || this.#run.monitor.mustStop) {
        // Keep what was read, because reading may have used up a rate limit.
        await gathered.finish()
        this.#run.monitor.check()
        throw failure?.error
      }
      if (evaluated.kind === 'write') {
        // A share of failures counts what was memorized before.
        if (evaluated.fate === 'failed') await gathered.before
        outcomes.add(evaluated.fate, evaluated.state)
      } else if (evaluated.kind === 'remove') gathered.remove(evaluated.removal)
      else if (evaluated.kind === 'memorize') {
        this.#run.monitor.read()
        await gathered.memorize(evaluated.candidate)
      } else if (evaluated.kind === 'keep') {
        outcomes.add(evaluated.fate)
        if (row !== undefined && row.scanNumber < this.#scan.scanNumber) outcomes.seen(row)
      }
    }
    await gathered.finish()
  }

  async #evaluate(entry: Entry, row: LedgerItem | undefined): Promise<Evaluation> {
    try {
      this.#run.monitor.check()
      return { row, evaluated: await evaluateEntry(this.#run, this.#scan, entry, row) }
    } catch (error) {
      return { row, failure: { error } }
    }
  }
}

interface Batch {
  readonly entries: readonly Entry[]
  readonly change: PartitionChange | undefined
  /** Of the same partition. */
  readonly before: Working | undefined
  readonly onLocked: () => void
}

type Evaluation = { readonly row: LedgerItem | undefined } & (
  | { readonly evaluated: Evaluated; readonly failure?: never }
  | { readonly evaluated?: never; readonly failure: { readonly error: unknown } }
)

/** Calls to the memory, made together. */
class GatheredWork {
  readonly #run: SyncRun
  readonly #scan: PartitionScan
  readonly #outcomes: BatchOutcomes
  /** The batch before, which is memorized first. */
  readonly before: Promise<void> | undefined
  readonly #removals: Removal[] = []
  #candidates: Candidate[] = []
  #bytes = 0

  constructor(
    run: SyncRun,
    scan: PartitionScan,
    { outcomes, before }: { readonly outcomes: BatchOutcomes; readonly before: Promise<void> | undefined },
  ) {
    this.#run = run
    this.#scan = scan
    this.#outcomes = outcomes
    this.before = before
  }

  remove(removal: Removal): void {
    this.#removals.push(removal)
  }

  async memorize(candidate: Candidate): Promise<void> {
    this.#candidates.push(candidate)
    this.#bytes += candidate.document.bytes.length
    if (this.#bytes >= MOST_BYTES) await this.#memorizeAll()
  }

  async finish(): Promise<void> {
    await this.#memorizeAll()
    await this.before
    await removeItems(this.#run, this.#scan, this.#removals, this.#outcomes)
  }

  async #memorizeAll(): Promise<void> {
    const candidates = this.#candidates
    this.#candidates = []
    this.#bytes = 0
    if (candidates.length === 0) return
    await this.before
    this.#removals.push(...(await memorizeGroup(this.#run, this.#scan, candidates, this.#outcomes)))
  }
}
