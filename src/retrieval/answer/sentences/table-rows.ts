import { analyze } from '../../../lib/analyze.ts'
import { plainText } from '../../../lib/sentences.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'

const RULE = /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*(?:(?::-*:?|-+:?)\s*)?)*$/
const CELLS = ' | '
/** A name that a column or a row can have. */
const LONGEST_LABEL = 40
/** `over PGlite`, `rather than better-sqlite3`: what was not chosen. */
const REJECTED = /\b(?:over|instead of|rather than|and not|but not)\s+(?:an? |the )?([\p{L}\p{N}][^\s?,.]*)/iu

/**
 * A row of a table with the names of its columns: `PGlite; installation: npm only; verdict: used in tests only`. Unchanged
 * if it is no row, or the names of its columns are not in the text.
 *
 * @param text the passage with the table
 */
export function labeledRow(row: string, text: string): string {
  const cells = cellsOf(row)
  if (cells.length < 2) return row
  const labels = columnsOf(text).find((columns) => columns.length === cells.length)
  if (labels === undefined) return row
  const named = cells.map((cell, i) => {
    const label = labels[i]!
    const isNamed = i > 0 && cell !== '' && label !== '' && label.length <= LONGEST_LABEL
    return isNamed ? `${label}: ${cell}` : cell
  })
  return named.filter((cell) => cell !== '').join('; ')
}

/** The names of the columns of each table. */
function columnsOf(text: string): string[][] {
  const lines = text.split('\n')
  return lines.flatMap((line, i) =>
    line.includes('|') && RULE.test(lines[i + 1] ?? '') ? [cellsOf(plainText(line))] : [],
  )
}

function cellsOf(row: string): string[] {
  return row.includes('|') ? row.split(/\s*\|\s*/).map((cell) => cell.trim()) : []
}

/** Starts with the row about what was not chosen, where a question asks why something else was: `Why SQLite over PGlite?` */
export function rejectedFirst(
  sentences: readonly AnswerSentence[],
  { kind, text }: Pick<AskedQuestion, 'kind' | 'text'>,
): readonly AnswerSentence[] {
  const [best] = sentences
  const rejected = kind === 'reason' ? REJECTED.exec(text)?.[1] : undefined
  if (best === undefined || rejected === undefined || !best.text.includes(CELLS)) return sentences
  const wanted = new Set(analyze(rejected))
  const row = sentences.find(
    (one) => one.passage === best.passage && new Set(analyze(cellsOf(one.text)[0] ?? '')).isSupersetOf(wanted),
  )
  if (row === undefined) return sentences
  const first = { ...row, score: best.score, features: { ...row.features, holdsKind: 1 } }
  return [first, ...sentences.filter((one) => one !== row)]
}
