import type { SourceItem } from '../connector/connector.ts'
import { recentSince } from '../connector/recent-window.ts'
import { AppError, type ErrorCode } from '../domain/errors.ts'
import type { Priority } from '../domain/memory.ts'
import type { ItemPhase, LedgerItemState, LedgerRef, PartitionChange } from '../store/ledger/ledger.ts'
import { EndOfRun } from './end-of-run.ts'
import { type Candidate, discarded, forgotten, type Removal } from './evaluate-entry.ts'
import { again, described, failedState, type ItemError, mayBeHeld, skippedState, storedHash } from './item-state.ts'
import type { ItemFate, PartitionScan, SyncRun } from './sync-run.ts'

interface Outcome {
  readonly fate: ItemFate
  /** The new row; absent when it is unchanged. */
  readonly state?: LedgerItemState
}

/** Collects the outcomes of a batch of items for one commit. */
export class BatchOutcomes {
  readonly #run: SyncRun
  readonly #scan: PartitionScan
  #outcomes: Outcome[] = []
  #seen: LedgerRef[] = []

  constructor(run: SyncRun, scan: PartitionScan) {
    this.#run = run
    this.#scan = scan
  }

  add(fate: ItemFate, state?: LedgerItemState): void {
    this.#outcomes.push({ fate, ...(state && { state }) })
    if (fate === 'failed' && state?.error !== undefined && state.phase !== 'skipped') {
      this.#run.monitor.failed(`${state.title ?? state.itemId}: ${state.error}`)
    } else this.#run.monitor.succeeded()
  }

  /** An unchanged item that a full scan found. */
  seen(ref: LedgerRef): void {
    this.#seen.push(ref)
  }

  /**
   * Failures are written separately and first: a later error does not lose them, and the cursor never passes an
   * unrecorded failure.
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
        ...(seen.length > 0 && { seen: { refs: seen, scanNumber: this.#scan.scanNumber } }),
        ...(whole && partition && { partition }),
      })
    }
    if (!whole) throw failed.reason
    for (const outcome of outcomes) this.#count(outcome)
    this.#run.tally.progress()
  }

  #write(commit: Parameters<SyncRun['ledger']['commit']>[2]): Promise<void> {
    return this.#run.ledger.commit(this.#run.name, this.#scan.partition.id, commit)
  }

  #count({ fate, state }: Outcome): void {
    const { tally } = this.#run
    tally.count(fate)
    tally.left(state?.nextAttemptAt)
    if (fate !== 'failed' || state?.error === undefined) return
    const item = state.title ?? state.itemId
    tally.fail({ partition: this.#scan.partition.title, item, error: state.error })
    if (state.phase !== 'skipped') tally.incomplete = true
  }
}

/** Concurrent calls to the memory. */
const CALLS = 8
/** The item is the cause: it will be refused again unless it changes. */
const REFUSED: ReadonlySet<ErrorCode> = new Set(['invalid', 'too_large', 'unreadable', 'missing_field'])
const CONFLICT = {
  code: 'conflict',
  message: 'The service reports a conflict even though the item was deleted.',
} as const

/**
 * Memorizes candidates, with their phases written before each call; outcomes are added for the caller to commit.
 * Returns items whose new version was refused, and whose old version must be deleted.
 */
export async function memorizeGroup(
  run: SyncRun,
  scan: PartitionScan,
  candidates: readonly Candidate[],
  outcomes: BatchOutcomes,
): Promise<readonly Removal[]> {
  const group = new MemorizeGroup(run, scan, outcomes)
  await group.memorize(candidates)
  return group.removals
}

class MemorizeGroup {
  readonly removals: Removal[] = []
  readonly #run: SyncRun
  readonly #scan: PartitionScan
  readonly #outcomes: BatchOutcomes

  constructor(run: SyncRun, scan: PartitionScan, outcomes: BatchOutcomes) {
    this.#run = run
    this.#scan = scan
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

  /** Returns those that the memory already has and does not replace. */
  async #upload(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const conflicts: Candidate[] = []
    await this.#writePhase(candidates, 'memorizing')
    await inParallel(CALLS, candidates, async (candidate) => {
      try {
        const { partitionsAreApps } = this.#run.manifest
        const connector = partitionsAreApps ? this.#scan.partition.id : this.#run.name.connector
        const priority = this.#priorityOf(candidate.item)
        const result = await this.#run.memory.memorize(candidate.item, candidate.document, { connector, priority })
        if (result === 'conflict') conflicts.push(candidate)
        else this.#outcomes.add('memorized', this.#clean(candidate))
      } catch (error) {
        this.#failed(candidate, error)
      }
    })
    return conflicts
  }

