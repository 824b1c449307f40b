import { z } from 'zod'
import type { DriveFile } from './drive-answers.ts'
import type { DriveSource } from './drive-source.ts'
import { editorAnswer } from './editor-answer.ts'
import { markdownTable, paragraphs } from './google-markdown.ts'

const TITLE = 'Google Sheets'
/** Larger sheets are data rather than text; Google allows 10,000,000 cells. */
const MOST_ROWS = 5_000
const MOST_COLUMNS = 100
/** Maximum characters of a spreadsheet, the same as Google allows in a document. */
const MOST_CHARACTERS = 1_000_000
/** Ranges are sent in the URL, which may have about 8,000 characters once encoded. */
const RANGES_AT_ONCE = 40
const LONGEST_RANGES = 6_000

const sheet = z.looseObject({
  properties: z.looseObject({
    title: z.string(),
    /** `GRID`, `OBJECT` (a chart), `DATA_SOURCE` */
    sheetType: z.string().optional(),
    gridProperties: z
      .looseObject({ rowCount: z.number().optional(), columnCount: z.number().optional() })
      .optional()
      .catch(undefined),
  }),
})
type Sheet = z.infer<typeof sheet>['properties']
const spreadsheetAnswer = z.looseObject({ sheets: z.array(sheet).default([]) })

const cell = z.union([
  z.string(),
  z.number().transform(String),
  z.boolean().transform(String),
  z.null().transform(() => ''),
])
const valuesAnswer = z.looseObject({
  valueRanges: z.array(z.looseObject({ values: z.array(z.array(cell)).default([]) })).default([]),
})

/**
 * Every sheet as a table of the displayed values, in two requests. The CSV export has only the first sheet, so it is
 * used only when the API does not know the file.
 */
export async function spreadsheetText(source: DriveSource, file: DriveFile): Promise<string | undefined> {
  const { sheets } = await import('googleapis/build/src/apis/sheets/index.js')
  const api = sheets({ version: 'v4', ...source.gateway.apiOptions })
  const fields = 'sheets(properties(title,sheetType,gridProperties(rowCount,columnCount)))'
  const found = await editorAnswer(source, file, {
    title: TITLE,
    answer: spreadsheetAnswer,
    send: (options) => api.spreadsheets.get({ spreadsheetId: file.id, fields }, options),
  })
  if (found === undefined) return firstSheet(source, file)
  const grids = found.sheets
    .map(({ properties }) => properties)
    .filter(({ sheetType = 'GRID' }) => sheetType === 'GRID')
  const parts: string[] = []
  let size = 0
  for (const some of requestsFor(grids)) {
    if (size >= MOST_CHARACTERS) break
    const params = { spreadsheetId: file.id, ranges: some.map(rangeOf), fields: 'valueRanges(values)' }
    const values = await editorAnswer(source, file, {
      title: TITLE,
      answer: valuesAnswer,
      send: (options) => api.spreadsheets.values.batchGet(params, options),
    })
    if (values === undefined) return firstSheet(source, file)
    for (const [index, grid] of some.entries()) {
      const text = sheetMarkdown(grid, values.valueRanges[index]?.values ?? [], MOST_CHARACTERS - size)
      size += text.length
      parts.push(text)
    }
  }
  return paragraphs(parts)
}

function requestsFor(grids: readonly Sheet[]): Sheet[][] {
  const requests: Sheet[][] = []
  let length = 0
  for (const grid of grids) {
    const own = encodeURIComponent(rangeOf(grid)).length + '&ranges='.length
    const last = requests.at(-1)
    const fits = last !== undefined && last.length < RANGES_AT_ONCE && length + own <= LONGEST_RANGES
    if (fits) last.push(grid)
    else requests.push([grid])
    length = fits ? length + own : own
  }
  return requests
}

/** In A1 notation, limited to the sheet's size, because Google rejects a range beyond it. */
function rangeOf({ title, gridProperties }: Sheet): string {
  const { rowCount = MOST_ROWS, columnCount = MOST_COLUMNS } = gridProperties ?? {}
  const name = `'${title.replaceAll("'", "''")}'`
  if (rowCount <= MOST_ROWS && columnCount <= MOST_COLUMNS) return name
  return `${name}!A1:${columnName(Math.min(columnCount, MOST_COLUMNS))}${Math.min(rowCount, MOST_ROWS)}`
}

function columnName(column: number): string {
  const letter = String.fromCharCode('A'.charCodeAt(0) + ((column - 1) % 26))
  return column > 26 ? `${columnName(Math.floor((column - 1) / 26))}${letter}` : letter
}

function sheetMarkdown({ title, gridProperties }: Sheet, rows: string[][], most: number): string {
  const shown: string[][] = []
  for (let left = most; shown.length < rows.length; shown.push(rows[shown.length] ?? [])) {
    left -= (rows[shown.length] ?? []).reduce((sum, text) => sum + text.length + 3, 0)
    if (left < 0) break
  }
  const table = markdownTable(shown)
  if (table === undefined) return ''
  const { rowCount = 0, columnCount = 0 } = gridProperties ?? {}
  const isCut =
    shown.length < rows.length || (rows.length === MOST_ROWS && rowCount > MOST_ROWS) || columnCount > MOST_COLUMNS
  const note = isCut ? `(The first ${shown.length} rows of ${Math.max(rowCount, rows.length)}.)` : undefined
  return paragraphs([`## ${title.replace(/\s+/g, ' ').trim()}`, note, table])
}

async function firstSheet({ api }: DriveSource, file: DriveFile): Promise<string | undefined> {
  const csv = await api.exported(file, 'text/csv')
  if (csv === undefined) return undefined
  const { parse } = await import('csv-parse/sync')
  const rows = z
    .array(z.array(z.string()))
    .parse(parse(csv, { bom: true, relax_column_count: true, relax_quotes: true }))
  return markdownTable(rows.slice(0, MOST_ROWS)) ?? ''
}
