import { AppError } from '../../domain/errors.ts'
import type { StoredTensor } from '../safetensors.ts'
import type { Graph, GraphNode, Tensor, TensorType } from './onnx-file.ts'

/** The dimensions of a BERT encoder, from `config.json` next to the weights. */
export interface EncoderSizes {
  readonly vocabulary: number
  readonly positions: number
  readonly hidden: number
  readonly intermediate: number
  readonly heads: number
  readonly layers: number
}

/** all-MiniLM-L6-v2: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/blob/main/config.json */
export const MINILM: EncoderSizes = {
  vocabulary: 30_522,
  positions: 512,
  hidden: 384,
  intermediate: 1_536,
  heads: 12,
  layers: 6,
}

/** Operators of ONNX Runtime in addition to those of ONNX. */
const RUNTIME = 'com.microsoft'
const OPERATORS = { '': 18, [RUNTIME]: 1 }
const LAYER_NORM_EPSILON = { float: 1e-12 }
/**
 * Signed 7-bit weights, because processors without VNNI add two products in 16 bits, which 8-bit weights would
 * overflow.
 */
const LARGEST_WEIGHT = 63
const LARGEST_EMBEDDING = 127

/**
 * A BERT encoder whose large matrices have 8-bit integers; activations are quantized dynamically. Input `ids`: the word
 * pieces of one text. Output `vector`: the mean over its pieces, not normalized.
 */
export function encoderGraph(weights: ReadonlyMap<string, StoredTensor>, sizes: EncoderSizes): Graph {
  const graph = new GraphBuilder(weights)
  const places = graph.weight('embeddings.position_embeddings.weight', [sizes.positions, sizes.hidden])
  // A text is always the first segment, so the segment's vector can be added to the positions.
  const segments = graph.weight('embeddings.token_type_embeddings.weight', [2, sizes.hidden])
  for (let i = 0; i < places.length; i++) places[i]! += segments[i % sizes.hidden]!
  const hidden = layers(graph, embedded(graph, sumOfEmbeddings(graph, places, sizes), sizes), sizes)
  graph.constant('token axis', 'int64', [1], new BigInt64Array([1n]))
  graph.add('ReduceMean', [hidden, 'token axis'], 'vector', { keepdims: 0 })
  return {
    nodes: graph.nodes,
    weights: graph.tensors,
    inputs: [{ name: 'ids', type: 'int64', shape: [1, 'pieces'] }],
    outputs: [{ name: 'vector', type: 'float32', shape: [1, sizes.hidden] }],
    operatorVersions: OPERATORS,
  }
}

/**
 * A BERT cross-encoder, quantized in the same way. Inputs: `ids`, the word pieces of a question and a passage, and
 * `segments`, 0 for those of the question and 1 for those of the passage. Output `score`: the logit of the first piece.
 */
export function rerankerGraph(weights: ReadonlyMap<string, StoredTensor>, sizes: EncoderSizes): Graph {
  const graph = new GraphBuilder(weights)
  const places = graph.weight('embeddings.position_embeddings.weight', [sizes.positions, sizes.hidden])
  const sum = sumOfEmbeddings(graph, places, sizes)
  const segments = graph.weight('embeddings.token_type_embeddings.weight', [2, sizes.hidden])
  graph.constant('segments table', 'float32', [2, sizes.hidden], segments)
  graph.add('Gather', ['segments table', 'segments'], 'segment vectors')
  const hidden = layers(
    graph,
    embedded(graph, graph.add('Add', [sum, 'segment vectors'], 'with segments'), sizes),
    sizes,
  )
  graph.constant('first piece', 'int64', [], new BigInt64Array([0n]))
  graph.add('Gather', [hidden, 'first piece'], 'summary', { axis: 1 })
  graph.constant('classifier', 'float32', [sizes.hidden, 1], graph.weight('classifier.weight', [1, sizes.hidden]))
  graph.constant('classifier bias', 'float32', [1], graph.weight('classifier.bias', [1]))
  graph.add('MatMul', ['summary', 'classifier'], 'unbiased score')
  graph.add('Add', ['unbiased score', 'classifier bias'], 'score')
  const pieces = { type: 'int64', shape: [1, 'pieces'] } as const
  return {
    nodes: graph.nodes,
    weights: graph.tensors,
    inputs: [
      { name: 'ids', ...pieces },
      { name: 'segments', ...pieces },
    ],
    outputs: [{ name: 'score', type: 'float32', shape: [1, 1] }],
    operatorVersions: OPERATORS,
  }
}

function layers(graph: GraphBuilder, input: string, sizes: EncoderSizes): string {
  let hidden = input
  for (let layer = 0; layer < sizes.layers; layer++)
    hidden = encoderLayer(graph, hidden, `encoder.layer.${layer}`, sizes)
  return hidden
}

function sumOfEmbeddings(
  graph: GraphBuilder,
  places: Float32Array<ArrayBuffer>,
  { vocabulary, positions, hidden }: EncoderSizes,
): string {
  graph.rows('words', graph.weight('embeddings.word_embeddings.weight', [vocabulary, hidden]), hidden)
  graph.constant('positions', 'float32', [positions, hidden], places)
  graph.add('Gather', ['words', 'ids'], 'word integers')
  graph.add('Cast', ['word integers'], 'word numbers', { to: 1 })
  graph.add('Gather', ['words scale', 'ids'], 'word scales')
  graph.add('Mul', ['word numbers', 'word scales'], 'word vectors')
  graph.constant('first', 'int64', [1], new BigInt64Array([0n]))
  graph.constant('second axis', 'int64', [1], new BigInt64Array([0n]))
  graph.add('Shape', ['ids'], 'pieces', { start: 1, end: 2 })
  graph.add('Slice', ['positions', 'first', 'pieces', 'second axis'], 'position vectors')
  return graph.add('Add', ['word vectors', 'position vectors'], 'sum of embeddings')
}

