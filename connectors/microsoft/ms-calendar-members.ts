import { digest } from '../../src/connector/source-item-id.ts'

/** 48 bits tell the events of a calendar apart. */
const DIGITS = 8

/**
 * The events of a view, as digests of their ids in one text each: occurrences by the id of their series, single events
 * under the empty id. Graph names a removed occurrence only by its own id.
 */
export type ViewMembers = Readonly<Record<string, string>>

/** The members after a reading. @param added the series of each event by its id; '' for a single event */
export function changedMembers(
  known: ViewMembers,
  { added, removed }: { readonly added: ReadonlyMap<string, string>; readonly removed: ReadonlySet<string> },
): ViewMembers {
  const owners = ownersOf(known)
  for (const id of removed) owners.delete(short(id))
  for (const [id, series] of added) owners.set(short(id), series)
  const members = new Map<string, string>()
  for (const [member, series] of owners) members.set(series, `${members.get(series) ?? ''}${member}`)
  return Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * The series that lost one of these events, or `undefined` when one of them is unknown, so that it may have been of any
 * series.
 */
export function seriesThatLost(known: ViewMembers, removed: Iterable<string>): ReadonlySet<string> | undefined {
  const owners = ownersOf(known)
  const series = new Set<string>()
  for (const id of removed) {
    const owner = owners.get(short(id))
    if (owner === undefined) return undefined
    if (owner !== '') series.add(owner)
  }
  return series
}

function ownersOf(members: ViewMembers): Map<string, string> {
  const owners = new Map<string, string>()
  for (const [series, text] of Object.entries(members)) {
    for (let at = 0; at < text.length; at += DIGITS) owners.set(text.slice(at, at + DIGITS), series)
  }
  return owners
}

function short(id: string): string {
  return digest(id).slice(0, DIGITS)
}
