import type { ItemRef } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import { type LedgerItem, ledgerKey } from '../store/ledger/ledger.ts'
import { EntryBatch } from './entry-batch.ts'
import type { Entry } from './evaluate-entry.ts'
import { forgetUnseen } from './forget-rows.ts'
import { isOwn } from './item-state.ts'
import { isDue } from './judge-item.ts'
import { keepsVanished } from './keeps-vanished.ts'
import type { Place, Reading, SyncRun } from './sync-run.ts'

const REFS_AT_ONCE = 500

/** Compares a partition with everything that exists in it: reads what is missing or differs, forgets what is gone. */
export async function takeInventory(run: SyncRun, place: Place, refs: AsyncIterable<ItemRef>): Promise<void> {
  const partitionId = place.partition.id
  // Written first, so that an inventory that is cut short never counts for a later one.
  await run.ledger.commit(run.name, partitionId, { partition: { walk: place.walk } })
  const inventory = new Inventory(run, place)
  for await (const ref of refs) await inventory.add(ref)
  await inventory.flush()
  if (!keepsVanished(run.manifest, place.partition)) await forgetUnseen(run, place)
  await run.ledger.commit(run.name, partitionId, { partition: { lastInventoryAt: run.environment.clock() } })
}

class Inventory {
  readonly #run: SyncRun
  readonly #place: Place
  readonly #batch: EntryBatch
  #refs: ItemRef[] = []

  constructor(run: SyncRun, place: Place) {
    this.#run = run
    this.#place = place
    this.#batch = new EntryBatch(run, place)
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
    for (const ref of refs) {
      const row = rows.get(ledgerKey(ref))
      if (row !== undefined && isKnown(this.#run, this.#place, ref, row)) known.push(ref)
      else await this.#read(ref, row)
    }
    await this.#batch.flush()
    const { walk, partition } = this.#place
    if (known.length > 0) await ledger.commit(name, partition.id, { seen: { refs: known, walk } })
  }

  async #read(ref: ItemRef, row: LedgerItem | undefined): Promise<void> {
    const { source, context } = this.#run
    let entry: Entry
    try {
      const item = await source.read({ ...ref, partition: this.#place.partition }, context)
      // Gone since it was listed: as it is not seen, it is forgotten with the others.
      if (item === undefined) return
      entry = { type: 'item', item }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      entry = { type: 'failed', ref: { ...ref, title: ref.title ?? row?.title }, error }
    }
    await this.#batch.add(entry)
  }
}

/** Nothing has to be read of it. */
export function isKnown(run: Reading, place: Place, ref: ItemRef, row: LedgerItem): boolean {
  if (row.phase === 'forgotten') return true
  if (row.phase === 'removed' || !isOwn(run, place, row)) return false
  // What failed or settles has a time of its own.
  if ((row.phase === 'failed' || row.phase === 'settling') && !isDue(run, row)) return true
  return ref.revision === undefined || run.selection.stamp(ref.revision) === row.revision
}
