import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { type EncoderSizes, encoderGraph } from '../../../src/models/local/encoder-graph.ts'
import { onnxFile } from '../../../src/models/local/onnx-file.ts'
import { readSafetensors, type StoredTensor } from '../../../src/models/safetensors.ts'
import { transformersPackage } from '../../lib/onnx-models.ts'
import { seededRandom } from '../../lib/seeded-random.ts'

const SIZES: EncoderSizes = { vocabulary: 50, positions: 12, hidden: 32, intermediate: 64, heads: 4, layers: 2 }

const address = transformersPackage()
const isMissing = address === undefined && !process.env.CI
if (isMissing) {
  console.warn('The graph of encoders is not computed: RECALLD_TEST_TRANSFORMERS names no folder with ONNX Runtime')
}

/** Weights of a small encoder, drawn at random. */
function randomWeights(): Map<string, StoredTensor> {
  const random = seededRandom(7)
  const weights = new Map<string, StoredTensor>()
  const add = (name: string, shape: readonly number[], centre = 0) => {
    const size = shape.reduce((product, one) => product * one, 1)
    weights.set(name, { shape, data: Float32Array.from({ length: size }, () => centre + (random() - 0.5) / 2) })
  }
  const { vocabulary, positions, hidden, intermediate, layers } = SIZES
  const norm = (name: string) => {
    add(`${name}.weight`, [hidden], 1)
    add(`${name}.bias`, [hidden])
  }
  const dense = (name: string, from: number, to: number) => {
    add(`${name}.weight`, [to, from])
    add(`${name}.bias`, [to])
  }
  add('embeddings.word_embeddings.weight', [vocabulary, hidden])
  add('embeddings.position_embeddings.weight', [positions, hidden])
  add('embeddings.token_type_embeddings.weight', [2, hidden])
  norm('embeddings.LayerNorm')
  for (let i = 0; i < layers; i++) {
    const layer = `encoder.layer.${i}`
    for (const part of ['query', 'key', 'value']) dense(`${layer}.attention.self.${part}`, hidden, hidden)
    dense(`${layer}.attention.output.dense`, hidden, hidden)
    norm(`${layer}.attention.output.LayerNorm`)
    dense(`${layer}.intermediate.dense`, hidden, intermediate)
    dense(`${layer}.output.dense`, intermediate, hidden)
    norm(`${layer}.output.LayerNorm`)
  }
  return weights
}

type Rows = number[][]

