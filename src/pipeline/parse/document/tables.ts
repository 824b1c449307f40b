import type { DocumentBlock } from './document-text.ts'

export interface TableCell {
  /** From 0. */
  readonly column: number
  readonly text: string
  /** Not a number, a date or a truth value. */
  readonly isText: boolean
}

/** A row with its non-empty cells by column; empty rows are omitted and show as gaps in the row numbers. */
export interface TableRow {
  /** From 0. */
  readonly index: number
  readonly cells: readonly TableCell[]
}

/**
 * Maximum characters of a table piece with its header, the same as a chunk of prose (segment.ts), so that each piece is
 * found by its words, and keeps the names of its columns.
 */
const PIECE = 900
/** Longest column name in characters: it is repeated in each piece. */
const MAX_NAME = 150
const RULE = ' --- |'

/** Rows of words, as in a text document, without empty cells. */
export function tableRows(rows: readonly (readonly string[])[]): TableRow[] {
  return rows.flatMap((row, index) => {
    const cells = row.flatMap((words, column) => {
      const text = oneLine(words)
      return text === '' ? [] : [{ column, text, isText: !/^[-+\d.,:/%\s€$£]+$/.test(text) }]
    })
    return cells.length === 0 ? [] : [{ index, cells }]
  })
}

/** The words of a cell in one line. */
export function oneLine(words: string): string {
  return words.replace(/\s+/g, ' ').trim()
}

/**
 * Rows as Markdown tables of about a chunk each, every one with the header; if two rows would not fit in a chunk with
 * the header, as `Header: value` lines instead. A single cell in a row above a table is a paragraph.
 */
export function tableBlocks(rows: readonly TableRow[]): DocumentBlock[] {
  const blocks: DocumentBlock[] = []
  let header: TableRow | undefined
  for (const region of splitRegions(rows)) {
    if (region.every(({ cells }) => cells.length === 1 && cells[0]?.column === region[0]?.cells[0]?.column)) {
      blocks.push(...linesInPieces(region.map(({ cells }) => cells[0]?.text ?? '')))
      continue
    }
    const start = region.findIndex(({ cells }) => cells.length > 1)
    const body = start < 0 ? [] : region.slice(start)
    const above = start < 0 ? region : region.slice(0, start)
    for (const { cells } of above) blocks.push({ type: 'paragraph', text: cells[0]?.text ?? '' })
    const [first, ...rest] = body
    if (first === undefined) continue
    const isHeader = header === undefined || beginsTable(header, first, rest[0], above.length > 0)
    if (isHeader) header = first
    blocks.push(...bodyBlocks(header ?? first, isHeader ? rest : body, isHeader))
  }
  return blocks
}

/** Rows between empty rows. */
function splitRegions(rows: readonly TableRow[]): TableRow[][] {
  const regions: TableRow[][] = []
  let before: number | undefined
  for (const row of rows) {
    if (before !== undefined && row.index <= before + 1) regions.at(-1)?.push(row)
    else regions.push([row])
    before = row.index
  }
  return regions
}

/** An empty row may separate two tables, or only rows of one. */
function beginsTable(header: TableRow, first: TableRow, next: TableRow | undefined, hasTitle: boolean): boolean {
  if (next === undefined || !first.cells.every(({ isText }) => isText)) return false
  const columns = new Set(header.cells.map(({ column }) => column))
  const goesBeyond = first.cells.some(({ column }) => !columns.has(column))
  return hasTitle || goesBeyond || next.cells.some(({ isText }) => !isText)
}

/** @param isFirst these are the first rows below the header */
function bodyBlocks(header: TableRow, rows: readonly TableRow[], isFirst: boolean): DocumentBlock[] {
  const whole: DocumentBlock = { type: 'paragraph', text: header.cells.map(({ text }) => text).join(' | ') }
  if (rows.length === 0) return [whole]
  const isCut = header.cells.some(({ text }) => text.length > MAX_NAME)
  const names = { ...header, cells: header.cells.map((cell) => ({ ...cell, text: shortName(cell.text) })) }
  return [...(isFirst && isCut ? [whole] : []), ...namedRows(names, rows)]
}

