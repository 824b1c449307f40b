import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Reranker } from '../models/model.ts'
import type { Rerank } from '../retrieval/rerank-chunks.ts'
import { ModelPause } from './model-pause.ts'

export interface RerankingOptions {
  readonly reranker: Reranker
  readonly clock: Clock
  readonly log: Log
  /** How long one question may take; 1.5 s when absent. */
  readonly limitMs?: number
}

/** A judgement, not measured with a real model: recall without a reranker takes milliseconds, and agents wait for it. */
const LIMIT_MS = 1_500
const AWAY = 'The reranker does not answer at the moment, so the order is the built-in one.'

/** The order of a question comes from a reranker while that answers in time, else from the built-in mix, with a notice. */
export function createReranking({ reranker, clock, log, limitMs = LIMIT_MS }: RerankingOptions): Rerank {
  const slow = `The reranker took longer than ${limitMs / 1_000} s, so the order is the built-in one; a lower max_passages or max_characters makes it faster.`
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
        const notice = limit.aborted ? slow : AWAY
        pause.begin(notice)
        log.warn({ err: error, reranker: reranker.id }, 'the reranker did not answer; the built-in order is used')
        return { notice }
      }
    },
  }
}
