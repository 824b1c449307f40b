import { fileNameWords } from '../../domain/file-name-words.ts'
import { isEventSource } from '../../domain/source-type.ts'
import { analyze, dateWords, hashTerm } from '../../lib/analyze.ts'
import type { PassageRow, SearchIndex } from '../../store/search/search.ts'
import { type ComparedText, type Folded, foldSame } from './near-duplicates.ts'
import { isChat } from './provenance.ts'
import type { RankedChunk } from './rerank-chunks.ts'
import type { Statement } from './superseded.ts'

/** A ranked chunk with its text and fields. */
export interface ReadChunk extends RankedChunk {
  readonly passage: PassageRow
}

/** Thrown when a ranked chunk has no text, because its item was replaced or deleted after the ranking. */
class ChunkGone extends Error {}

const MOST_ATTEMPTS = 3

/**
 * Ranks and reads again if an item was replaced or deleted in between, so that a replaced item is found by its old or new
 * text. The last attempt skips missing chunks.
 */
export async function retryIfReplaced<T>(index: SearchIndex, run: (index: SearchIndex) => Promise<T>): Promise<T> {
  const checked: SearchIndex = {
    ...index,
    passages: async (ids) => {
      const passages = await index.passages(ids)
      const missing = ids.filter((id) => !passages.has(id))
      if (missing.length === 0) return passages
      const hidden = await index.hidden()
      if (missing.some((id) => !hidden.has(id))) throw new ChunkGone()
      return passages
    },
  }
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      return await run(checked)
    } catch (error) {
      if (!(error instanceof ChunkGone)) throw error
    }
  }
  return run(index)
}

/**
 * Maximum further reads when duplicates leave too few results, so that an account full of duplicates is not read
 * completely.
 */
const MOST_READINGS = 3

/**
 * Reads the best chunks, `size` and more if duplicates leave fewer than `least`, and removes duplicates.
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
    const comparedTextOf = (chunk: ReadChunk) => comparedChunk(chunk, timeZone)
    folded = foldSame(read, { comparedTextOf, scoreOf: ({ share }) => share }, read.length, timeZone)
    if (folded.length >= least) break
  }
  return { read, folded }
}

/** In a chat the title is the name of the channel, which says nothing about the subject. */
export function chunkStatement({ row, passage }: ReadChunk): Statement {
  const { chunkId, itemKey, sourceType, at, bodyHashes, metaHashes } = row
  const { text, title, speaker } = passage
  return {
    chunkId,
    itemKey,
    text,
    at,
    title: isChat(sourceType) ? undefined : title,
    speaker,
    isTurn: row.kind === 'turn',
    isEvent: isEventSource(sourceType),
    // Lazy, because most statements never need them.
    terms: {
      *[Symbol.iterator]() {
        yield* bodyHashes
        yield* metaHashes
      },
    },
  }
}

function comparedChunk(chunk: ReadChunk, timeZone: string): ComparedText {
  const { row, passage } = chunk
  const { text, title, speaker } = passage
  return {
    itemKey: row.itemKey,
    text,
    title,
    headline: '',
    heading: () => chunkHeading(chunk, timeZone),
    speakers: speaker === undefined ? [] : [speaker],
    at: row.at,
    isChat: isChat(row.sourceType),
  }
}

/** The search terms of a chunk besides its text, without those of its date, which are last, and those only of its file name. */
function chunkHeading({ row, passage }: ReadChunk, timeZone: string): string {
  const { metaHashes, at, kind, sourceType } = row
  const { title = '', fileName } = passage
  const date = at === undefined ? [] : analyze(dateWords(at, timeZone)).map(hashTerm)
  const start = metaHashes.length - date.length
  const isDated = start >= 0 && date.every((hash, i) => metaHashes[start + i] === hash)
  const headed = metaHashes.slice(0, isDated ? start : undefined)
  if (kind === 'turn' || fileName === undefined) return headed.join(' ')
  const named = new Set(analyze(fileNameWords({ fileName, sourceType })).map(hashTerm))
  for (const term of analyze(title)) named.delete(hashTerm(term))
  return headed.filter((hash) => !named.has(hash)).join(' ')
}
