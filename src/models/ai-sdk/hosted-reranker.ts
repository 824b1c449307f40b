import { APICallError } from 'ai'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { Reranker } from '../model.ts'
import type { RerankerSettings } from '../model-settings.ts'
import { callModel } from './call-model.ts'
import { fetchWithoutRedirects, keyOf } from './open-provider.ts'

/** Passages that are reranked unless the settings say otherwise. */
const USUAL_PASSAGES = 30
/** Weights in the order and in the relevance; as of ONNX models, and not measured. */
const PART = 0.7
const CERTAINTY = 0.5

const ANSWER = z.looseObject({
  results: z.array(z.looseObject({ index: z.int().min(0), relevance_score: z.number() })),
})

/**
 * A reranker behind the API of Cohere, which Jina, vLLM, llama.cpp and others offer too. Sends nothing when it is opened.
 *
 * @throws AppError `invalid` when its key cannot be read
 */
export function openHostedReranker(settings: RerankerSettings & { readonly url: string }): Reranker {
  const { model, timeout_seconds: seconds, max_characters: maxCharacters } = settings
  const { max_passages: maxPassages = USUAL_PASSAGES } = settings
  const id = `${settings.provider}:${model}`
  const key = keyOf(settings)
  const url = `${settings.url.replace(/\/+$/, '')}/rerank`
  const cut = (text: string) => text.slice(0, maxCharacters).toWellFormed()
  return {
    ...{ id, maxPassages, maxCharacters, part: PART, certainty: CERTAINTY },
    async rerank(query, passages, { signal } = {}) {
      const scores = new Float32Array(passages.length)
      if (passages.length === 0) return scores
      const body = { model, query: cut(query), documents: passages.map(({ text }) => cut(text)) }
      const call = { model: id, timeoutMs: seconds * 1_000, signal }
      const answer = ANSWER.safeParse(await callModel(call, (abort) => post({ url, key, body, signal: abort })))
      if (!answer.success) throw new AppError('unavailable', `${id} sent an unexpected response. Check its url.`)
      const relevance = relevanceOf(answer.data.results.map(({ relevance_score: score }) => score))
      for (const [at, { index }] of answer.data.results.entries()) {
        if (index < scores.length) scores[index] = relevance[at]!
      }
      return scores
    },
  }
}

/** Some servers send logits instead of probabilities. */
function relevanceOf(scores: readonly number[]): readonly number[] {
  const areProbabilities = scores.every((score) => score >= 0 && score <= 1)
  return areProbabilities ? scores : scores.map((score) => 1 / (1 + Math.exp(-score)))
}

interface Post {
  readonly url: string
  readonly key: string | undefined
  readonly body: object
  readonly signal: AbortSignal
}

/** Rejects with the error that `callModel` understands; it holds nothing that was sent. */
async function post({ url, key, body, signal }: Post): Promise<unknown> {
  const failed = { message: 'the call failed', url, requestBodyValues: {} }
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) }
  const response = await fetchWithoutRedirects(url, {
    ...{ method: 'POST', headers, body: JSON.stringify(body), signal },
  }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new APICallError({ ...failed, cause: error })
  })
  if (!response.ok) {
    const responseHeaders = Object.fromEntries(response.headers)
    throw new APICallError({ ...failed, statusCode: response.status, responseHeaders })
  }
  return response.json()
}
