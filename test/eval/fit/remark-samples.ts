import { readFileSync } from 'node:fs'
import { packagePath } from '../../../src/lib/files.ts'
import { sentencesOf } from '../../../src/lib/sentences.ts'
import { readSafetensors } from '../../../src/models/safetensors.ts'
import { MODEL_FOLDER } from '../../../src/models/static/static-embedder.ts'
import { createTokenTable } from '../../../src/models/static/token-table.ts'
import { isEnglish } from '../../../src/pipeline/extract/extract-context.ts'
import { isChatter } from '../../../src/pipeline/extract/salience.ts'
import { type RemarkFeatures, remarkFeatures } from '../../../src/pipeline/extract/small-talk/remark-features.ts'
import { plainWords } from '../../../src/pipeline/extract/small-talk/remark-words.ts'
import { isRemark } from '../../../src/pipeline/extract/small-talk/remarks.ts'
import { readLabelledPassages } from '../extraction/labelled-passages.ts'
import { readLabelledRemarks } from '../extraction/labelled-remarks.ts'
import type { Sample } from './logistic.ts'

export type RemarkInput = keyof RemarkFeatures | `vector${number}`
export type WordVectors = ReadonlyMap<string, readonly number[]>

/** Words with higher ids are left out: the vocabulary of the built-in model is ordered by frequency. */
const MAX_ID = 16_000

/** The vectors of the frequent whole words of the built-in model. */
export function wordVectors(): WordVectors {
  const { rows, scales, dimensions } = createTokenTable(
    readSafetensors(readFileSync(`${MODEL_FOLDER}/model.safetensors`)),
  )
  const tokenizer: { model: { vocab: Record<string, number> } } = JSON.parse(
    readFileSync(`${MODEL_FOLDER}/tokenizer.json`, 'utf8'),
  )
  const frequent = Object.entries(tokenizer.model.vocab).filter(([word, id]) => id < MAX_ID && /^[a-z]+$/.test(word))
  return new Map(
    frequent.map(([word, id]) => [
      word,
      Array.from(rows.subarray(id * dimensions, (id + 1) * dimensions), (value) => value * scales[id]!),
    ]),
  )
}

/** Other labels and texts are many, and of few writers. */
const SHARE = { chatterOfPassages: 0.4, ownTexts: 0.4 }

/** Labeled remarks of the half to fit, labeled small talk of passages, and sentences of invented years, which are news. */
export function remarkSamples(vectors: WordVectors): Sample<RemarkInput>[] {
  const remarks = readLabelledRemarks('fit').map(({ text, isChatter: chatter, language }) =>
    sample({ text, english: language === 'english', label: chatter ? 1 : 0, weight: 1 }, vectors),
  )
  const chatter = readLabelledPassages(['tuned']).flatMap(({ expect }) => expect.chatter)
  return [
    ...remarks,
    ...chatter.map((text) =>
      sample({ text, english: isEnglish(text), label: 1, weight: SHARE.chatterOfPassages }, vectors),
    ),
    ...ownSentences().map((text) => sample({ text, english: true, label: 0, weight: SHARE.ownTexts }, vectors)),
  ]
}

interface Labelled {
  readonly text: string
  readonly english: boolean
  readonly label: 0 | 1
  readonly weight: number
}

function sample({ text, english, label, weight }: Labelled, vectors: WordVectors): Sample<RemarkInput> {
  const words = english ? plainWords(text) : []
  const listed = words.flatMap((word) => vectors.get(word) ?? [])
  const dimensions = vectors.values().next().value!.length
  const sum = new Array<number>(dimensions).fill(0)
  for (const [i, value] of listed.entries()) sum[i % dimensions]! += value
  const norm = Math.sqrt(listed.reduce((total, value) => total + value * value, 0)) || 1
  const vector = vectorInputs(sum.map((value) => value / norm))
  return { inputs: { ...remarkFeatures(text), ...vector }, label, weight }
}

export function vectorInputs(vector: readonly number[]): Record<`vector${number}`, number> {
  return Object.fromEntries(vector.map((value, i) => [`vector${i}`, value]))
}

const LIVES = ['home/chat.txt', ...['nurse', 'band', 'studio', 'vet'].map((life) => `lives/${life}/files.txt`)]
const HEADER = /^(?:===|[\w-]+: |[{}#>|<*-]|BEGIN|END)/

/** Whole sentences of invented years, but for those that rules take for small talk. */
function ownSentences(): string[] {
  const lines = LIVES.flatMap((file) => readFileSync(packagePath(`test/eval/${file}`), 'utf8').split('\n'))
  return lines
    .filter((line) => !HEADER.test(line))
    .flatMap((line) => sentencesOf(line.replace(/^(?:\d\d:\d\d )?[^:]{0,50}: /, '')))
    .filter((sentence) => /^\p{Lu}.{8,140}[.!]$/u.test(sentence) && !isChatter(sentence) && !isRemark(sentence))
}
