import { connectorTitle, specificConnector } from '../domain/connector-name.ts'
import { itemIdProblem } from '../domain/identifiers.ts'
import { fenced } from '../domain/recalled-fence.ts'
import { cleanLine } from './clean-text.ts'

/*
 * Authors of messages also choose titles, names, places and addresses, so all of these are inside the fence, above their
 * text. Only identifiers, sources, numbers and valid times are outside.
 */

/** Metadata of a text, as stored. */
export interface Provenance {
  readonly title?: string | null | undefined
  readonly fileName?: string | undefined
  readonly where?: string | null | undefined
  readonly people?: readonly string[] | undefined
  readonly when?: string | null | undefined
  /** Address of the original. */
  readonly link?: string | undefined
  /** The agent that wrote the item with a tool. */
  readonly agent?: string | undefined
  /** The connector that read the item. */
  readonly connector?: string | undefined
}

const MOST_TITLE = 160
const MOST_CONNECTOR = 40
const MOST_NAME = 80
const MOST_PEOPLE = 12
const MOST_PEOPLE_IN_LINE = 4
const MOST_LINK = 1_000

/** `tasks (Jira)`: the source type, as filters accept it, and the connector if more specific. */
export function namedSource(source: string, connector: string | undefined): string {
  const telling = specificConnector(source, connector)
  return telling === undefined ? source : `${source} (${cleanLine(connectorTitle(telling), MOST_CONNECTOR)})`
}

/** The text in its fence, below its metadata, one line each. Both must be cleaned already. */
export function quotation(text: string, header: string, fence: string): string {
  return fenced(header === '' ? text : `${header}\n\n${text}`, fence)
}

/** `Title: ...`, `Where: ...` and so on; empty without metadata. A valid time is outside the fence. */
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
 * The metadata in one line, without what the text contains. The address is only included on request.
 *
 * @param whole text of all passages of the item
 */
export function factsOf(
  { title, fileName, where, people = [], when, link, agent }: Provenance,
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
    agent === undefined ? '' : `noted by ${cleanLine(agent, MOST_NAME)}`,
    ...(isFull ? [linkOf(link) ?? ''] : []),
  ].filter((fact) => isNew(fact))
}

function lineOf(text: string | null | undefined): string {
  return text === null || text === undefined ? '' : cleanLine(text, MOST_TITLE)
}

/** Only http and https addresses. */
function linkOf(url: string | undefined): string | null {
  if (url === undefined || url.length > MOST_LINK || !URL.canParse(url)) return null
  const { protocol, username, password, href, origin } = new URL(url)
  // `https://bank.example@evil.example` looks like an address of the bank.
  if (username !== '' || password !== '' || href.length > MOST_LINK) return null
  // Chat templates use brackets, which addresses allow; those of IPv6 are in the origin.
  const shown = origin + href.slice(origin.length).replace(/[[\]]/g, (bracket) => (bracket === '[' ? '%5B' : '%5D'))
  return protocol === 'https:' || protocol === 'http:' ? shown : null
}

const MOST_MOMENT = 80
const WORDS_OF_TIME =
  'January February March April May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday to at UTC –'
    .split(' ')
    .join('|')
/** The service's time format: `4 March 2026, 10:12 to 11:00`. */
const MOMENT = new RegExp(String.raw`^(?:(?:\d{1,4}(?::\d{2}){0,2}|${WORDS_OF_TIME})(?:,? |$)){1,16}$`)
const ISO = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,15}(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** A text that is only a time; `null` for any other text. */
export function momentOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.length > MOST_MOMENT) return null
  return MOMENT.test(text) || ISO.test(text) ? text : null
}

/** Whether it is a valid identifier; other servers may return anything. */
export function isIdentifier(text: string): boolean {
  return itemIdProblem(text) === undefined
}

const MEMORY_ID = /^(.*)_memory_\d{1,9}$/s

/** The same for `<item_id>_memory_<index>`. */
export function isMemoryId(text: string): boolean {
  return isIdentifier(MEMORY_ID.exec(text)?.[1] ?? text)
}
