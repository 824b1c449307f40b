import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readSafetensors } from '../../../src/models/safetensors.ts'
import { MODEL_FOLDER } from '../../../src/models/static/static-embedder.ts'
import { createTokenTable } from '../../../src/models/static/token-table.ts'
import { fitRows, type Lesson, type Matrix, matrix, principalComponents } from './matrix.ts'
import { readTaught } from './taught.ts'

// node distill.ts TAUGHT TABLE [--sif .001] [--fit pairs,sentences --ridge .1] [--lengths] [--join .5] [--dimensions 128]
// Writes a table that the product can load, from what teach.ts wrote:
// --sif      multiplies a row by a / (a + its share of all pieces), so that common pieces count less
// --fit      fits the rows to the teacher's vectors of pairs of words, sentences or both; --ridge holds them to their start
// --lengths  gives each row the length of that of the built-in table
// --join     sets the built-in rows, those of the pieces and the fitted ones side by side, the others with the lengths of the
//            built-in rows and this weight

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sif: { type: 'string' },
    fit: { type: 'string' },
    ridge: { type: 'string', default: '.1' },
    lengths: { type: 'boolean', default: false },
    join: { type: 'string' },
    dimensions: { type: 'string', default: '128' },
  },
})
const [taughtFolder, folder] = positionals
if (taughtFolder === undefined || folder === undefined) throw new Error('Usage: see the first lines of this script.')

function builtInRows(): Matrix {
  const { rows, size, dimensions, scales } = createTokenTable(
    readSafetensors(readFileSync(join(MODEL_FOLDER, 'model.safetensors'))),
  )
  const floats = new Float32Array(rows.length).map((_, i) => rows[i]! * scales[Math.floor(i / dimensions)]!)
  return { rows: size, columns: dimensions, values: floats }
}

function lengths({ rows, columns, values: numbers }: Matrix): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) =>
    Math.hypot(...numbers.subarray(row * columns, (row + 1) * columns)),
  )
}

function scaled({ rows, columns, values: numbers }: Matrix, factor: (row: number) => number): Matrix {
  return { rows, columns, values: numbers.map((value, i) => value * factor(Math.floor(i / columns))) }
}

function withLengths(rows: Matrix, wanted: Float64Array): Matrix {
  const own = lengths(rows)
  return scaled(rows, (row) => (own[row] === 0 ? 0 : wanted[row]! / own[row]!))
}

function sideBySide(parts: readonly Matrix[]): Matrix {
  const columns = parts.reduce((sum, part) => sum + part.columns, 0)
  const { rows } = parts[0]!
  const joined = new Float32Array(rows * columns)
  let offset = 0
  for (const part of parts) {
    for (let row = 0; row < rows; row++) {
      joined.set(part.values.subarray(row * part.columns, (row + 1) * part.columns), row * columns + offset)
    }
    offset += part.columns
  }
  return { rows, columns, values: joined }
}

/** Eight-bit integers with a scale for each row, as `createTokenTable` reads them. */
function safetensors({ rows, columns, values: numbers }: Matrix): Buffer {
  const integers = new Int8Array(rows * columns)
  const scales = new Float32Array(rows)
  for (let row = 0; row < rows; row++) {
    const own = numbers.subarray(row * columns, (row + 1) * columns)
    const scale = own.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127 || 1
    scales[row] = scale
    integers.set(
      own.map((value) => Math.round(value / scale)),
      row * columns,
    )
  }
  const header = JSON.stringify({
    embeddings: { dtype: 'I8', shape: [rows, columns], data_offsets: [0, integers.byteLength] },
    scales: {
      dtype: 'F32',
      shape: [rows],
      data_offsets: [integers.byteLength, integers.byteLength + scales.byteLength],
    },
  })
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(header.length))
  return Buffer.concat([size, Buffer.from(header), Buffer.from(integers.buffer), Buffer.from(scales.buffer)])
}

const { about, pieces: pieceVectors, ...vectors } = readTaught(taughtFolder)
const pieces = matrix(about.dimensions, pieceVectors)
const lessons = (values.fit?.split(',') ?? []).map((name): Lesson => {
  if (name !== 'pairs' && name !== 'sentences')
    throw new Error(`Rows are fitted to pairs and sentences, not to ${name}.`)
  return { ids: about[name], targets: vectors[name] }
})
const fitted = lessons.length === 0 ? pieces : fitRows(pieces, lessons, Number(values.ridge))
const dimensions = Number(values.dimensions)
const present = builtInRows()
const all = about.counts.reduce((sum, count) => sum + count, 0)
const shares = about.counts.map((count) => count / all)

function distilled(): Matrix {
  if (values.join !== undefined) {
    const weight = Number(values.join)
    const wanted = lengths(present).map((length) => weight * length)
    const parts = [pieces, ...(lessons.length === 0 ? [] : [fitted])].map((part) => withLengths(part, wanted))
    return principalComponents(sideBySide([present, ...parts]), dimensions, false)
  }
  const components = principalComponents(fitted, dimensions, true)
  const weighed = values.lengths ? withLengths(components, lengths(present)) : components
  if (values.sif === undefined) return weighed
  const a = Number(values.sif)
  return scaled(weighed, (row) => a / (a + shares[row]!))
}

/** The options as they were given, so that the card says how to make the table again. */
function modelCard({ rows, columns }: Matrix): string {
  return `# Model card: static token vectors distilled from all-MiniLM-L6-v2

${rows} WordPiece rows, ${columns} dimensions, 8-bit integers with a scale for each row. The vector of a text is the normalized sum of its rows.
Written by \`scripts/models/table/distill.ts ${process.argv.slice(4).join(' ')}\`.

- Teacher: ${about.teacher}, all-MiniLM-L6-v2 (Apache-2.0) as \`recalld models add minilm\` installs it.
- Taught: ${pieces.rows} pieces, ${about.pairs.length} pairs of words, ${about.sentences.length} texts.
- Frequencies: of ${all} pieces in ${about.texts} texts, which README.md in that folder lists. None begins like a text of the evaluation sets.
- English only. \`evaluate.ts\` measures what its vectors find alone.
`
}

const table = distilled()
mkdirSync(folder, { recursive: true })
for (const file of ['config.json', 'tokenizer.json']) copyFileSync(join(MODEL_FOLDER, file), join(folder, file))
writeFileSync(join(folder, 'model.safetensors'), safetensors(table))
writeFileSync(join(folder, 'MODEL_CARD.md'), modelCard(table))
