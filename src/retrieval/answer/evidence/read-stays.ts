import type { MemoryRow, SearchIndex, TimeRange } from '../../../store/search/search.ts'
import { chunksWithWords } from '../../question/query-terms.ts'
import { memoryOfChunk } from '../../recall/provenance.ts'
import { stayTimes } from '../sentences/stay-booking.ts'

/** How long before a stay its booking may be sent. */
const BOOKED_WITHIN_MS = 365 * 86_400_000
/** Number of texts that may be bookings whose days are read. */
const MOST_BOOKINGS = 40
/** Words of confirmations; those with most of them are read. */
const BOOKING_WORDS = 'check arrival departure booking reservation guests nights room'

/** Memories of earlier bookings whose stay overlaps a time. Each is dated on its first day within that time. */
export async function readStays(
  { since, until }: Pick<TimeRange, 'since' | 'until'>,
  timeZone: string,
  index: SearchIndex,
): Promise<MemoryRow[]> {
  const sentWithin = { since: new Date(since.getTime() - BOOKED_WITHIN_MS), until }
  const booked = await chunksWithWords(BOOKING_WORDS, { limit: MOST_BOOKINGS, ...sentWithin }, index)
  const passages = await index.passages(booked.map(({ chunkId }) => chunkId))
  const stays = booked.flatMap(({ chunkId, at, ...row }) => {
    const times = at === undefined ? undefined : stayTimes(passages.get(chunkId)?.text ?? '', new Date(at), timeZone)
    const isWithin = times !== undefined && times.from < until && times.until >= since
    return isWithin ? [{ row: { ...row, chunkId, at }, from: Math.max(times.from.getTime(), since.getTime()) }] : []
  })
  const memories = await index.memoriesOf(stays.map(({ row }) => row.chunkId))
  return stays.flatMap(({ row, from }) => {
    const memory = memoryOfChunk(row, memories)
    return memory === undefined ? [] : [{ ...memory, at: from }]
  })
}
