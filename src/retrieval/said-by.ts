import type { SourceType } from '../domain/source-type.ts'
import type { ChunkRow, MemoryRow, PassageRow } from '../store/search/search.ts'

/** Whose words a chunk is, as far as the memory that tells it says so. */
export interface SaidBy {
  readonly speaker?: string
  /** Of the memory, where it is not in the chunk itself. */
  readonly title?: string
}

const LONGEST_NAME = 80

/**
 * The body of a memory has its turns as `Name: words`; a mail is by the first of its participants. Names are taken only
 * from the participants, so that `Budget: 300` has no speaker.
 */
export function saidBy(
  chunk: ChunkRow,
  { text, speaker: named }: Pick<PassageRow, 'text' | 'speaker'>,
  memories: readonly MemoryRow[],
): SaidBy {
  const memory = toldIn(chunk, memories)
  if (memory === undefined) return {}
  const { body = '', participants = [], headline } = memory.content
  const title = headline !== undefined && !text.includes(headline) ? { title: headline } : {}
  const names = participants.filter((name) => name.length <= LONGEST_NAME)
  // Two may have said the same; what the source calls the speaker is exact where it is the name they go by.
  const exact = names.find((name) => name === named)
  const speaker = chunk.kind === 'turn' ? (exact ?? turnSpeaker(body, text, names)) : undefined
  const isMail = chunk.sourceType === 'email' || chunk.sourceType === 'ms-outlook'
  const author = speaker ?? (isMail && chunk.kind === 'prose' ? names[0] : undefined)
  return { ...title, ...(author !== undefined && { speaker: author }) }
}

/** The memory that tells a chunk. */
export function toldIn(chunk: ChunkRow, memories: readonly MemoryRow[]): MemoryRow | undefined {
  return memories.find(
    ({ itemKey, firstChunkId, lastChunkId }) =>
      itemKey === chunk.itemKey && firstChunkId <= chunk.chunkId && chunk.chunkId <= lastChunkId,
  )
}

/** The last name that begins a line up to where the text stands. */
function turnSpeaker(body: string, text: string, names: readonly string[]): string | undefined {
  const at = body.indexOf(text)
  if (at < 0) return undefined
  const lines = body.slice(0, at).split('\n').reverse()
  for (const line of lines) {
    const name = names.find((one) => line.startsWith(`${one}: `))
    if (name !== undefined) return name
  }
  return undefined
}

/** Whether the title of an item names the place where something was said, rather than what it is about. */
export function isChat(sourceType: SourceType): boolean {
  return sourceType === 'slack' || sourceType === 'ms-teams'
}
