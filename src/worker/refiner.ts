import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { inSpan, NO_TELEMETRY, type Telemetry } from '../lib/telemetry.ts'
import type { LanguageModel } from '../models/model.ts'
import type { ModelBudget } from '../models/model-settings.ts'
import {
  type Batch,
  MOST_CHUNKS_READ,
  memorableChunks,
  planBatches,
  refineRules,
} from '../pipeline/refine/plan-batches.ts'
import {
  EXTRACT_ANSWER,
  type ExtractAnswer,
  mergeMemories,
  type ReadAnswer,
  readAnswer,
} from '../pipeline/refine/read-answer.ts'
import type { RefinementClaim } from '../store/refinements/refinements.ts'
import type { Store } from '../store/store.ts'
import { type AskParts, askBatch, ModelBreaker, ModelFailure, Superseded, Withheld } from './ask-batch.ts'
import { classifyRefinementFailure } from './failure.ts'
import { type LeaderLease, leaderLease } from './leader-lease.ts'
import { checkBudget, RefineBudget } from './refine-budget.ts'

export interface RefinerOptions {
  readonly store: Store
  readonly log: Log
  readonly telemetry?: Telemetry
  readonly clock?: Clock
  readonly model: LanguageModel
  /** `version` is the one in its file name. */
  readonly prompt: { readonly version: string; readonly text: string }
  /** Per account; absent: unlimited. */
  readonly budget?: ModelBudget
  /** Maximum concurrent calls; the model's own limit when absent. */
  readonly lanes?: number
  /** Interval of polling the queue; 1 s when absent. */
  readonly pollMs?: number
  /** Lease of a claim without a sign of life; 60 s when absent. */
  readonly leaseMs?: number
  /**
   * No other process refines for this store: claims of a killed one are taken at once. Otherwise one of several
   * processes refines at a time, because budget and concurrency limits are shared.
   */
  readonly alone?: boolean
}

/** Refines memories with a language model, after all other work: claims, calls, validates, commits. */
export interface Refiner {
  /** From now on each processed item is queued for it. */
  start(): Promise<void>
  /** Stops claiming; running calls may end within `deadlineMs`, unfinished items are returned. */
  stop(deadlineMs: number): Promise<void>
}

const POLL_MS = 1_000
const POLL_AFTER_ERROR_MS = 5_000
const LEASE_MS = 60_000

/** @throws AppError `invalid` when the limits of the model or of the budget leave no room for a call */
export function createRefiner(options: RefinerOptions): Refiner {
  return new BackgroundRefiner(options)
}

class BackgroundRefiner implements Refiner {
  readonly #options: RefinerOptions
  readonly #parts: AskParts
  readonly #leaseMs: number
  readonly #turn: LeaderLease | undefined
  readonly #held = new Map<string, RefinementClaim>()
  readonly #calls = new AbortController()
  readonly #stopped = new AbortController()
  #lanes: Promise<void>[] = []
  #heartbeat: NodeJS.Timeout | undefined

  constructor(options: RefinerOptions) {
    const { store, model, prompt, budget, clock = systemClock } = options
    const { refinements } = store
    const rules = refineRules(model, prompt)
    checkBudget(budget, { inputTokens: model.maxInputTokens, outputTokens: model.maxOutputTokens }, model.price)
    const spentByDay = refinements.spentByDay.bind(refinements)
    this.#options = options
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    const turn = { name: 'refiner', leaseMs: this.#leaseMs }
    this.#turn = options.alone === true ? undefined : leaderLease(store.dailyTasks, turn)
    this.#parts = {
      refinements,
      model,
      rules,
      clock,
      budget: new RefineBudget({ budget, price: model.price, spentByDay }),
      breaker: new ModelBreaker(),
    }
  }