/** BERT in plain numbers, after https://arxiv.org/abs/1810.04805: the mean of the last layer. */
function reference(weights: ReadonlyMap<string, StoredTensor>, ids: readonly number[]): number[] {
  const { hidden, heads, layers } = SIZES
  const row = (name: string, at: number, width: number) => [
    ...weights.get(name)!.data.slice(at * width, (at + 1) * width),
  ]
  const plus = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value + b[i]!)
  const norm = (name: string, input: readonly number[]) => {
    const mean = input.reduce((sum, value) => sum + value, 0) / input.length
    const variance = input.reduce((sum, value) => sum + (value - mean) ** 2, 0) / input.length
    const [factor, summand] = [weights.get(`${name}.weight`)!.data, weights.get(`${name}.bias`)!.data]
    return input.map((value, i) => ((value - mean) / Math.sqrt(variance)) * factor[i]! + summand[i]!)
  }
  const dense = (name: string, inputs: Rows): Rows => {
    const { data, shape } = weights.get(`${name}.weight`)!
    const [to = 0, from = 0] = shape
    const bias = weights.get(`${name}.bias`)!.data
    const one = (input: readonly number[]) =>
      Array.from({ length: to }, (_, out) =>
        input.reduce((sum, value, i) => sum + value * data[out * from + i]!, bias[out]!),
      )
    return inputs.map(one)
  }
  let state: Rows = ids.map((id, position) => {
    const word = row('embeddings.word_embeddings.weight', id, hidden)
    const place = row('embeddings.position_embeddings.weight', position, hidden)
    return norm(
      'embeddings.LayerNorm',
      plus(plus(word, place), row('embeddings.token_type_embeddings.weight', 0, hidden)),
    )
  })
  for (let i = 0; i < layers; i++) {
    const layer = `encoder.layer.${i}`
    const [query, key, value] = ['query', 'key', 'value'].map((part) => dense(`${layer}.attention.self.${part}`, state))
    const width = hidden / heads
    const attended = query!.map((asked) => {
      const out = new Array<number>(hidden).fill(0)
      for (let head = 0; head < heads; head++) {
        const range = Array.from({ length: width }, (_, j) => head * width + j)
        const scores = key!.map((held) =>
          Math.exp(range.reduce((sum, j) => sum + asked[j]! * held[j]!, 0) / Math.sqrt(width)),
        )
        const total = scores.reduce((sum, score) => sum + score, 0)
        for (const j of range) out[j] = value!.reduce((sum, held, k) => sum + (scores[k]! / total) * held[j]!, 0)
      }
      return out
    })
    const mixed = dense(`${layer}.attention.output.dense`, attended)
    const middle = mixed.map((one, k) => norm(`${layer}.attention.output.LayerNorm`, plus(one, state[k]!)))
    const wide = dense(`${layer}.intermediate.dense`, middle).map((one) => one.map(gelu))
    const narrow = dense(`${layer}.output.dense`, wide)
    state = narrow.map((one, k) => norm(`${layer}.output.LayerNorm`, plus(one, middle[k]!)))
  }
  return state[0]!.map((_, j) => state.reduce((sum, one) => sum + one[j]!, 0) / state.length)
}

/** By the approximation with tanh, which differs by less than .001. */
function gelu(x: number): number {
  return (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const dot = (x: ArrayLike<number>, y: ArrayLike<number>) =>
    Array.from(x).reduce((sum, value, i) => sum + value * y[i]!, 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

interface Runtime {
  readonly InferenceSession: {
    create(
      file: Uint8Array,
      options: object,
    ): Promise<{ run(inputs: object): Promise<{ vector: { data: Float32Array } }> }>
  }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => object
}

describe.skipIf(isMissing)('the graph of an encoder', () => {
  test('computes what BERT computes, up to the rounding of 8 bits', async () => {
    const weights = randomWeights()
    const { InferenceSession, Tensor }: Runtime = createRequire(address!)('onnxruntime-node')
    const session = await InferenceSession.create(onnxFile(encoderGraph(weights, SIZES)), { logSeverityLevel: 4 })
    for (const ids of [[3], [1, 2], [7, 7, 7], [49, 0, 12, 30, 5, 5, 18, 40, 2, 9, 33, 21]]) {
      const input = new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length])
      const { vector } = await session.run({ ids: input })
      expect(cosine(vector.data, reference(weights, ids))).toBeGreaterThan(0.995)
    }
  })

  test('refuses weights of another shape by name', () => {
    const weights = randomWeights()
    weights.delete('encoder.layer.1.output.dense.bias')
    expect(() => encoderGraph(weights, SIZES)).toThrow(
      'The model has no tensor encoder.layer.1.output.dense.bias with the shape 32.',
    )
  })
})

test('a safetensors file in half precision is read as numbers', () => {
  const header = Buffer.from(
    JSON.stringify({
      a: { dtype: 'F16', shape: [2], data_offsets: [0, 4] },
      b: { dtype: 'I64', shape: [], data_offsets: [4, 12] },
    }),
  )
  const file = Buffer.alloc(8 + header.length + 12)
  file.writeBigUInt64LE(BigInt(header.length))
  header.copy(file, 8)
  file.set(new Uint8Array(new Float16Array([1.5, -0.25]).buffer), 8 + header.length)
  expect(readSafetensors(file, (name) => name === 'a').get('a')).toEqual({
    shape: [2],
    data: Float32Array.of(1.5, -0.25),
  })
  expect(() => readSafetensors(file)).toThrow('Tensor b has type I64')
})
