import { inSpan, NO_TELEMETRY } from '../lib/telemetry.ts'
import { ledgerKey, type PartitionChange } from '../store/ledger/ledger.ts'
import { type Candidate, type Entry, type Evaluated, entryRef, evaluateEntry, type Removal } from './evaluate-entry.ts'
import { BatchOutcomes, memorizeGroup, removeItems } from './memory-changes.ts'
import type { PartitionScan, SyncRun } from './sync-run.ts'

const MOST_ENTRIES = 32
const MOST_BYTES = 1024 * 1024

/** Processes reported items in batches that are bounded in number and bytes. */
export class EntryBatch {
  readonly #run: SyncRun
  readonly #scan: PartitionScan
  #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(run: SyncRun, scan: PartitionScan) {
    this.#run = run
    this.#scan = scan
  }

  async add(entry: Entry): Promise<void> {
    const key = ledgerKey(entryRef(entry))
    // A batch holds one entry for each item, so that entries of an item are processed in order.
    if (this.#entries.has(key)) await this.flush()
    this.#entries.set(key, entry)
    this.#bytes += entry.type === 'item' && typeof entry.item.body !== 'function' ? entry.item.body.length : 0
    if (this.#entries.size >= MOST_ENTRIES || this.#bytes >= MOST_BYTES) await this.flush()
  }

  /** Processes the added entries. @param change of the partition, written together with the last outcomes */
  async flush(change?: PartitionChange): Promise<void> {
    const entries = [...this.#entries.values()]
    this.#entries = new Map()
    this.#bytes = 0
    if (entries.length === 0 && change === undefined) return
    const { tracer } = this.#run.environment.telemetry ?? NO_TELEMETRY
    await inSpan(tracer, 'sync batch', { 'recalld.entries': entries.length }, () => this.#do(entries, change))
  }

  async #do(entries: readonly Entry[], change: PartitionChange | undefined): Promise<void> {
    const outcomes = new BatchOutcomes(this.#run, this.#scan)
    try {
      await this.#take(entries, outcomes)
    } catch (error) {
      // Completed work is recorded; the cursor stays.
      await outcomes.commit()
      throw error
    }
    await outcomes.commit(change)
    this.#run.monitor.check()
  }

  async #take(entries: readonly Entry[], outcomes: BatchOutcomes): Promise<void> {
    if (entries.length === 0) return
    const rows = await this.#run.ledger.findItems(entries.map(entryRef))
    const gathered = new GatheredWork(this.#run, this.#scan, outcomes)
    for (const entry of entries) {
      const row = rows.get(ledgerKey(entryRef(entry)))
      let evaluated: Evaluated
      try {
        this.#run.monitor.check()
        evaluated = await evaluateEntry(this.#run, this.#scan, entry, row)
      } catch (error) {
        // Keep what was read, because reading may have used up a rate limit.
        await gathered.finish()
        throw error
      }
      if (evaluated.kind === 'write') outcomes.add(evaluated.fate, evaluated.state)
      else if (evaluated.kind === 'remove') gathered.remove(evaluated.removal)
      else if (evaluated.kind === 'memorize') {
        this.#run.monitor.read()
        await gathered.memorize(evaluated.candidate)
      } else if (evaluated.kind === 'keep') {
        outcomes.add(evaluated.fate)
        if (row !== undefined && row.walk < this.#scan.walk) outcomes.seen(row)
      }
    }
    await gathered.finish()
  }
}

/** Calls to the memory, made together. */
class GatheredWork {
  readonly #run: SyncRun
  readonly #scan: PartitionScan
  readonly #outcomes: BatchOutcomes
  readonly #removals: Removal[] = []
  #candidates: Candidate[] = []
  #bytes = 0

  constructor(run: SyncRun, scan: PartitionScan, outcomes: BatchOutcomes) {
    this.#run = run
    this.#scan = scan
    this.#outcomes = outcomes
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
    await removeItems(this.#run, this.#scan, this.#removals, this.#outcomes)
  }

  async #memorizeAll(): Promise<void> {
    const candidates = this.#candidates
    this.#candidates = []
    this.#bytes = 0
    if (candidates.length === 0) return
    this.#removals.push(...(await memorizeGroup(this.#run, this.#scan, candidates, this.#outcomes)))
  }
}
