import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packagePath } from '../../src/lib/files.ts'
import { wordVector } from '../fakes/openai-server.ts'

/**
 * Address of `@huggingface/transformers`, which recalld does without: beside the project, or below the folder named by
 * RECALLD_TEST_TRANSFORMERS. `undefined` when it is at neither place.
 */
export function transformersPackage(): string | undefined {
  for (const folder of [packagePath(''), process.env.RECALLD_TEST_TRANSFORMERS]) {
    if (folder === undefined || folder === '') continue
    try {
      const file = createRequire(join(folder, 'package.json')).resolve('@huggingface/transformers')
      return pathToFileURL(file.replace(/\.cjs$/, '.mjs')).href
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error
    }
  }
  return undefined
}

/** Dimensions of what `writeEmbeddingModel` makes. */
export const TINY_DIMENSIONS = 12

const SPECIAL_TOKENS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']

/** What the model of `writeEmbeddingModel` has for a word before it is pooled. */
export function tinyVector(word: string): number[] {
  return SPECIAL_TOKENS.includes(word) ? new Array<number>(TINY_DIMENSIONS).fill(0) : wordVector(word, TINY_DIMENSIONS)
}

/** A model for embeddings that looks up a vector for each word; a file of a few KB as exporters write them. */
export function writeEmbeddingModel(folder: string, words: readonly string[]): void {
  const vocabulary = [...SPECIAL_TOKENS, ...words]
  const table = tensor('table', [vocabulary.length, TINY_DIMENSIONS], vocabulary.flatMap(tinyVector))
  writeModel(folder, vocabulary, {
    nodes: [node('Gather', ['table', 'input_ids'], 'last_hidden_state')],
    constants: [table],
    inputs: ['input_ids'],
    output: value('last_hidden_state', FLOAT, ['batch', 'length', TINY_DIMENSIONS]),
  })
}

/** A cross-encoder whose logit is the number of words that both texts have, times three, less two. */
export function writeReranker(folder: string, words: readonly string[]): void {
  const vocabulary = [...SPECIAL_TOKENS, ...words]
  const rows = vocabulary.map((_, row) =>
    vocabulary.map((_, column) => (row === column && row >= SPECIAL_TOKENS.length ? 1 : 0)),
  )
  writeModel(folder, vocabulary, {
    nodes: [
      node('Gather', ['table', 'input_ids'], 'tokens'),
      node('Cast', ['token_type_ids'], 'second', [attribute('to', FLOAT)]),
      node('Unsqueeze', ['second', 'axis2'], 'in_second'),
      node('Sub', ['one', 'in_second'], 'in_first'),
      node('Mul', ['tokens', 'in_first'], 'first_tokens'),
      node('Mul', ['tokens', 'in_second'], 'second_tokens'),
      node('ReduceSum', ['first_tokens', 'axis1'], 'first_words', [attribute('keepdims', 0)]),
      node('ReduceSum', ['second_tokens', 'axis1'], 'second_words', [attribute('keepdims', 0)]),
      node('Mul', ['first_words', 'second_words'], 'both'),
      node('ReduceSum', ['both', 'axis1'], 'common', [attribute('keepdims', 1)]),
      node('Mul', ['common', 'three'], 'scaled'),
      node('Sub', ['scaled', 'two'], 'logits'),
    ],
    constants: [
      tensor('table', [vocabulary.length, vocabulary.length], rows.flat()),
      tensor('one', [], [1]),
      tensor('two', [], [2]),
      tensor('three', [], [3]),
      axes('axis1', 1),
      axes('axis2', 2),
    ],
    inputs: ['input_ids', 'token_type_ids'],
    output: value('logits', FLOAT, ['batch', 1]),
  })
}

interface Graph {
  readonly nodes: readonly Uint8Array[]
  readonly constants: readonly Uint8Array[]
  /** Whole numbers by text and token. */
  readonly inputs: readonly string[]
  readonly output: Uint8Array
}

function writeModel(folder: string, vocabulary: readonly string[], { nodes, constants, inputs, output }: Graph): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  const graph = message(
    ...nodes.map((one) => bytes(1, one)),
    bytes(2, utf8('tiny')),
    ...constants.map((one) => bytes(5, one)),
    ...inputs.map((name) => bytes(11, value(name, INT64, ['batch', 'length']))),
    bytes(12, output),
  )
  // Version 8 of the format, version 13 of the operators.
  const model = message(number(1, 8), bytes(7, graph), bytes(8, message(number(2, 13))))
  writeFileSync(join(folder, 'onnx/model.onnx'), model)
  const json = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content))
  json('config.json', {
    model_type: 'bert',
    hidden_size: TINY_DIMENSIONS,
    vocab_size: vocabulary.length,
    num_labels: 1,
  })
  json('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: 64, pad_token: '[PAD]' })
  json('tokenizer.json', tokenizer(vocabulary))
}

function tokenizer(vocabulary: readonly string[]): object {
  return {
    version: '1.0',
    added_tokens: SPECIAL_TOKENS.map((content, id) => ({ id, content, special: true })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  }
}

/** Types of elements, as onnx.proto numbers them. */
const FLOAT = 1
const INT64 = 7

function node(operator: string, inputs: readonly string[], output: string, attributes: readonly Uint8Array[] = []) {
  return message(
    ...inputs.map((name) => bytes(1, utf8(name))),
    bytes(2, utf8(output)),
    bytes(3, utf8(output)),
    bytes(4, utf8(operator)),
    ...attributes.map((one) => bytes(5, one)),
  )
}

/** 2 is the type of an attribute that is a whole number. */
function attribute(name: string, integer: number): Uint8Array {
  return message(bytes(1, utf8(name)), number(3, integer), number(20, 2))
}

function tensor(name: string, dims: readonly number[], numbers: readonly number[]): Uint8Array {
  return constant(name, dims, FLOAT, new Uint8Array(Float32Array.from(numbers).buffer))
}

function axes(name: string, axis: number): Uint8Array {
  return constant(name, [1], INT64, new Uint8Array(BigInt64Array.of(BigInt(axis)).buffer))
}

function constant(name: string, dims: readonly number[], type: number, raw: Uint8Array): Uint8Array {
  return message(...dims.map((size) => number(1, size)), number(2, type), bytes(8, utf8(name)), bytes(9, raw))
}

function value(name: string, type: number, dims: readonly (number | string)[]): Uint8Array {
  const shape = dims.map((size) => bytes(1, typeof size === 'number' ? number(1, size) : bytes(2, utf8(size))))
  return message(bytes(1, utf8(name)), bytes(2, bytes(1, message(number(1, type), bytes(2, message(...shape))))))
}

/** The wire format of protocol buffers: fields are a number with a kind, then a varint or a length with bytes. */
function message(...fields: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(fields)
}

function number(field: number, integer: number): Uint8Array {
  return Buffer.from([...varint(field * 8), ...varint(integer)])
}

function bytes(field: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(content.length)]), content])
}

function varint(integer: number): number[] {
  return integer < 128 ? [integer] : [(integer % 128) + 128, ...varint(Math.floor(integer / 128))]
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}
