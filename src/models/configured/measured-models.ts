import { AppError } from '../../domain/errors.ts'
import { estimateTokens } from '../../lib/estimate-tokens.ts'
import type { Telemetry } from '../../lib/telemetry.ts'
import { inSpan, secondsSince } from '../../lib/telemetry.ts'
import type { Embedder, LanguageModel, Price, Reranker, Rerankers, TokenUsage } from '../model.ts'
import { microDollars } from '../model.ts'
import type { OpenModels } from './open-models.ts'

/** The purpose of a call; a label of the metrics. */
type Purpose = 'extract' | 'ask' | 'embed_question' | 'embed_texts' | 'rerank'

/** The names of the schemas that language models are asked for. */
const PURPOSES: Readonly<Record<string, Purpose>> = { memories: 'extract', answer: 'ask' }

/** Wraps models so that calls, durations and costs are counted. */
export function measuredModels(
  { language, embedding }: Pick<OpenModels, 'language' | 'embedding'>,
  telemetry: Telemetry,
): Pick<OpenModels, 'language' | 'embedding'> {
  return {
    ...(language && { language: { ...language, model: measuredLanguage(language.model, telemetry) } }),
    ...(embedding && { embedding: measuredEmbedder(embedding, telemetry) }),
  }
}

/** As `measuredModels`. */
export function measuredRerankers({ recall, answers }: Rerankers, telemetry: Telemetry): Rerankers {
  return {
    ...(recall && { recall: measuredReranker(recall, telemetry) }),
    ...(answers && { answers: measuredReranker(answers, telemetry) }),
  }
}

function measuredLanguage(model: LanguageModel, telemetry: Telemetry): LanguageModel {
  return {
    ...model,
    generate(request) {
      const purpose = PURPOSES[request.schemaName] ?? 'ask'
      const call = { purpose, signal: request.signal, model: model.id, price: model.price }
      const onUnheard = (most: TokenUsage) => {
        tellUsage(telemetry, call, most)
        request.onUnheard?.(most)
      }
      return measured(telemetry, call, async () => {
        const answer = await model.generate({ ...request, onUnheard })
        tellUsage(telemetry, call, answer.usage)
        return answer
      })
    },
  }
}

export function measuredEmbedder(embedder: Embedder, telemetry: Telemetry): Embedder {
  const { space, maxBatch, maxCharacters, price, tokens } = embedder
  return {
    ...{ space, maxBatch, maxCharacters },
    ...(price && { price }),
    ...(tokens && { tokens }),
    embed(texts, options) {
      const purpose = options?.purpose === 'query' ? 'embed_question' : 'embed_texts'
      const call: Call = { purpose, signal: options?.signal, model: space.id, price }
      return measured(telemetry, call, async () => {
        const vectors = await embedder.embed(texts, options)
        tellUsage(telemetry, call, { inputTokens: estimated(texts), outputTokens: 0 })
        return vectors
      })
    },
  }
}

function measuredReranker(reranker: Reranker, telemetry: Telemetry): Reranker {
  const { id, maxPassages, maxCharacters, part, certainty, price } = reranker
  return {
    ...{ id, maxPassages, maxCharacters, part, certainty },
    ...(price && { price }),
    rerank(query, passages, options) {
      const call: Call = { purpose: 'rerank', signal: options?.signal, model: id, price }
      return measured(telemetry, call, async () => {
        const scores = await reranker.rerank(query, passages, options)
        tellUsage(telemetry, call, {
          inputTokens: estimated([query, ...passages.map(({ text }) => text)]),
          outputTokens: 0,
        })
        return scores
      })
    },
  }
}

interface Call {
  readonly purpose: Purpose
  readonly signal: AbortSignal | undefined
  readonly model: string
  readonly price: Price | undefined
}

function measured<T>({ meter, tracer }: Telemetry, { purpose, signal, model }: Call, work: () => Promise<T>) {
  const attributes = { 'recalld.purpose': purpose, 'gen_ai.request.model': model }
  const call = async () => {
    const began = performance.now()
    let outcome = 'ok'
    try {
      return await work()
    } catch (error) {
      outcome = error instanceof AppError ? error.code : 'internal'
      if (signal?.aborted) outcome = 'aborted'
      throw error
    } finally {
      meter.count('recalld_model_calls_total', { purpose, outcome })
      meter.observe('recalld_model_call_seconds', { purpose }, secondsSince(began))
    }
  }
  return inSpan(tracer, `model ${purpose}`, attributes, call, { kind: 'client' })
}

function tellUsage({ meter }: Telemetry, { purpose, price }: Call, usage: TokenUsage): void {
  meter.count('recalld_model_tokens_total', { purpose, direction: 'in' }, usage.inputTokens)
  meter.count('recalld_model_tokens_total', { purpose, direction: 'out' }, usage.outputTokens)
  meter.count('recalld_model_micro_dollars_total', { purpose }, microDollars(usage, price))
}

function estimated(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}
