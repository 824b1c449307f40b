import { AppError } from '../domain/errors.ts'
import type { Log } from '../kit/log.ts'
import type { Embedder } from '../models/model.ts'
import type { FilledVectors, MissingTexts } from '../store/spaces.ts'

interface EmbedTextsOptions {
  readonly signal: AbortSignal
  readonly log: Log
  /** Calls to the model at a time. */
  readonly mostCalls: number
}

type Texts = MissingTexts['texts']

/** Embedded by every model: tells one that refuses a text from one that refuses everything. */
const HARMLESS = 'A note about the weather.'

/**
 * Vectors of texts as they are stored. What cannot be had is left out, and the first reason given. A text that the model
 * refuses while it takes others is stored without a direction, so that it holds nothing up.
 */
export async function embedTexts(
  embedder: Embedder,
  texts: Texts,
  options: EmbedTextsOptions,
): Promise<{ vectors: FilledVectors['vectors']; failure?: { readonly error: unknown } }> {
  const size = Math.max(1, Math.min(embedder.maxBatch, Math.ceil(texts.length / options.mostCalls)))
  const batches = Array.from({ length: Math.ceil(texts.length / size) }, (_, i) =>
    texts.slice(i * size, (i + 1) * size),
  )
  const settled = await Promise.allSettled(batches.map((batch) => embedBatch(embedder, batch, options)))
  const failed = settled.find((outcome) => outcome.status === 'rejected')
  return {
    vectors: settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
    ...(failed !== undefined && { failure: { error: failed.reason } }),
  }
}

async function embedBatch(
  embedder: Embedder,
  texts: Texts,
  options: EmbedTextsOptions,
): Promise<FilledVectors['vectors'][number][]> {
  const call = { purpose: 'passage', signal: options.signal } as const
  try {
    const vectors = await embedder.embed(
      texts.map(({ text }) => text),
      call,
    )
    return texts.map(({ chunkId }, i) => ({ chunkId, vector: storedVector(vectors[i], embedder) }))
  } catch (error) {
    if (!isRefusal(error)) throw error
    await embedder.embed([HARMLESS], call)
    const [only] = texts
    if (only !== undefined && texts.length === 1) {
      options.log.warn(
        { err: error, chunkId: only.chunkId },
        'the embedding model refused a text; its words still find it',
      )
      return [{ chunkId: only.chunkId, vector: new Int8Array(0) }]
    }
  }
  const one: FilledVectors['vectors'][number][] = []
  for (const text of texts) one.push(...(await embedBatch(embedder, [text], options)))
  return one
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid'
}

function storedVector(vector: Float32Array | undefined, { space }: Embedder): Int8Array {
  if (vector?.length !== space.dimensions) {
    throw new AppError('unavailable', `The embedding model answered with vectors that are not of ${space.id}.`)
  }
  if (vector.every((value) => value === 0)) return new Int8Array(0)
  return Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value * 127))))
}
