import { readFileSync, writeFileSync } from 'node:fs'
import { packagePath } from '../../src/lib/files.ts'
import { tableHead, tableRow } from './table.ts'

/** A part of RESULTS.md. */
export interface ResultsSection {
  /** Begins with its heading. */
  readonly introduction: string
  readonly head: readonly string[]
  /** Rows of a table, whose first cell begins with the name of a set. */
  readonly rows: readonly string[]
}

const FILE = packagePath('test/eval/RESULTS.md')
const SECTION = /^(?=##? )/m

/** @param isWhole absent sections and the rows of other sets are dropped; otherwise they stay */
export function writeResults(sections: readonly ResultsSection[], isWhole: boolean): void {
  writeFileSync(FILE, mergeResults(isWhole ? '' : readFileSync(FILE, 'utf8'), sections))
}

/** The text with these sections in place of those with the same heading, whose rows of other sets stay. */
export function mergeResults(text: string, sections: readonly ResultsSection[]): string {
  const parts = text === '' ? [] : text.split(SECTION).map((part) => part.trim())
  for (const section of sections) {
    const at = parts.findIndex((part) => headingOf(part) === headingOf(section.introduction))
    const kept = at < 0 ? [] : otherRows(parts[at]!, section)
    const rows = [...kept, ...section.rows].sort((a, b) => compare(setOf(cellsOf(a)), setOf(cellsOf(b))))
    const merged = [section.introduction.trim(), '', ...tableHead(section.head), ...rows].join('\n')
    if (at < 0) parts.push(merged)
    else parts[at] = merged
  }
  return `${parts.join('\n\n')}\n`
}

function headingOf(part: string): string {
  return part.split('\n', 1)[0]!
}

/** The rows of sets that the section has none of, with its columns: `-` where they lack one. */
function otherRows(part: string, { head, rows }: ResultsSection): string[] {
  const [own = [], , ...old] = part
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf)
  const measured = new Set(rows.map((row) => setOf(cellsOf(row))))
  return old
    .filter((cells) => !measured.has(setOf(cells)))
    .map((cells) => tableRow(head.map((name) => cells[own.indexOf(name)] ?? '-')))
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}

/** `locomo-dev` of `locomo-dev: temporal` and `locomo-dev, minilm`. */
function setOf([name = '']: readonly string[]): string {
  return name.split(/[:,]/, 1)[0]!
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
