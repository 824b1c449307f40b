import { itemIdProblem } from '../domain/identifiers.ts'
import { fenced } from '../domain/recalled-fence.ts'
import { cleanLine } from './clean-text.ts'

/*
 * The author of a message also chooses titles, names, places and addresses. So all of that is inside the fence, above
 * the text that it is about; beside the fence stand only identifiers, sources, numbers, and times that are nothing else.
 */

/** What is known of a text, as it was stored. */
export interface Provenance {
  readonly title?: string | null | undefined
  readonly fileName?: string | undefined
  readonly where?: string | null | undefined
  readonly people?: readonly string[] | undefined
  readonly when?: string | null | undefined
  /** The original, where it came from. */
  readonly link?: string | undefined
}

const MOST_TITLE = 160
const MOST_NAME = 80
const MOST_PEOPLE = 12
const MOST_PEOPLE_IN_LINE = 4
const MOST_LINK = 1_000

/** The text in its fence, below a line for each thing that is known of it. Both must be clean already. */
export function quotation(text: string, header: string, fence: string): string {
  return fenced(header === '' ? text : `${header}\n\n${text}`, fence)
}

/** `Title: ...`, `Where: ...` and so on; empty when nothing is known. A time that is nothing else stands beside the fence. */
export function headerOf({ title, fileName, where, people = [], when, link }: Provenance): string {
  const names = people.slice(0, MOST_PEOPLE).map((name) => cleanLine(name, MOST_NAME))
  const fields = {
    Title: lineOf(title),
    File: lineOf(fileName),
    Where: lineOf(where),
    People: names.filter((name) => name !== '').join(', '),
    When: momentOf(when) === null ? lineOf(when) : '',
    Link: linkOf(link) ?? '',
  }
  const known = Object.entries(fields).filter(([, value]) => value !== '')
  return known.map(([name, value]) => `${name}: ${value}`).join('\n')
}

/**
 * The same in few words, for one line: what the text says itself is left out, and so is the address unless all is wanted.
 *
 * @param whole text of all passages of the item
 */
export function factsOf(
  { title, fileName, where, people = [], when, link }: Provenance,
  { whole, isFull }: { readonly whole: string; readonly isFull: boolean },
): string[] {
  const shown = whole.toLowerCase()
  const isNew = (text: string) => text !== '' && (isFull || !shown.includes(text.toLowerCase()))
  const heading = lineOf(title) || lineOf(fileName)
  const names = people.slice(0, isFull ? MOST_PEOPLE : MOST_PEOPLE_IN_LINE).map((name) => cleanLine(name, MOST_NAME))
  const place = lineOf(where)
  return [
    ...(momentOf(when) === null ? [lineOf(when)] : []),
    heading,
    heading.includes(place) ? '' : place,
    names.filter((name) => name !== '' && (isFull || !shown.includes(name.toLowerCase()))).join(', '),
    ...(isFull ? [linkOf(link) ?? ''] : []),
  ].filter((fact) => isNew(fact))
}

function lineOf(text: string | null | undefined): string {
  return text === null || text === undefined ? '' : cleanLine(text, MOST_TITLE)
}

/** Addresses that a browser opens, and no others. */
function linkOf(url: string | undefined): string | null {
  if (url === undefined || url.length > MOST_LINK || !URL.canParse(url)) return null
  const { protocol, username, password, href, origin } = new URL(url)
  // `https://bank.example@evil.example` looks like an address of the bank.
  if (username !== '' || password !== '' || href.length > MOST_LINK) return null
  // The brackets of chat templates are allowed in addresses; those of IPv6 stand in the origin.
  const shown = origin + href.slice(origin.length).replace(/[[\]]/g, (bracket) => (bracket === '[' ? '%5B' : '%5D'))
  return protocol === 'https:' || protocol === 'http:' ? shown : null
}

const MOST_MOMENT = 80
const WORDS_OF_TIME =
  'January February March April May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday to at UTC –'
    .split(' ')
    .join('|')
/** `4 March 2026, 10:12 to 11:00`, as the service writes times. */
const MOMENT = new RegExp(String.raw`^(?:(?:\d{1,4}(?::\d{2}){0,2}|${WORDS_OF_TIME})(?:,? |$)){1,16}$`)
const ISO = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,15}(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** A time that says nothing but the time; `null` for any other text. */
export function momentOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.length > MOST_MOMENT) return null
  return MOMENT.test(text) || ISO.test(text) ? text : null
}

/** Whether it has the form of an identifier, which another server may not keep to. */
export function isIdentifier(text: string): boolean {
  return itemIdProblem(text) === undefined
}

const MEMORY_ID = /^(.*)_memory_\d{1,9}$/s

/** The same of `<item_id>_memory_<index>`. */
export function isMemoryId(text: string): boolean {
  return isIdentifier(MEMORY_ID.exec(text)?.[1] ?? text)
}
