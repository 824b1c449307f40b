import { AppError } from '../domain/errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Embedder, Reranker } from '../models/model.ts'
import { backgroundCosine, cosineScale } from '../retrieval/background-cosine.ts'
import type { Rerank } from '../retrieval/rank-chunks.ts'
import { type EmbedQuestion, embedBuiltIn } from '../retrieval/understand-query.ts'
import type { NewSpace, Spaces } from '../store/spaces/spaces.ts'

/** In which space a question is asked. */
export interface QuestionSpaces {
  /**
   * In the active one. When its model is not configured any more or does not answer, in the built-in one as a whole, with
   * a notice: vectors of different spaces never meet.
   */
  readonly embed: EmbedQuestion
  /** Whether `embed` may wait for a model that is plugged in. */
  readonly asksModel: boolean
  /** In this one only: rejects with what its model rejects with, and with `conflict` when that is not configured. */
  embedIn(spaceId: string): EmbedQuestion
}

interface QuestionSpacesOptions {
  readonly spaces: Spaces
  readonly builtIn: Embedder
  /** The model that is plugged in now. */
  readonly pluggedIn: () => Embedder | undefined
  readonly clock: Clock
  readonly log: Log
  /** How long a model may take for one question; 2 s when absent. */
  readonly limitMs?: number
}

/** A judgement, not measured with a real model: room for one elsewhere, and nobody waits longer for the built-in one. */
const LIMIT_MS = 2_000
const NOT_CONFIGURED =
  'The embedding model of this memory is not configured, so the built-in one was used. Configure it again, or reindex the memory.'
const EMBEDDER_AWAY = "The embedding model isn't responding, so the built-in one was used."

export function createQuestionSpaces(options: QuestionSpacesOptions): QuestionSpaces {
  const { spaces, builtIn, pluggedIn: pluggedInNow, clock, log, limitMs = LIMIT_MS } = options
  const asked = embedBuiltIn(builtIn)
  let builtInBackground: Promise<number> | undefined
  const pause = new ModelPause(clock)

  const embedPluggedIn = async (
    model: Embedder,
    { spaceId, background }: ActiveSpace,
    text: string,
    signal: AbortSignal,
  ) => {
    builtInBackground ??= backgroundCosine(builtIn)
    const [vector] = await model.embed([text], { purpose: 'query', signal })
    return { vector: vector!, spaceId, cosineScale: cosineScale(await builtInBackground, background) }
  }
  return {
    get asksModel() {
      return pluggedInNow() !== undefined
    },
    async embed(text, signal) {
      const active = await spaces.active()
      if (active === undefined) return asked(text)
      const pluggedIn = pluggedInNow()
      if (pluggedIn?.space.id !== active.spaceId) return { ...(await asked(text)), notice: NOT_CONFIGURED }
      if (pause.reason !== undefined) return { ...(await asked(text)), notice: pause.reason }
      const limit = AbortSignal.timeout(limitMs)
      try {
        return await embedPluggedIn(pluggedIn, active, text, signal ? AbortSignal.any([signal, limit]) : limit)
      } catch (error) {
        signal?.throwIfAborted()
        pause.begin(EMBEDDER_AWAY)
        log.warn({ err: error, spaceId: active.spaceId }, 'the embedding model did not answer; using the built-in one')
        return { ...(await asked(text)), notice: EMBEDDER_AWAY }
      }
    },
    embedIn(spaceId) {
      if (spaceId === builtIn.space.id) return asked
      return async (text, signal = new AbortController().signal) => {
        const space = (await spaces.list()).find((one) => one.spaceId === spaceId)
        const pluggedIn = pluggedInNow()
        if (space === undefined || pluggedIn?.space.id !== spaceId) {
          throw new AppError('conflict', `The model of the embedding space ${spaceId} is not configured`)
        }
        return embedPluggedIn(pluggedIn, space, text, signal)
      }
    },
  }
}

type ActiveSpace = Pick<NewSpace, 'spaceId' | 'background'>

interface RerankingOptions {
  readonly reranker: Reranker
  readonly clock: Clock
  readonly log: Log
  /** How long one question may take; 1.5 s when absent. */
  readonly limitMs?: number
}

/** A judgement, not measured with a real model: recall without a reranker takes milliseconds, and agents wait for it. */
const RERANKER_LIMIT_MS = 1_500
const RERANKER_AWAY = "The reranker isn't responding, so the built-in order was used."

/** The order of a question comes from a reranker while that answers in time, else from the built-in mix, with a notice. */
export function createReranking({ reranker, clock, log, limitMs = RERANKER_LIMIT_MS }: RerankingOptions): Rerank {
  const slow = `The reranker took longer than ${limitMs / 1_000} s, so the built-in order was used. Lower max_passages or max_characters to make it faster.`
  const pause = new ModelPause(clock)
  return {
    mostPassages: reranker.maxPassages,
    async compare(question, passages, signal) {
      if (pause.reason !== undefined) return { notice: pause.reason }
      const limit = AbortSignal.timeout(limitMs)
      try {
        const limits = signal === undefined ? limit : AbortSignal.any([signal, limit])
        return { scores: await reranker.rerank(question, passages, { signal: limits }) }
      } catch (error) {
        signal?.throwIfAborted()
        const notice = limit.aborted ? slow : RERANKER_AWAY
        pause.begin(notice)
        log.warn({ err: error, reranker: reranker.id }, 'the reranker did not answer; using the built-in order')
        return { notice }
      }
    },
  }
}

/** After a failure a model is left alone for so long, so that not every question waits for it. */
const PAUSE_MS = 30_000

/** The time after a failure of a model in which questions are answered without it, and the notice they carry. */
export class ModelPause {
  readonly #clock: Clock
  #now: { readonly from: number; readonly until: number; readonly reason: string } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param retryAfterSeconds as the model itself says */
  begin(reason: string, retryAfterSeconds = 0): void {
    const from = this.#clock().getTime()
    this.#now = { from, until: from + Math.max(PAUSE_MS, retryAfterSeconds * 1_000), reason }
  }

  /** The model has answered. */
  end(): void {
    this.#now = undefined
  }

  /** `undefined`: the model may be asked. */
  get reason(): string | undefined {
    if (this.#now === undefined) return undefined
    const { from, until, reason } = this.#now
    const now = this.#clock().getTime()
    // Before the beginning, the clock was set back.
    return now < from || now >= until ? undefined : reason
  }
}
