import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { createTextBuilder } from '../markdown.ts'
import type { Draft, ParseContext } from '../parse-context.ts'
import { SheetRows, type TableRow, tableBlocks, tableRows } from './tables.ts'

const PIECE_CHARACTERS = 65_536
const DELIMITERS = [',', ';', '\t'] as const

/**
 * A table recognized as CSV by name or content type: pieces with a repeated header, titled with the file name.
 * Undefined without a second row, with only one column, unmatched quotes, or more cells than a workbook may have; it is
 * then read as data.
 */
export async function readCsv(text: string, context: ParseContext): Promise<Draft | undefined> {
  const { fileName, contentType } = context.file
  if (!/\.(?:csv|tsv)$/i.test(fileName) && !/^text\/(?:csv|tab-separated-values)\b/i.test(contentType)) return undefined
  const [header, ...rest] = await readRows(context.redact(text))
  if (header === undefined || header.cells.length < 2 || rest.length === 0) return undefined
  const builder = createTextBuilder(context)
  for (const { text: piece, type } of tableBlocks([header, ...rest])) builder.add(context.redact(piece), { type })
  return { kind: 'document', ...builder.build(), meta: { title: context.redact(fileName) } }
}

/** The rows; `undefined` when the text is not a table. */
async function readRows(text: string): Promise<TableRow[]> {
  const rows = new SheetRows()
  const parser = parse({
    delimiter: delimiterOf(text.slice(0, 4_000).split('\n', 1)[0] ?? ''),
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  })
  try {
    let index = 0
    for await (const record of Readable.from(piecesOf(text)).pipe(parser)) {
      const cells: readonly string[] = record
      const [row] = tableRows([cells])
      if (row) rows.add(index++, row.cells)
    }
  } catch (error) {
    if (error instanceof CsvError) return []
    throw error
  }
  return rows.leftOut > 0 ? [] : rows.take()
}

/** Parsed in pieces, so that not all rows are in memory at once. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) yield text.slice(at, at + PIECE_CHARACTERS)
}

/** The delimiter with most columns in the first line; some locales use semicolons. */
function delimiterOf(line: string): string {
  const count = (delimiter: string) => line.replace(/"[^"]*"/g, '').split(delimiter).length
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best))
}
