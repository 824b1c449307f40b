import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { z } from 'zod'
import { packagePath } from '../../lib/files.ts'
import type { Embedder } from '../model.ts'
import { readSafetensors } from '../safetensors.ts'
import { matchedTable } from './best-similarities.ts'
import { createTokenMatcher } from './token-matcher.ts'
import { createTokenTable, type TokenTable } from './token-table.ts'
import { createWordPieces } from './word-pieces.ts'

/** Folder of the embedding model that comes with recalld. */
export const MODEL_FOLDER = packagePath('models/static-en-40k')

const configSchema = z.looseObject({
  files: z.looseObject({ int8: z.string() }).optional(),
  maxsim: z.looseObject({ threshold: z.number().min(0).max(0.99), ignore_ids: z.array(z.number().int()) }).optional(),
})

/** Texts per call; bounds the memory of a batch. */
const MAX_BATCH = 1024

/**
 * Loads a table of token vectors (`config.json`, `tokenizer.json`, `model.safetensors`) as an embedder: the vector of a
 * text is the normalized sum of its tokens' rows, computed on the calling thread in microseconds.
 * The space is named after the folder and the content of its files, so that a changed table is another space.
 */
export async function loadStaticEmbedder(folder: string): Promise<Embedder> {
  const read = (name: string): Promise<Buffer> => readFile(join(folder, name))
  const [configFile, tokenizerFile] = await Promise.all([read('config.json'), read('tokenizer.json')])
  const config = configSchema.parse(JSON.parse(configFile.toString('utf8')))
  const modelFile = await read(config.files?.int8 ?? 'model.safetensors')
  const stored = createTokenTable(readSafetensors(modelFile))
  const { table, createBest } = matchedTable(stored, config.maxsim?.threshold ?? 0)
  // Created for the first text: it takes two thirds of the time to load, and most commands embed nothing.
  let tokenizer: WordTokenizer | undefined
  const encodeText = (text: string): readonly number[] => {
    tokenizer ??= new WordTokenizer(z.looseObject({}).parse(JSON.parse(tokenizerFile.toString('utf8'))))
    return tokenizer.encode(text)
  }
  // The texts of an item are embedded and then matched by token: their tokens are found once.
  let embedded = new Map<string, readonly number[]>()
  const digest = createHash('sha256').update(modelFile).update(tokenizerFile).digest('hex').slice(0, 12)
  return {
    space: { id: `${basename(folder)}:${digest}`, dimensions: table.dimensions },
    maxBatch: MAX_BATCH,
    maxCharacters: Number.MAX_SAFE_INTEGER,
    embed: async (texts) => {
      const ids = texts.map(encodeText)
      embedded = new Map(texts.map((text, i) => [text, ids[i]!]))
      return ids.map((one) => pool(table, one))
    },
    ...(config.maxsim && {
      tokens: createTokenMatcher({
        createBest,
        encodeText: (text) => embedded.get(text) ?? encodeText(text),
        ignoredIds: new Set(config.maxsim.ignore_ids),
      }),
    }),
  }
}

function pool({ dimensions, rows, scales }: TokenTable, ids: readonly number[]): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const id of ids) {
    const scale = scales[id]!
    const row = id * dimensions
    for (let i = 0; i < dimensions; i++) vector[i]! += rows[row + i]! * scale
  }
  let squares = 0
  for (let i = 0; i < dimensions; i++) squares += vector[i]! * vector[i]!
  if (squares > 0) {
    const inverse = 1 / Math.sqrt(squares)
    for (let i = 0; i < dimensions; i++) vector[i]! *= inverse
  }
  return vector
}

/** Words in each of the two cache generations. */
const CACHE_GENERATION = 30_000
const MAX_CACHED_LENGTH = 64
const PRINTABLE_ASCII = /^[\t\n\r\x20-\x7e]*$/
// In ASCII, the BERT pre-tokenizer cuts exactly here: at spaces and around each mark of punctuation.
const ASCII_PIECE = /[A-Za-z0-9]+|[^\sA-Za-z0-9]/g
const SPACED_PIECE = /\S+/g

/** A BERT WordPiece tokenizer with a cache per word, which gives the same ids many times faster. */
export class WordTokenizer {
  readonly #definition: object
  readonly #wordPieces: ReturnType<typeof createWordPieces>
  #tokenizer: Tokenizer | undefined
  #recent = new Map<string, readonly number[]>()
  #older = new Map<string, readonly number[]>()

  /** @param definition content of a `tokenizer.json` without special tokens around a text */
  constructor(definition: object) {
    this.#definition = definition
    this.#wordPieces = createWordPieces(definition)
  }

  encode(text: string): number[] {
    const ids: number[] = []
    const isAscii = PRINTABLE_ASCII.test(text)
    for (const [spaced] of isAscii ? [[text]] : text.matchAll(SPACED_PIECE)) {
      if (!isAscii && !PRINTABLE_ASCII.test(spaced!)) this.#append(spaced!, ids)
      else for (const piece of spaced!.match(ASCII_PIECE) ?? []) this.#append(piece, ids)
    }
    return ids
  }

  #append(piece: string, ids: number[]): void {
    const known = this.#recent.get(piece) ?? this.#remember(piece)
    for (const id of known) ids.push(id)
  }

  #remember(piece: string): readonly number[] {
    const ids = this.#older.get(piece) ?? this.#find(piece)
    if (piece.length > MAX_CACHED_LENGTH) return ids
    if (this.#recent.size >= CACHE_GENERATION) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    // The piece is a slice of a document; copying it as key avoids keeping the document in memory.
    this.#recent.set(Buffer.from(piece, 'utf8').toString('utf8'), ids)
    return ids
  }

  #find(piece: string): readonly number[] {
    if (this.#wordPieces !== undefined && PRINTABLE_ASCII.test(piece)) return this.#wordPieces(piece)
    this.#tokenizer ??= new Tokenizer(this.#definition, {})
    return this.#tokenizer.encode(piece).ids
  }
}