  /** What changed long ago is processed after what is recent, so that the last weeks can be recalled first. */
  #priorityOf({ updatedAt, createdAt }: SourceItem): Priority {
    const changedAt = updatedAt ?? createdAt
    return changedAt !== undefined && changedAt < recentSince(this.#run.environment) ? 'low' : 'normal'
  }

  /**
   * Items with an unknown stored version (an interrupted call, or a lost ledger) that turn out to be stored unchanged
   * are not uploaded again.
   */
  async #withoutEqual(conflicts: readonly Candidate[]): Promise<Candidate[]> {
    const others: Candidate[] = []
    await inParallel(CALLS, conflicts, async (candidate) => {
      if (candidate.held !== undefined) {
        others.push(candidate)
        return
      }
      try {
        if ((await this.#run.memory.storedHash(candidate.item)) !== candidate.hash) others.push(candidate)
        else this.#outcomes.add('unchanged', this.#clean(candidate))
      } catch (error) {
        this.#failed(candidate, error)
      }
    })
    return others
  }

  /** Returns the items whose older version was deleted, so that the new one can be uploaded. */
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
      // The stored version is unknown now.
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
    await this.#run.ledger.commit(this.#run.name, this.#scan.partition.id, { items })
  }

  #before({ item, held }: Candidate): Omit<LedgerItemState, 'phase'> {
    return { ...this.#described({ item }), contentHash: held }
  }

  #clean(candidate: Candidate): LedgerItemState {
    return { ...this.#described(candidate), phase: 'clean', contentHash: candidate.hash }
  }

  #described({ item }: Pick<Candidate, 'item'>): Omit<LedgerItemState, 'phase'> {
    return { ...described(item, this.#run.selection), scanNumber: this.#scan.scanNumber }
  }
}

/** Deletes items from the memory. Failed deletions are recorded and retried; the others continue. */
export async function removeItems(
  run: SyncRun,
  scan: PartitionScan,
  removals: readonly Removal[],
  outcomes: BatchOutcomes,
): Promise<void> {
  const held = removals.filter(({ row }) => mayBeHeld(row))
  for (const { row, after, fate } of removals) if (!mayBeHeld(row)) outcomes.add(fate, after)
  if (held.length === 0) return
  const removing = held.map(({ row }) => ({ ...again(row, scan.scanNumber), phase: 'removing' as const }))
  await run.ledger.commit(run.name, scan.partition.id, { items: removing })
  await inParallel(CALLS, held, async ({ row, after, fate }) => {
    try {
      const result = await run.memory.forget(row)
      // It was deleted from the memory by somebody, so it stays deleted even if the source returns it again.
      const wasForgotten = result === 'absent' && storedHash(row) !== undefined
      outcomes.add(
        fate,
        wasForgotten ? { ...again(row, scan.scanNumber), phase: 'forgotten', contentHash: undefined } : after,
      )
    } catch (error) {
      const problem = itemError(run, error)
      outcomes.add('failed', failedState(run, again(row, scan.scanNumber), row, problem, 'removing'))
    }
  })
}

/** An error of the memory about one item. @throws errors that concern the whole run */
function itemError(run: SyncRun, error: unknown): ItemError {
  if (error instanceof EndOfRun) throw error
  if (error instanceof AppError) return { code: error.code, message: error.message }
  // The message of an unknown error may contain anything, so only the log gets it.
  run.environment.log.error({ err: error, connection: run.name }, 'the memory failed unexpectedly')
  const name = error instanceof Error ? error.name : typeof error
  return { code: 'internal', message: `Unexpected error while storing the item (${name}). See the log.` }
}

/**
 * Processes all elements, at most `limit` at once. After the first error no further one starts; it is thrown when the
 * running ones have ended.
 */
export async function inParallel<T>(
  limit: number,
  elements: readonly T[],
  work: (element: T) => Promise<void>,
): Promise<void> {
  const waiting = elements.values()
  let failure: { readonly error: unknown } | undefined
  const worker = async () => {
    for (const element of waiting) {
      if (failure !== undefined) return
      try {
        await work(element)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, elements.length) }, worker))
  if (failure !== undefined) throw failure.error
}
