import type { DocumentBlock, DocumentText } from './document-text.ts'
import { attribute, readXml, type XmlAttributes, type XmlHandler } from './office-package.ts'
import { oneLine, SheetRows, type TableCell, tableBlocks } from './tables.ts'

/** Undone changes, comments, texts on drawings and cached sheets of other files. */
const SKIPPED: ReadonlySet<string> = new Set(['tracked-changes', 'annotation', 'shapes', 'forms', 'scripts'])
/** Maximum rows of a sheet (LibreOffice 7.4 and later). */
const MAX_COLUMNS = 16_384
const MAX_ROWS = 1_048_576

/** The sheets of an OpenDocument spreadsheet (ODF 1.3 part 3, 9): a heading and tables for each non-empty one. */
export async function readOpenSheets(xml: AsyncIterable<string>): Promise<Pick<DocumentText, 'blocks' | 'skips'>> {
  const reader = new SheetsReader()
  await readXml(xml, reader)
  return reader.finish()
}

class SheetsReader implements XmlHandler {
  readonly #rows = new SheetRows()
  readonly #blocks: DocumentBlock[] = []
  #images = 0
  #sheet = ''
  #row = 0
  #rowsRepeated = 1
  #cells: TableCell[] = []
  #column = 0
  #columnsRepeated = 1
  #rowsSpanned = 1
  #type = ''
  #value = ''
  #words = ''
  #isWord = false
  #isError = false

  finish(): Pick<DocumentText, 'blocks' | 'skips'> {
    return {
      blocks: this.#blocks,
      skips: [
        { reason: 'limit', count: this.#rows.leftOut, noun: 'row', suffix: ' beyond the limit' },
        { reason: 'binary_part', count: this.#images, noun: 'image' },
      ],
    }
  }

  open(name: string, attributes: XmlAttributes): 'skip' | undefined {
    if (SKIPPED.has(name)) return 'skip'
    switch (name) {
      case 'table':
        this.#sheet = oneLine(attribute(attributes, 'name') ?? '') || 'Sheet'
        this.#row = 0
        break
      case 'table-row':
        this.#rowsRepeated = count(attributes, 'number-rows-repeated', MAX_ROWS)
        this.#cells = []
        this.#column = 0
        break
      case 'table-cell':
      case 'covered-table-cell':
        this.#openCell(attributes)
        break
      case 'p':
        this.#isWord = true
        if (this.#words !== '') this.#words += ' '
        break
      case 's':
      case 'tab':
      case 'line-break':
        this.#words += ' '
        break
      case 'image':
        this.#images++
        break
    }
    return undefined
  }

  text(text: string): void {
    if (this.#isWord) this.#words += text
  }

  close(name: string): void {
    switch (name) {
      case 'p':
        this.#isWord = false
        break
      case 'table-cell':
      case 'covered-table-cell':
        this.#endCell()
        break
      case 'table-row':
        this.#rows.add(this.#row, this.#cells, this.#rowsRepeated)
        this.#row += this.#rowsRepeated
        break
      case 'table': {
        const tables = tableBlocks(this.#rows.take())
        if (tables.length > 0) this.#blocks.push({ type: 'heading', level: 2, text: this.#sheet }, ...tables)
        break
      }
    }
  }

  #openCell(attributes: XmlAttributes): void {
    this.#columnsRepeated = count(attributes, 'number-columns-repeated', MAX_COLUMNS)
    this.#rowsSpanned = count(attributes, 'number-rows-spanned', MAX_ROWS)
    this.#type = attribute(attributes, 'value-type') ?? ''
    this.#value = attribute(attributes, 'date-value') ?? attribute(attributes, 'value') ?? ''
    this.#words = ''
    // LibreOffice declares errors as text in the standard attribute and as an error in its own.
    this.#isError = attributes['calcext:value-type'] === 'error'
  }

  #endCell(): void {
    // Formula errors have no content.
    const shown = this.#isError ? '' : oneLine(this.#words)
    // The displayed date depends on the locale; the value does not.
    const isDate = this.#type === 'date' && /^\d{4}-\d\d-\d\d/.test(this.#value)
    const text = isDate
      ? this.#value
          .replace(/T00:00(?::00.*)?$/, '')
          .replace('T', ' ')
          .slice(0, 16)
      : shown || (this.#isError ? '' : this.#value)
    const isText = this.#type === 'string' || this.#type === ''
    const end = Math.min(this.#column + this.#columnsRepeated, MAX_COLUMNS)
    for (let column = this.#column; text !== '' && column < end; column++) this.#cells.push({ column, text, isText })
    if (this.#rowsSpanned > 1 && text !== '') {
      this.#rows.merge({ column: this.#column, from: this.#row, to: this.#row + this.#rowsSpanned - 1 })
    }
    this.#column += this.#columnsRepeated
  }
}

function count(attributes: XmlAttributes, name: string, most: number): number {
  return Math.min(most, Math.max(1, Number.parseInt(attribute(attributes, name) ?? '1', 10) || 1))
}