function embedded(graph: GraphBuilder, sum: string, { hidden }: EncoderSizes): string {
  const norm = graph.norm('embeddings.LayerNorm', hidden)
  return graph.add('LayerNormalization', [sum, ...norm], 'embedded', { epsilon: LAYER_NORM_EPSILON, axis: -1 })
}

function encoderLayer(
  graph: GraphBuilder,
  input: string,
  layer: string,
  { hidden, intermediate, heads }: EncoderSizes,
): string {
  const parts = ['query', 'key', 'value'].map((part) =>
    graph.dense(input, `${layer}.attention.self.${part}`, hidden, hidden),
  )
  const attended = graph.add('MultiHeadAttention', parts, `${layer}.attended`, { num_heads: heads })
  const mixed = graph.dense(attended, `${layer}.attention.output.dense`, hidden, hidden)
  const middle = graph.addAndNorm(mixed, input, `${layer}.attention.output.LayerNorm`, hidden)
  const wide = graph.dense(middle, `${layer}.intermediate.dense`, hidden, intermediate)
  const active = graph.add('Gelu', [wide], `${layer}.active`)
  const narrow = graph.dense(active, `${layer}.output.dense`, intermediate, hidden)
  return graph.addAndNorm(narrow, middle, `${layer}.output.LayerNorm`, hidden)
}

const RUNTIME_OPERATORS = new Set(['DynamicQuantizeMatMul', 'MultiHeadAttention', 'Gelu', 'SkipLayerNormalization'])

class GraphBuilder {
  readonly nodes: GraphNode[] = []
  readonly tensors: Tensor[] = []
  readonly #weights: ReadonlyMap<string, StoredTensor>

  constructor(weights: ReadonlyMap<string, StoredTensor>) {
    this.#weights = weights
  }

  /** The numbers of a weight. @throws AppError `invalid` when there is none with this shape */
  weight(name: string, shape: readonly number[]): Float32Array<ArrayBuffer> {
    const stored = this.#weights.get(name)
    if (stored?.shape.join() === shape.join()) return new Float32Array(stored.data)
    throw new AppError('invalid', `The model has no tensor ${name} with the shape ${shape.join(' x ')}.`)
  }

  /** @returns the name of the output */
  add(
    operator: string,
    inputs: readonly string[],
    output: string,
    attributes: NonNullable<GraphNode['attributes']> = {},
  ): string {
    const domain = RUNTIME_OPERATORS.has(operator) ? { domain: RUNTIME } : {}
    this.nodes.push({ operator, ...domain, inputs, outputs: [output], attributes })
    return output
  }

  constant(
    name: string,
    type: TensorType,
    shape: readonly number[],
    { buffer, byteOffset, byteLength }: Float32Array | Int8Array | BigInt64Array,
  ): string {
    this.tensors.push({ name, type, shape, data: new Uint8Array(buffer, byteOffset, byteLength) })
    return name
  }

  /** A table as integers with a scale per row, `NAME scale`. */
  rows(name: string, table: Float32Array, width: number): void {
    const height = table.length / width
    const integers = new Int8Array(table.length)
    const scales = new Float32Array(height)
    for (let row = 0; row < height; row++) {
      const values = table.subarray(row * width, (row + 1) * width)
      scales[row] = largest(values) / LARGEST_EMBEDDING || 1
      const scale = scales[row]!
      for (let i = 0; i < width; i++) integers[row * width + i] = Math.round(values[i]! / scale)
    }
    this.constant(name, 'int8', [height, width], integers)
    this.constant(`${name} scale`, 'float32', [height, 1], scales)
  }

  /** A linear layer with integer weights, and a scale per output. */
  dense(input: string, name: string, from: number, to: number): string {
    const stored = this.weight(`${name}.weight`, [to, from])
    const integers = new Int8Array(stored.length)
    const scales = new Float32Array(to)
    for (let out = 0; out < to; out++) {
      const values = stored.subarray(out * from, (out + 1) * from)
      scales[out] = largest(values) / LARGEST_WEIGHT || 1
      const scale = scales[out]!
      for (let i = 0; i < from; i++) integers[i * to + out] = Math.round(values[i]! / scale)
    }
    const matrix = this.constant(`${name}.matrix`, 'int8', [from, to], integers)
    const scale = this.constant(`${name}.scale`, 'float32', [to], scales)
    const bias = this.constant(`${name}.bias`, 'float32', [to], this.weight(`${name}.bias`, [to]))
    return this.add('DynamicQuantizeMatMul', [input, matrix, scale, '', bias], `${name}.output`)
  }

  addAndNorm(left: string, right: string, name: string, size: number): string {
    return this.add('SkipLayerNormalization', [left, right, ...this.norm(name, size)], `${name}.output`, {
      epsilon: LAYER_NORM_EPSILON,
    })
  }

  /** Weights of a layer normalization: factor and summand. */
  norm(name: string, size: number): readonly [string, string] {
    return [
      this.constant(`${name}.weight`, 'float32', [size], this.weight(`${name}.weight`, [size])),
      this.constant(`${name}.bias`, 'float32', [size], this.weight(`${name}.bias`, [size])),
    ]
  }
}

function largest(values: Float32Array): number {
  let most = 0
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]!))
  return most
}
