import { AppError } from '../domain/errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Embedder, Reranker } from '../models/model.ts'
import { type EmbedQuestion, embedBuiltIn } from '../retrieval/question/understand-query.ts'
import { backgroundCosine, cosineScale } from '../retrieval/recall/background-cosine.ts'
import type { Rerank } from '../retrieval/recall/rerank-chunks.ts'
import type { NewSpace, Spaces } from '../store/spaces/spaces.ts'

/** The embedding space of a question. */
export interface QuestionSpaces {
  /**
   * The active one. If its model is not configured or does not respond, the built-in one, with a notice: vectors of
   * different spaces are never compared.
   */
  readonly embed: EmbedQuestion
  /** Whether `embed` may wait for a configured model. */
  readonly asksModel: boolean
  /** Only this one: rejects with its model's error, and with `conflict` when it is not configured. */
  embedIn(spaceId: string): EmbedQuestion
}

interface QuestionSpacesOptions {
  readonly spaces: Spaces
  readonly builtIn: Embedder
  /** The model that is plugged in now. */
  readonly pluggedIn: () => Embedder | undefined
  readonly clock: Clock
  readonly log: Log
  /** Time limit of a model for one question; 2 s when absent. */
  readonly limitMs?: number
}

/** Estimated, not measured with a real model: enough for a remote one. */
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
  /** Time limit for one question; 1.5 s when absent. */
  readonly limitMs?: number
}

/** Estimated, not measured with a real model: recall without a reranker takes milliseconds, and agents wait for it. */
const RERANKER_LIMIT_MS = 1_500
const RERANKER_AWAY = "The reranker isn't responding, so the built-in order was used."

/** Remembers which rerankers failed lately, until they are exchanged. */
export function currentReranking(
  parts: Pick<RerankingOptions, 'clock' | 'log'>,
): (reranker: Reranker | undefined) => Rerank | undefined {
  const made = new WeakMap<Reranker, Rerank>()
  return (reranker) => {
    if (reranker === undefined) return undefined
    const reranking = made.get(reranker) ?? createReranking({ ...parts, reranker })
    made.set(reranker, reranking)
    return reranking
  }
}

/** Ranks by a reranker while it responds in time, otherwise by the built-in ranking, with a notice. */
export function createReranking({ reranker, clock, log, limitMs = RERANKER_LIMIT_MS }: RerankingOptions): Rerank {
  const slow = `The reranker took longer than ${limitMs / 1_000} s, so the built-in order was used. Lower max_passages or max_characters to make it faster.`
  const pause = new ModelPause(clock)
  return {
    mostPassages: reranker.maxPassages,
    part: reranker.part,
    certainty: reranker.certainty,
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

/** After a failure a model is skipped for this long, so that not every question waits for it. */
const PAUSE_MS = 30_000

/** Records the failure of a model, after which questions are answered without it, and the notice they carry. */
export class ModelPause {
  readonly #clock: Clock
  #now: { readonly from: number; readonly until: number; readonly reason: string } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param retryAfterSeconds as stated by the model */
  begin(reason: string, retryAfterSeconds = 0): void {
    const from = this.#clock().getTime()
    this.#now = { from, until: from + Math.max(PAUSE_MS, retryAfterSeconds * 1_000), reason }
  }

  /** The model has responded. */
  end(): void {
    this.#now = undefined
  }

  /** `undefined`: the model may be used. */
  get reason(): string | undefined {
    if (this.#now === undefined) return undefined
    const { from, until, reason } = this.#now
    const now = this.#clock().getTime()
    // An earlier time means that the clock was set back.
    return now < from || now >= until ? undefined : reason
  }
}
