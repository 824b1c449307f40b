const TAG = /<(\/?)(table|thead|tbody|tfoot|tr|td|th|h[1-6]|ul|ol)\b[^<>]{0,4000}>/gi
const TABLE_PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'])
/** Data cells are short; a longer one is a page column. */
const LONGEST_CELL = 400

interface OpenTable {
  /** Positions of its own tags, in order. */
  readonly tags: { readonly at: number; readonly end: number; readonly closes: boolean }[]
  /** It contains another table, a heading, a list, or a cell that is too long for data. */
  isLayout: boolean
  /** Cells of the current row, and the number of rows with two or more. */
  cells: number
  cellStart: number
  rows: number
  wideRows: number
}

/**
 * Replaces layout tables, which nearly all HTML mails have, by plain blocks. A table contains data when its rows have
 * two or more short cells without headings, lists or tables. One pass over the tags.
 */
export function withoutLayoutTables(html: string): string {
  if (!/<table\b/i.test(html)) return html
  const open: OpenTable[] = []
  const replaced: OpenTable['tags'][number][] = []
  const close = (table: OpenTable) => {
    if (table.isLayout || table.wideRows < 2 || table.wideRows * 2 < table.rows) replaced.push(...table.tags)
  }
  for (const match of html.matchAll(TAG)) {
    const name = match[2]!.toLowerCase()
    const closes = match[1] === '/'
    const tag = { at: match.index, end: match.index + match[0].length, closes }
    if (name === 'table' && !closes) {
      const parent = open.at(-1)
      if (parent) parent.isLayout = true
      open.push({ tags: [tag], isLayout: false, cells: 0, cellStart: -1, rows: 0, wideRows: 0 })
      continue
    }
    const table = open.at(-1)
    if (!table) continue
    if (!TABLE_PARTS.has(name)) table.isLayout = true
    else {
      table.tags.push(tag)
      countCells(table, name, closes, tag, html)
      if (name === 'table') close(open.pop()!)
    }
  }
  for (const table of open) close(table)
  return rebuilt(html, replaced)
}

function countCells(table: OpenTable, name: string, closes: boolean, tag: { at: number; end: number }, html: string) {
  if (name === 'tr' && !closes) {
    table.rows++
    table.cells = 0
  }
  if (name !== 'td' && name !== 'th') return
  if (!closes) {
    table.cellStart = tag.end
    return
  }
  if (table.cellStart < 0) return
  const cell = html.slice(table.cellStart, tag.at)
  table.cellStart = -1
  if (cell.length > 20_000 || cell.replace(/<[^<>]{0,4000}>/g, '').length > LONGEST_CELL) table.isLayout = true
  if (/[^\s]/.test(cell.replace(/<[^<>]{0,4000}>|&nbsp;/g, '')) && ++table.cells === 2) table.wideRows++
}

function rebuilt(html: string, tags: readonly OpenTable['tags'][number][]): string {
  const parts: string[] = []
  let at = 0
  for (const tag of tags.toSorted((a, b) => a.at - b.at)) {
    parts.push(html.slice(at, tag.at), tag.closes ? '</div>' : '<div>')
    at = tag.end
  }
  parts.push(html.slice(at))
  return parts.join('')
}