function namedRows(header: TableRow, rows: readonly TableRow[]): DocumentBlock[] {
  const used = new Set([header, ...rows].flatMap(({ cells }) => cells.map(({ column }) => column)))
  const columns = [...used].sort((a, b) => a - b)
  const head = `${rowLine(header, columns)}\n|${RULE.repeat(columns.length)}`
  const text = rows.reduce(
    (sum, { cells }) => sum + cells.reduce((length, cell) => length + cell.text.length + 3, 0),
    0,
  )
  if (head.length + (2 * text) / rows.length <= PIECE) {
    return inPieces(
      rows.map((row) => rowLine(row, columns)),
      head,
    )
  }
  const names = new Map(header.cells.map(({ column, text }) => [column, text]))
  return rows.map(({ cells }) => ({
    type: 'paragraph',
    text: cells.map(({ column, text }) => (names.has(column) ? `${names.get(column)}: ${text}` : text)).join('\n'),
  }))
}

function shortName(text: string): string {
  // Don't cut a surrogate pair.
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME).replace(/\p{Cs}$/u, '')}…` : text
}

function rowLine({ cells }: TableRow, columns: readonly number[]): string {
  const texts = new Map(cells.map(({ column, text }) => [column, text]))
  return `| ${columns.map((column) => (texts.get(column) ?? '').replaceAll('|', '\\|')).join(' | ')} |`
}

function inPieces(lines: readonly string[], head: string): DocumentBlock[] {
  return groupLines(lines, PIECE - head.length).map((group) => ({ type: 'table', text: [head, ...group].join('\n') }))
}

function linesInPieces(lines: readonly string[]): DocumentBlock[] {
  return groupLines(lines, PIECE).map((group) => ({ type: 'paragraph', text: group.join('\n') }))
}

/** Neighboring lines of up to `most` characters together. */
function groupLines(lines: readonly string[], most: number): string[][] {
  const groups: string[][] = []
  let size = most
  for (const line of lines) {
    size += line.length + 1
    if (size > most) {
      groups.push([line])
      size = line.length + 1
    } else groups.at(-1)?.push(line)
  }
  return groups
}

/**
 * Maximum cells kept of all sheets of a workbook: 50,000 rows of 10 columns, and texts of ten million characters, as in
 * the largest text upload. A larger workbook is a database rather than a document.
 */
const MAX_CELLS = 500_000
const MAX_CHARACTERS = 10_000_000

/** A cell over several rows; both numbers from 0, the last one included. */
interface MergedCell {
  readonly column: number
  readonly from: number
  readonly to: number
}

/** Collects the rows of all sheets of a workbook, up to the limit. */
export class SheetRows {
  #rows: TableRow[] = []
  #merged: MergedCell[] = []
  #cells = 0
  #characters = 0
  #leftOut = 0

  /** Rows beyond the limit, in all sheets. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** @param times how often the row is repeated */
  add(index: number, cells: readonly TableCell[], times = 1): void {
    if (cells.length === 0) return
    const size = cells.reduce((sum, { text }) => sum + text.length, 0)
    const fits = Math.min(
      times,
      Math.floor((MAX_CELLS - this.#cells) / cells.length),
      Math.floor((MAX_CHARACTERS - this.#characters) / Math.max(1, size)),
    )
    for (let i = 0; i < fits; i++) this.#rows.push({ index: index + i, cells })
    this.#cells += fits * cells.length
    this.#characters += fits * size
    this.#leftOut += times - fits
    // Rows after a gap would have the wrong row numbers.
    if (fits < times) this.#cells = MAX_CELLS
  }

  /** A merged cell's value belongs to each of its rows. */
  merge(cell: MergedCell): void {
    if (cell.to > cell.from && cell.from >= 0) this.#merged.push(cell)
  }

  /** The rows of the sheet that ends here. */
  take(): TableRow[] {
    const rows = this.#rows
    const positions =
      this.#merged.length === 0 ? new Map<number, number>() : new Map(rows.map(({ index }, at) => [index, at] as const))
    // A merged cell may reach the last possible row, far below the written ones.
    const last = rows.reduce((most, { index }) => Math.max(most, index), 0)
    for (const { column, from, to } of this.#merged) {
      const said = rows[positions.get(from) ?? -1]?.cells.find((cell) => cell.column === column)
      for (
        let index = from + 1;
        said !== undefined && index <= Math.min(to, last) && this.#cells < MAX_CELLS;
        index++
      ) {
        const at = positions.get(index) ?? -1
        const row = rows[at]
        if (row === undefined || row.cells.some((cell) => cell.column === column)) continue
        rows[at] = { index, cells: [...row.cells, said].sort((a, b) => a.column - b.column) }
        this.#cells++
      }
    }
    this.#rows = []
    this.#merged = []
    return rows
  }
}
