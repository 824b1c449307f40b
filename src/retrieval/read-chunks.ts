import { analyze, hashTerm } from '../lib/analyze.ts'
import type { ChunkRow, PassageRow, SearchIndex } from '../store/search/search.ts'
import { type Folded, foldSame, type Told } from './near-duplicates.ts'
import type { RankedChunk } from './rank-chunks.ts'
import { isChat } from './said-by.ts'
import type { Statement } from './superseded.ts'

/** A ranked chunk with what is shown of it. */
export interface ReadChunk extends RankedChunk {
  readonly passage: PassageRow
}

/** Reading again for what copies took the place of; an account of copies only must not be read whole. */
const MOST_READINGS = 3

/**
 * Reads the best chunks, `size` and more where copies leave fewer than `least`, and folds those that say the same.
 *
 * @param ranked best first
 */
export async function readChunks(
  ranked: readonly RankedChunk[],
  { size, least, timeZone }: { readonly size: number; readonly least: number; readonly timeZone: string },
  index: SearchIndex,
): Promise<{ readonly read: readonly ReadChunk[]; readonly folded: readonly Folded<ReadChunk>[] }> {
  const read: ReadChunk[] = []
  let folded: Folded<ReadChunk>[] = []
  for (let reading = 0; reading < MOST_READINGS; reading++) {
    const next = ranked.slice(reading * size, (reading + 1) * size)
    if (next.length === 0) break
    const passages = await index.passages(next.map(({ row }) => row.chunkId))
    for (const chunk of next) {
      const passage = passages.get(chunk.row.chunkId)
      // A chunk without a text was deleted between the two reads.
      if (passage !== undefined) read.push({ ...chunk, passage })
    }
    const toldOf = (chunk: ReadChunk) => toldOfChunk(chunk, timeZone)
    folded = foldSame(read, { toldOf, scoreOf: ({ share }) => share }, read.length, timeZone)
    if (folded.length >= least) break
  }
  return { read, folded }
}

/** In a chat, the title is the name of a place, and says nothing of the subject. */
export function statementOf({ row, passage }: ReadChunk): Statement {
  const { chunkId, itemKey, sourceType, at, bodyHashes, metaHashes } = row
  const { text, title, speaker } = passage
  return {
    chunkId,
    itemKey,
    text,
    at,
    title: isChat(sourceType) ? undefined : title,
    speaker,
    // Of most statements they are never asked for.
    terms: {
      *[Symbol.iterator]() {
        yield* bodyHashes
        yield* metaHashes
      },
    },
  }
}

function toldOfChunk({ row, passage }: ReadChunk, timeZone: string): Told {
  const { text, title, speaker } = passage
  return {
    itemKey: row.itemKey,
    text,
    title,
    headline: '',
    heading: () => headingOf(row, timeZone),
    speakers: speaker === undefined ? [] : [speaker],
    at: row.at,
    isChat: isChat(row.sourceType),
  }
}

/** The terms that a chunk is found by besides its text, without those of its date, which stand last. */
function headingOf({ metaHashes, at }: ChunkRow, timeZone: string): string {
  if (at === undefined) return metaHashes.join(' ')
  const day = { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
  const date = analyze(new Intl.DateTimeFormat('en-GB', day).format(at)).map(hashTerm)
  const start = metaHashes.length - date.length
  const isDated = start >= 0 && date.every((hash, i) => metaHashes[start + i] === hash)
  return metaHashes.slice(0, isDated ? start : undefined).join(' ')
}
