import { AppError } from '../domain/errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Embedder } from '../models/model.ts'
import { backgroundCosine, cosineScale } from '../retrieval/background-cosine.ts'
import { type EmbedQuestion, embedBuiltIn } from '../retrieval/understand-query.ts'
import type { NewSpace, Spaces } from '../store/spaces/spaces.ts'
import { ModelPause } from './model-pause.ts'

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

export interface QuestionSpacesOptions {
  readonly spaces: Spaces
  readonly builtIn: Embedder
  readonly pluggedIn: Embedder | undefined
  readonly clock: Clock
  readonly log: Log
  /** How long a model may take for one question; 2 s when absent. */
  readonly limitMs?: number
}

/** A judgement, not measured with a real model: room for one elsewhere, and nobody waits longer for the built-in one. */
const LIMIT_MS = 2_000
const NOT_CONFIGURED =
  'The embedding model that the memory was indexed with is not configured, so the built-in one was used; "recalld reindex" changes that.'
const AWAY = 'The embedding model does not answer at the moment, so the built-in one was used.'

export function createQuestionSpaces(options: QuestionSpacesOptions): QuestionSpaces {
  const { spaces, builtIn, pluggedIn, clock, log, limitMs = LIMIT_MS } = options
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
    asksModel: pluggedIn !== undefined,
    async embed(text, signal) {
      const active = await spaces.active()
      if (active === undefined) return asked(text)
      if (pluggedIn?.space.id !== active.spaceId) return { ...(await asked(text)), notice: NOT_CONFIGURED }
      if (pause.reason !== undefined) return { ...(await asked(text)), notice: pause.reason }
      const limit = AbortSignal.timeout(limitMs)
      try {
        return await embedPluggedIn(pluggedIn, active, text, signal ? AbortSignal.any([signal, limit]) : limit)
      } catch (error) {
        signal?.throwIfAborted()
        pause.begin(AWAY)
        log.warn(
          { err: error, spaceId: active.spaceId },
          'the embedding model did not answer; the built-in one is used',
        )
        return { ...(await asked(text)), notice: AWAY }
      }
    },
    embedIn(spaceId) {
      if (spaceId === builtIn.space.id) return asked
      return async (text, signal = new AbortController().signal) => {
        const space = (await spaces.list()).find((one) => one.spaceId === spaceId)
        if (space === undefined || pluggedIn?.space.id !== spaceId) {
          throw new AppError('conflict', `The model of the embedding space ${spaceId} is not configured`)
        }
        return embedPluggedIn(pluggedIn, space, text, signal)
      }
    },
  }
}

type ActiveSpace = Pick<NewSpace, 'spaceId' | 'background'>
