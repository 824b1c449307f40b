import type { ChunkRow } from '../store/search/search.ts'

const MOST_TITLE_CHARACTERS = 80

/** `slack, 4 March 2026, ITEM (“Title”)`. @param title of the memory, where the chunk itself does not hold it */
export function citationLine(row: ChunkRow, title: string | undefined, timeZone: string): string {
  const when = row.at === undefined ? [] : [dayOf(new Date(row.at), timeZone)]
  const titled = title === undefined ? '' : ` (“${shortTitle(title)}”)`
  return `${[row.sourceType, ...when, row.itemId].join(', ')}${titled}`
}

export function shortTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').replace(/[“”]/g, '"').trim()
  return line.length <= MOST_TITLE_CHARACTERS ? line : `${line.slice(0, MOST_TITLE_CHARACTERS - 1).toWellFormed()}…`
}

/** `4 March 2026` */
export function dayOf(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' }).format(instant)
}
