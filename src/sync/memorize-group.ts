import type { ErrorCode } from '../domain/errors.ts'
import type { ItemPhase, LedgerItemState } from '../store/ledger/ledger.ts'
import type { BatchOutcomes } from './batch-outcomes.ts'
import { type Candidate, discarded, forgotten, type Removal } from './evaluate-entry.ts'
import { inParallel } from './in-parallel.ts'
import { described, failedState, skippedState } from './item-state.ts'
import { itemError } from './memory-error.ts'
import type { Place, SyncRun } from './sync-run.ts'

/** Of the memory at once. */
const CALLS = 8
/** The item is at fault: as it is, it will be refused again. */
const REFUSED: ReadonlySet<ErrorCode> = new Set(['invalid', 'too_large', 'unreadable', 'missing_field'])
const CONFLICT = {
  code: 'conflict',
  message: 'The memory says that it holds the item already, also after it was deleted there.',
} as const

/**
 * Memorizes candidates, with their phases written before each call; outcomes are added for the caller to commit. Returns
 * what has to be deleted because the memory refused its new version.
 */
export async function memorizeGroup(
  run: SyncRun,
  place: Place,
  candidates: readonly Candidate[],
  outcomes: BatchOutcomes,
): Promise<readonly Removal[]> {
  const group = new MemorizeGroup(run, place, outcomes)
  await group.memorize(candidates)
  return group.removals
}

class MemorizeGroup {
  readonly removals: Removal[] = []
  readonly #run: SyncRun
  readonly #place: Place
  readonly #outcomes: BatchOutcomes

  constructor(run: SyncRun, place: Place, outcomes: BatchOutcomes) {
    this.#run = run
    this.#place = place
    this.#outcomes = outcomes
  }

  async memorize(candidates: readonly Candidate[]): Promise<void> {
    const replaces = this.#run.memory.replaces
    const older = replaces ? [] : candidates.filter(({ held }) => held !== undefined)
    const ready = replaces ? candidates : candidates.filter(({ held }) => held === undefined)
    const conflicts = await this.#upload([...ready, ...(await this.#deleteOlder(older, true))])
    const others = await this.#withoutEqual(conflicts)
    const refused = await this.#upload(await this.#deleteOlder(others, false))
    for (const { item, row } of refused) {
      this.#outcomes.add('failed', failedState(this.#run, this.#described({ item }), row, CONFLICT))
    }
  }

  /** Returns those that the memory holds already and does not replace. */
  async #upload(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const conflicts: Candidate[] = []
    await this.#writePhase(candidates, 'memorizing')
    await inParallel(CALLS, candidates, async (candidate) => {
      try {
        const result = await this.#run.memory.memorize(candidate.item, candidate.document)
        if (result === 'conflict') conflicts.push(candidate)
        else this.#outcomes.add('memorized', this.#clean(candidate))
      } catch (error) {
        this.#failed(candidate, error)
      }
    })
    return conflicts
  }

  /**
   * Of those whose held version is not known (a call was cut short, or the ledger was lost), the ones that hold just
   * what they should are done: nothing is uploaded twice.
   */
  async #withoutEqual(conflicts: readonly Candidate[]): Promise<Candidate[]> {
    const others: Candidate[] = []
    await inParallel(CALLS, conflicts, async (candidate) => {
      if (candidate.held !== undefined) {
        others.push(candidate)
        return
      }
      try {
        if ((await this.#run.memory.heldHash(candidate.item)) !== candidate.hash) others.push(candidate)
        else this.#outcomes.add('unchanged', this.#clean(candidate))
      } catch (error) {
        this.#failed(candidate, error)
      }
    })
    return others
  }

  /** Returns those whose older version is gone, so that the new one can come: at once, for that writes the next phase. */
  async #deleteOlder(candidates: readonly Candidate[], mayBeForgotten: boolean): Promise<Candidate[]> {
    const deleted: Candidate[] = []
    await this.#writePhase(candidates, 'deleting')
    await inParallel(CALLS, candidates, async (candidate) => {
      try {
        const result = await this.#run.memory.forget(candidate.item)
        if (result === 'deleted' || !mayBeForgotten) deleted.push({ ...candidate, held: undefined })
        else this.#outcomes.add('unchanged', forgotten(this.#described(candidate)).state)
      } catch (error) {
        this.#failed(candidate, error)
      }
    })
    return deleted
  }

  #failed(candidate: Candidate, thrown: unknown): void {
    const error = itemError(this.#run, thrown)
    const state = this.#described(candidate)
    if (!REFUSED.has(error.code)) {
      // What the memory holds now is not known.
      this.#outcomes.add('failed', failedState(this.#run, state, candidate.row, error))
      return
    }
    const skipped = skippedState({ ...state, contentHash: candidate.held }, error)
    const evaluated = candidate.held === undefined ? discarded(candidate.row, skipped) : undefined
    if (evaluated?.kind === 'remove') this.removals.push(evaluated.removal)
    else this.#outcomes.add('failed', skipped)
  }

  async #writePhase(candidates: readonly Candidate[], phase: ItemPhase): Promise<void> {
    if (candidates.length === 0) return
    const items = candidates.map((candidate): LedgerItemState => ({ ...this.#before(candidate), phase }))
    await this.#run.ledger.commit(this.#run.name, this.#place.partition.id, { items })
  }

  #before({ item, held }: Candidate): Omit<LedgerItemState, 'phase'> {
    return { ...this.#described({ item }), contentHash: held }
  }

  #clean(candidate: Candidate): LedgerItemState {
    return { ...this.#described(candidate), phase: 'clean', contentHash: candidate.hash }
  }

  #described({ item }: Pick<Candidate, 'item'>): Omit<LedgerItemState, 'phase'> {
    return { ...described(item, this.#run.selection), walk: this.#place.walk }
  }
}
