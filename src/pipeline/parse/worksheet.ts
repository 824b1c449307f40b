import { type CellFormat, shownNumber, shownText } from './cell-format.ts'
import { readXml, type XmlAttributes, type XmlHandler } from './read-xml.ts'
import type { SheetRows } from './sheet-rows.ts'
import type { TableCell } from './table-blocks.ts'

/** What the cells of all sheets of a workbook refer to. */
export interface WorkbookCells {
  readonly strings: readonly string[]
  /** By the number of a cell's style. */
  readonly formats: readonly CellFormat[]
  /** Days are counted from 1904, not from 1900. */
  readonly from1904: boolean
}

/** The rows of a sheet (SpreadsheetML, ECMA-376 part 1, 18.3). What a merged cell says is said in each of its rows. */
export async function readWorksheet(xml: AsyncIterable<string>, cells: WorkbookCells, rows: SheetRows): Promise<void> {
  await readXml(xml, new WorksheetReader(cells, rows))
}

class WorksheetReader implements XmlHandler {
  readonly #workbook: WorkbookCells
  readonly #rows: SheetRows
  #row = -1
  #cells: TableCell[] = []
  #column = -1
  #type = ''
  #format: CellFormat = 'number'
  #value = ''
  #isValue = false

  constructor(workbook: WorkbookCells, rows: SheetRows) {
    this.#workbook = workbook
    this.#rows = rows
  }

  open(name: string, attributes: XmlAttributes): 'skip' | undefined {
    switch (name) {
      case 'row':
        this.#row = attributes.r === undefined ? this.#row + 1 : Number(attributes.r) - 1
        this.#column = -1
        this.#cells = []
        break
      case 'c':
        this.#column = attributes.r === undefined ? this.#column + 1 : columnOf(attributes.r)
        this.#type = attributes.t ?? 'n'
        this.#format = this.#workbook.formats[Number(attributes.s ?? '0')] ?? 'number'
        this.#value = ''
        break
      case 'v':
      case 't':
        this.#isValue = true
        break
      case 'f':
      case 'rPh':
        return 'skip'
      case 'mergeCell':
        this.#merge(attributes.ref ?? '')
        break
    }
    return undefined
  }

  text(text: string): void {
    if (this.#isValue) this.#value += text
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isValue = false
    else if (name === 'c') this.#endCell()
    else if (name === 'row') this.#rows.add(this.#row, this.#cells)
  }

  /** @param range `B2:B5` */
  #merge(range: string): void {
    const [from = '', to = ''] = range.split(':')
    this.#rows.merge({ column: columnOf(from), from: rowOf(from), to: rowOf(to) })
  }

  #endCell(): void {
    const text = this.#shown()
    if (text === '') return
    const isText = this.#type === 's' || this.#type === 'str' || this.#type === 'inlineStr'
    this.#cells.push({ column: this.#column, text, isText })
  }

  #shown(): string {
    if (this.#value === '') return ''
    switch (this.#type) {
      case 's':
        return this.#workbook.strings[Number(this.#value)] ?? ''
      case 'b':
        return this.#value.trim() === '1' ? 'TRUE' : 'FALSE'
      case 'n':
        return shownNumber(this.#value, this.#format, this.#workbook.from1904)
      case 'd':
        return this.#value.replace(/T00:00:00.*$/, '').replace('T', ' ')
      case 'e':
        // What a formula failed with says nothing.
        return ''
      default:
        return shownText(this.#value)
    }
  }
}

/** From 0: the letters of `AB12`. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? '') {
    column = column * 26 + letter.charCodeAt(0) - 64
  }
  return column - 1
}

/** From 0: the digits of `AB12`. */
function rowOf(reference: string): number {
  return Number(/\d{1,7}$/.exec(reference)?.[0] ?? '0') - 1
}
