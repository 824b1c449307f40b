import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { openLocalEmbedder } from '../../../src/models/local/local-embedder.ts'
import { EMBEDDING_SETTINGS } from '../../../src/models/model-settings.ts'
import { MODEL_FOLDER, WordTokenizer } from '../../../src/models/static/static-embedder.ts'
import { readVocabulary, type Taught, writeTaught } from './taught.ts'

// node teach.ts MODELS TEXTS.json TAUGHT [--pairs 50000] [--sentences 50000]
// Writes what the teacher says of every piece of the vocabulary, the commonest pairs of words in the texts, and the first of
// them. MODELS is the folder in which `recalld models add minilm` installed the teacher (`models` in a home).

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '50000' }, sentences: { type: 'string', default: '50000' } },
})
const [models, textsFile, folder] = positionals
if (models === undefined || textsFile === undefined || folder === undefined) {
  throw new Error('Usage: see the first lines of this script.')
}

/** `##ing` is taught as `ing`. */
function pieceTexts(): string[] {
  return readVocabulary().map((piece) => piece.replace(/^##/, ''))
}

function commonestPairs(texts: readonly string[], count: number): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    for (const [i, word] of words.slice(1).entries()) {
      const pair = `${words[i]} ${word}`
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
    }
  }
  const ordered = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return ordered.slice(0, count).map(([pair]) => pair)
}

/** Times that each piece occurs in the texts. */
function countPieces(texts: readonly string[], tokenizer: WordTokenizer, size: number): number[] {
  const counts = new Array<number>(size).fill(0)
  for (const text of texts) for (const id of tokenizer.encode(text)) counts[id]!++
  return counts
}

const texts = z.array(z.string()).parse(JSON.parse(readFileSync(textsFile, 'utf8')))
const tokenizer = new WordTokenizer(JSON.parse(readFileSync(join(MODEL_FOLDER, 'tokenizer.json'), 'utf8')))
const pieces = pieceTexts()
const pairs = commonestPairs(texts, Number(values.pairs))
const sentences = texts.slice(0, Number(values.sentences))

const settings = EMBEDDING_SETTINGS.parse({ provider: 'local', model: 'minilm' })
const teacher = await openLocalEmbedder({ ...settings, model: 'minilm' }, models)
const teach = async (name: string, some: readonly string[]): Promise<Float32Array> => {
  const vectors = new Float32Array(some.length * teacher.space.dimensions)
  for (let start = 0; start < some.length; start += teacher.maxBatch) {
    const batch = await teacher.embed(some.slice(start, start + teacher.maxBatch))
    for (const [i, vector] of batch.entries()) vectors.set(vector, (start + i) * teacher.space.dimensions)
  }
  process.stdout.write(`${some.length} ${name}\n`)
  return vectors
}
const taught: Taught = {
  about: {
    teacher: teacher.space.id,
    dimensions: teacher.space.dimensions,
    texts: texts.length,
    counts: countPieces(texts, tokenizer, pieces.length),
    pairs: pairs.map((pair) => tokenizer.encode(pair)),
    sentences: sentences.map((sentence) => tokenizer.encode(sentence)),
  },
  pieces: await teach('pieces', pieces),
  pairs: await teach('pairs of words', pairs),
  sentences: await teach('sentences', sentences),
}
await teacher.close()
mkdirSync(folder, { recursive: true })
writeTaught(folder, taught)
