import { mapInOrder } from '../connector/map-in-order.ts'
import { inSpan, NO_TELEMETRY } from '../lib/telemetry.ts'
import { type LedgerItem, ledgerKey, type PartitionChange } from '../store/ledger/ledger.ts'
import { BatchBodies, type BodyBudget, bodyBudget } from './body-budget.ts'
import {
  type Candidate,
  type Entry,
  type Evaluated,
  entryRef,
  evaluateEntry,
  type ReadBody,
  type Removal,
} from './evaluate-entry.ts'
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
    const { ledger } = this.#run.environment
    await itemLocks(ledger).hold(entries.map(entryRef), async () => {
      onLocked()
      const outcomes = new BatchOutcomes(this.#run, this.#scan)
      const bodies = batchBodies(bodyBudget(ledger), before)
      const gathered = new GatheredWork(this.#run, this.#scan, { outcomes, before: before?.done, bodies })
      try {
        await this.#take(entries, outcomes, gathered).finally(() => bodies.end())
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
    const { bodies } = gathered
    let index = 0
    for await (const evaluation of mapInOrder(entries.entries(), BODIES_AT_ONCE, ([at, entry]) =>
      this.#evaluate(entry, rows.get(ledgerKey(entryRef(entry))), (read) => bodies.read(at, read)),
    )) {
      try {
        await this.#takeOne(evaluation, index, { outcomes, gathered })
      } catch (error) {
        bodies.stop()
        throw error
      }
      bodies.reached(++index)
    }
    await gathered.finish()
  }

  async #takeOne(
    { evaluated, row, failure }: Evaluation,
    index: number,
    { outcomes, gathered }: { readonly outcomes: BatchOutcomes; readonly gathered: GatheredWork },
  ): Promise<void> {
    if (failure !== undefined || this.#run.monitor.mustStop) {
      // Keep what was read, because reading may have used up a rate limit.
      await gathered.finish()
      this.#run.monitor.check()
      throw failure?.error
    }
    if (evaluated.kind === 'memorize') {
      this.#run.monitor.read()
      return gathered.memorize(evaluated.candidate, index)
    }
    gathered.bodies.release(index)
    if (evaluated.kind === 'write') {
      // A share of failures counts what was memorized before.
      if (evaluated.fate === 'failed') await gathered.before
      outcomes.add(evaluated.fate, evaluated.state)
    } else if (evaluated.kind === 'remove') gathered.remove(evaluated.removal)
    else if (evaluated.kind === 'keep') {
      outcomes.add(evaluated.fate)
      if (row !== undefined && row.scanNumber < this.#scan.scanNumber) outcomes.seen(row)
    }
  }

  async #evaluate(entry: Entry, row: LedgerItem | undefined, readBody: ReadBody): Promise<Evaluation> {
    try {
      this.#run.monitor.check()
      return { row, evaluated: await evaluateEntry(this.#run, this.#scan, entry, row, readBody) }
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

function batchBodies(budget: BodyBudget, before: Working | undefined): BatchBodies {
  let isFirst = before === undefined
  const onFirst = () => {
    isFirst = true
    budget.wake()
  }
  before?.done.then(onFirst, onFirst)
  return new BatchBodies(budget, () => isFirst)
}

interface GatheredParts {
  readonly outcomes: BatchOutcomes
  readonly before: Promise<void> | undefined
  readonly bodies: BatchBodies
}

/** Calls to the memory, made together. */
class GatheredWork {
  readonly #run: SyncRun
  readonly #scan: PartitionScan
  readonly #outcomes: BatchOutcomes
  /** The batch before, which is memorized first. */
  readonly before: Promise<void> | undefined
  readonly bodies: BatchBodies
  readonly #removals: Removal[] = []
  #candidates: Candidate[] = []
  /** Of the candidates, in their batch. */
  #indexes: number[] = []
  #bytes = 0

  constructor(run: SyncRun, scan: PartitionScan, { outcomes, before, bodies }: GatheredParts) {
    this.#run = run
    this.#scan = scan
    this.#outcomes = outcomes
    this.before = before
    this.bodies = bodies
  }

  remove(removal: Removal): void {
    this.#removals.push(removal)
  }

  /** @param index in the batch */
  async memorize(candidate: Candidate, index: number): Promise<void> {
    this.#candidates.push(candidate)
    this.#indexes.push(index)
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
    const indexes = this.#indexes
    this.#candidates = []
    this.#indexes = []
    this.#bytes = 0
    if (candidates.length === 0) return
    await this.before
    this.#removals.push(...(await memorizeGroup(this.#run, this.#scan, candidates, this.#outcomes)))
    for (const index of indexes) this.bodies.release(index)
  }
}
