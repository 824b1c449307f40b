import type { Provenance } from '../domain/memory.ts'
import { zoneOffsetMinutes } from '../lib/zoned-time.ts'
import type { ChunkRow, MemoryRow, PassageRow } from '../store/search/search.ts'
import { saidBy, toldIn } from './said-by.ts'

/** Titles of documents are shorter; a longer one is a text that stands where a title should. */
const MOST_TITLE_CHARACTERS = 300
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const HAS_TIME_OF_DAY = /\d:\d\d/

/** Says of a passage where it comes from, as far as that is known. */
export type ProvenanceOf = (row: ChunkRow, passage: PassageRow) => Provenance

/**
 * @param memories those that tell the passages
 * @param timeZone IANA name of the zone that times are written in
 */
export function createProvenance(memories: readonly MemoryRow[], timeZone: string): ProvenanceOf {
  return (row, passage) => {
    const { title, url } = passage
    const told = toldIn(row, memories)?.content.when
    const when = row.at === undefined ? told : (momentOf(row.kind, told) ?? momentText(new Date(row.at), timeZone))
    const speaker = saidBy(row, passage, memories).speaker ?? passage.speaker
    return {
      ...(title !== undefined && { title: shortTitle(title) }),
      ...(when !== undefined && { when }),
      ...(speaker !== undefined && { participants: [speaker] }),
      ...(url !== undefined && { url }),
    }
  }
}

/** That of the memory; but a memory tells a span of time, within which a turn has a minute of its own. */
function momentOf(kind: ChunkRow['kind'], told: string | undefined): string | undefined {
  return kind === 'turn' && told !== undefined && HAS_TIME_OF_DAY.test(told) ? undefined : told
}

/** `4 March 2026, 10:12`, as memories have it; a day begins at midnight, so midnight is a day. */
function momentText(at: Date, timeZone: string): string {
  const wall = new Date(at.getTime() + zoneOffsetMinutes(at, timeZone) * 60_000)
  const day = `${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()]} ${wall.getUTCFullYear()}`
  const clock = wall.toISOString().slice(11, 16)
  return clock === '00:00' ? day : `${day}, ${clock}`
}

function shortTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim()
  return line.length <= MOST_TITLE_CHARACTERS ? line : `${line.slice(0, MOST_TITLE_CHARACTERS - 1).toWellFormed()}…`
}
