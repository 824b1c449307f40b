import type { LedgerItemState, LedgerRef, PartitionChange } from '../store/ledger/ledger.ts'
import type { Place, SyncRun } from './sync-run.ts'
import type { ItemFate } from './tally.ts'

interface Outcome {
  readonly fate: ItemFate
  /** What the row becomes; absent when it stays. */
  readonly state?: LedgerItemState
}

/** Gathers what became of the items of a batch, for one commit. */
export class BatchOutcomes {
  readonly #run: SyncRun
  readonly #place: Place
  #outcomes: Outcome[] = []
  #seen: LedgerRef[] = []

  constructor(run: SyncRun, place: Place) {
    this.#run = run
    this.#place = place
  }

  add(fate: ItemFate, state?: LedgerItemState): void {
    this.#outcomes.push({ fate, ...(state && { state }) })
    if (fate === 'failed' && state?.error !== undefined && state.phase !== 'skipped') {
      this.#run.monitor.failed(`${state.title ?? state.itemId}: ${state.error}`)
    } else this.#run.monitor.succeeded()
  }

  /** An unchanged item that a walk comes by. */
  seen(ref: LedgerRef): void {
    this.#seen.push(ref)
  }

  /**
   * Failures are written by themselves and first: what else goes wrong does not take them along, and the cursor never
   * passes a failure that was not recorded.
   */
  async commit(partition?: PartitionChange): Promise<void> {
    const outcomes = this.#outcomes
    const seen = this.#seen
    this.#outcomes = []
    this.#seen = []
    const states = outcomes.flatMap(({ state }) => state ?? [])
    const failures = states.filter(({ error }) => error !== undefined)
    const others = states.filter(({ error }) => error === undefined)
    const [failed] = await Promise.allSettled([failures.length > 0 && this.#write({ items: failures })])
    const whole = failed.status === 'fulfilled'
    if (others.length > 0 || seen.length > 0 || (whole && partition !== undefined)) {
      await this.#write({
        items: others,
        ...(seen.length > 0 && { seen: { refs: seen, walk: this.#place.walk } }),
        ...(whole && partition && { partition }),
      })
    }
    if (!whole) throw failed.reason
    for (const outcome of outcomes) this.#count(outcome)
    this.#run.tally.progress()
  }

  #write(commit: Parameters<SyncRun['ledger']['commit']>[2]): Promise<void> {
    return this.#run.ledger.commit(this.#run.name, this.#place.partition.id, commit)
  }

  #count({ fate, state }: Outcome): void {
    const { tally } = this.#run
    tally.count(fate)
    tally.left(state?.nextAttemptAt)
    if (fate !== 'failed' || state?.error === undefined) return
    const item = state.title ?? state.itemId
    tally.fail({ partition: this.#place.partition.title, item, error: state.error })
    if (state.phase !== 'skipped') tally.incomplete = true
  }
}
