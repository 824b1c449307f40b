import type { TableCell, TableRow } from './table-blocks.ts'

/**
 * Cells of all sheets of a workbook that are kept: 50,000 rows of 10 columns. Beyond it a workbook is a data base, not
 * something that somebody wrote; with the texts of ten million characters, that the largest text upload has as well.
 */
const MAX_CELLS = 500_000
const MAX_CHARACTERS = 10_000_000

/** A cell over several rows; both numbers from 0, the last one included. */
export interface MergedCell {
  readonly column: number
  readonly from: number
  readonly to: number
}

/** Collects the rows of the sheets of one workbook, up to the limit. */
export class SheetRows {
  #rows: TableRow[] = []
  #merged: MergedCell[] = []
  #cells = 0
  #characters = 0
  #leftOut = 0

  /** Rows beyond the limit, of all sheets. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** @param times how often the row stands there, one below the other */
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
    // What comes after a gap would stand below the wrong rows.
    if (fits < times) this.#cells = MAX_CELLS
  }

  /** What the cell says belongs to each of its rows. */
  merge(cell: MergedCell): void {
    if (cell.to > cell.from && cell.from >= 0) this.#merged.push(cell)
  }

  /** The rows of the sheet that ends here. */
  take(): TableRow[] {
    const rows = this.#rows
    const positions =
      this.#merged.length === 0 ? new Map<number, number>() : new Map(rows.map(({ index }, at) => [index, at] as const))
    // A cell may go down to the last row that a sheet can have, far below what is written.
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