  async start(): Promise<void> {
    const { refinements, model } = this.#parts
    refinements.want(true)
    if (this.#options.alone === true) await refinements.endLeases()
    // Settings may have changed, so earlier pauses are lifted.
    await refinements.resume(['budget', 'away', 'refused'])
    this.#heartbeat = setInterval(() => this.#extendLeases(), this.#leaseMs / 3)
    const lanes = this.#options.lanes ?? model.maxConcurrent
    this.#lanes = Array.from({ length: lanes }, () => this.#work())
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stopped.abort()
    const finished = Promise.all(this.#lanes)
    await Promise.race([finished, delay(deadlineMs, undefined, { ref: false })])
    this.#calls.abort(new Withheld())
    await finished
    clearInterval(this.#heartbeat)
    await this.#settled(this.#turn?.giveBack(), 'the refinement lease could not be released; it will expire')
  }

  async #work(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const claim = await this.#next()
      if (claim === undefined) await this.#pause()
      else await this.#refine(claim)
    }
  }

  async #next(): Promise<RefinementClaim | undefined> {
    const { refinements, breaker, clock } = this.#parts
    try {
      if (breaker.isOpen(clock().getTime())) return undefined
      // A read of microseconds; the claim itself waits for the writer.
      if (!(await refinements.isDue())) return undefined
      if ((await this.#turn?.isMine()) === false) return undefined
      return await refinements.claim({ leaseMs: this.#leaseMs })
    } catch (error) {
      this.#options.log.error({ err: error }, 'work for the language model could not be claimed')
      await this.#pause(POLL_AFTER_ERROR_MS)
      return undefined
    }
  }

  async #pause(ms = this.#options.pollMs ?? POLL_MS): Promise<void> {
    const { signal } = this.#stopped
    // Rejects when the signal is aborted, which ends the pause as well.
    await delay(ms, undefined, { ref: false, signal }).catch(() => undefined)
  }

  async #refine(claim: RefinementClaim): Promise<void> {
    const { meter, tracer } = this.#options.telemetry ?? NO_TELEMETRY
    this.#held.set(claim.leaseToken, claim)
    try {
      const attributes = { 'recalld.source_type': claim.sourceType, 'recalld.attempt': claim.attempt }
      const root = { kind: 'consumer', root: true } as const
      const outcome = await inSpan(tracer, 'refine item', attributes, () => this.#makeMemories(claim), root)
      meter.count('recalld_refinements_total', { outcome })
      this.#options.log.debug({ refinement: claim.refinementId, outcome }, 'memories refined by the language model')
    } catch (error) {
      meter.count('recalld_refinements_total', { outcome: outcomeOf(error) })
      await this.#settled(this.#putOff(claim, error), 'a failure of the language model could not be recorded')
    } finally {
      this.#held.delete(claim.leaseToken)
    }
  }

  async #makeMemories(claim: RefinementClaim): Promise<'stored' | 'superseded'> {
    const { accountId } = claim
    const { refinements, rules } = this.#parts
    const scoped = this.#options.store.scoped({ accountId, sources: 'all' })
    const found = await scoped.refinements.read(claim, MOST_CHUNKS_READ)
    if (found === undefined) throw new Superseded()
    const { item, answers } = found
    const batches: Batch[] = []
    const checked: ReadAnswer[] = []
    for (const batch of planBatches(item, rules)) {
      batches.push(batch)
      const answer = keptAnswer(answers.get(batch.hash)) ?? (await this.#ask(claim, batch))
      checked.push(readAnswer(item, batch, answer))
      // Other work runs between two batches: preparing and checking one takes some milliseconds.
      await nextTurn()
    }
    const searchOnly = item.chunks.length - memorableChunks(item).length
    const read = batches.reduce((sum, { chunks }) => sum + chunks.length, 0)
    return refinements.complete(claim, {
      ...mergeMemories(item, checked, item.chunkCount - searchOnly - read),
      chunksRead: item.chunks.length,
      refinedBy: rules.refinedBy,
      answers: batches.map(({ hash }) => hash),
    })
  }

  #ask(claim: RefinementClaim, batch: Batch): Promise<ExtractAnswer> {
    // Calls after a stop would cost money without being awaited.
    if (this.#stopped.signal.aborted) throw new Withheld()
    return askBatch(this.#parts, claim, batch, this.#calls.signal)
  }

  /** Whatever failed, the item keeps its memories. */
  async #putOff(claim: RefinementClaim, error: unknown): Promise<void> {
    const { refinements, breaker, clock } = this.#parts
    const { log } = this.#options
    if (error instanceof Superseded) return refinements.release([claim])
    if (error instanceof Withheld) {
      if (error.pause !== undefined) {
        const { accountId, sourceType, until, message } = error.pause
        log.info({ accountId, sourceType, until }, `items wait for the language model: ${message}`)
        await refinements.pause(error.pause)
      }
      return refinements.release([claim])
    }
    const failure = error instanceof ModelFailure ? error.failure : undefined
    const now = clock()
    if (failure?.code === 'invalid' && breaker.refused(claim.refinementId)) {
      log.error(
        { err: failure },
        'the language model refuses requests; its work waits until another is chosen or recalld restarts',
      )
      await refinements.pause({ reason: 'refused', message: failure.message })
      return refinements.release([claim])
    }
    let until: Date | undefined
    if (failure?.code === 'unavailable' || failure?.code === 'rate_limited') {
      until = breaker.failed(failure, now.getTime(), Math.random())
      await refinements.pause({ reason: 'away', until, message: failure.message })
    } else if (failure !== undefined) breaker.abandoned()
    const verdict = classifyRefinementFailure(failure ?? error, claim, now, until)
    const { code, retryAt } = verdict
    log.warn(
      { err: error, refinement: claim.refinementId, code, retryAt },
      'the language model could not refine an item',
    )
    await refinements.fail(claim, verdict)
  }

  #extendLeases(): void {
    const claims = [...this.#held.values()]
    if (claims.length === 0) return
    const { refinements } = this.#parts
    void this.#settled(this.#turn?.keep(), 'the refinement lease could not be extended')
    void this.#settled(refinements.extend(claims, this.#leaseMs), 'leases of refinements could not be extended')
  }

  /** Waits; a failure is logged and ends here, because the lease expires anyway. */
  async #settled(work: Promise<void> | undefined, sentence: string): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#options.log.error({ err: error }, sentence)
    }
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof Superseded) return 'superseded'
  return error instanceof Withheld ? 'withheld' : 'failed'
}

/** A paid answer; `undefined` when there is none, or it can no longer be parsed. */
function keptAnswer(text: string | undefined): ExtractAnswer | undefined {
  if (text === undefined) return undefined
  const kept = EXTRACT_ANSWER.safeParse(JSON.parse(text))
  return kept.success ? kept.data : undefined
}
