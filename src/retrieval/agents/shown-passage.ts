import type { ChunkRow } from '../../store/search/search.ts'

/** The id of a passage; stable until the item changes. */
export function passageId({ sourceType, itemId, ordinal }: ChunkRow): string {
  return `${sourceType}/${itemId}/${ordinal}`
}

/** Whether an item is the transcript of this agent session or of one of its sub-agents: `session` or `session_agent-1` in its id. */
export function isOfSession({ itemId }: { readonly itemId: string }, session: string | undefined): boolean {
  if (session === undefined) return false
  return itemId.split(':').some((part) => part === session || part.startsWith(`${session}_agent-`))
}

const SENTENCE_END = /[.!?。！？\n](?=\s|$)/g

/** The start of a text, cut after a sentence if that keeps more than half of the limit. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const beginning = text.slice(0, most).toWellFormed()
  const end = [...beginning.matchAll(SENTENCE_END)].at(-1)?.index ?? 0
  return end > most / 2 ? beginning.slice(0, end + 1) : `${beginning.trimEnd()} …`
}
