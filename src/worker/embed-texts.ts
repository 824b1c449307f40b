import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Embedder } from '../models/model.ts'
import type { FilledVectors, MissingTexts } from '../store/spaces/spaces.ts'

interface EmbedTextsOptions {
  readonly signal: AbortSignal
  readonly log: Log
  /** Calls to the model at a time. */
  readonly mostCalls: number
  /** How often the model failed at a text alone, by chunk; kept from call to call. */
  readonly strikes: Map<number, number>
}

type Texts = MissingTexts['texts']

interface Embedded {
  readonly vectors: FilledVectors['vectors']
  /** Why some are left out; the first of the reasons. */
  readonly failure?: { readonly error: unknown }
}

/** Embedded by every model: tells one that cannot have a text from one that can have none. */
const HARMLESS = 'A note about the weather.'
/** Of a text alone, while the model embeds others: some servers fail where they should refuse. */
const MOST_STRIKES = 3

/**
 * Vectors of texts as they are stored. What cannot be had is left out, and the first reason given. A text that the model
 * refuses, or fails at three times, while it takes others is stored without a direction, so that it holds nothing up.
 */
export async function embedTexts(embedder: Embedder, texts: Texts, options: EmbedTextsOptions): Promise<Embedded> {
  const size = Math.max(1, Math.min(embedder.maxBatch, Math.ceil(texts.length / options.mostCalls)))
  const batches = Array.from({ length: Math.ceil(texts.length / size) }, (_, i) =>
    texts.slice(i * size, (i + 1) * size),
  )
  const settled = await Promise.allSettled(batches.map((batch) => embedBatch(embedder, batch, options)))
  return together(
    settled.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : { vectors: [], failure: { error: outcome.reason } },
    ),
  )
}

function together(parts: readonly Embedded[]): Embedded {
  const failure = parts.find((part) => part.failure !== undefined)?.failure
  return { vectors: parts.flatMap(({ vectors }) => vectors), ...(failure && { failure }) }
}

async function embedBatch(embedder: Embedder, texts: Texts, options: EmbedTextsOptions): Promise<Embedded> {
  const call = { purpose: 'passage', signal: options.signal } as const
  let made: readonly Float32Array[]
  try {
    made = await embedder.embed(
      texts.map(({ text }) => text),
      call,
    )
  } catch (error) {
    if (!mayBeTheTexts(error)) throw error
    await embedder.embed([HARMLESS], call)
    const [only] = texts
    if (only !== undefined && texts.length === 1) return failedAlone(only.chunkId, error, options)
    const one: Embedded[] = []
    for (const text of texts) one.push(await embedBatch(embedder, [text], options))
    return together(one)
  }
  for (const { chunkId } of texts) options.strikes.delete(chunkId)
  return { vectors: texts.map(({ chunkId }, i) => ({ chunkId, vector: storedVector(made[i], embedder) })) }
}

function failedAlone(chunkId: number, error: AppError, { strikes, log }: EmbedTextsOptions): Embedded {
  const times = (strikes.get(chunkId) ?? 0) + 1
  if (error.code !== 'invalid' && times < MOST_STRIKES) {
    strikes.set(chunkId, times)
    return { vectors: [], failure: { error } }
  }
  strikes.delete(chunkId)
  log.warn({ err: error, chunkId }, 'the embedding model refused a text; its words still find it')
  return { vectors: [{ chunkId, vector: new Int8Array(0) }] }
}

/** It refuses them, or fails without a word of when it is back. */
function mayBeTheTexts(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false
  return error.code === 'invalid' || (error.code === 'unavailable' && error.retryAfterSeconds === undefined)
}

function storedVector(vector: Float32Array | undefined, { space }: Embedder): Int8Array {
  if (vector?.length !== space.dimensions) {
    throw new AppError('unavailable', `The embedding model answered with vectors that are not of ${space.id}.`)
  }
  if (vector.every((value) => value === 0)) return new Int8Array(0)
  return Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value * 127))))
}
