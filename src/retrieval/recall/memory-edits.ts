import { isPartOfPassage, isSamePassage, passageWords } from '../../lib/passage-words.ts'
import { type MemoryEdit, statingItem } from '../../store/edits/edits.ts'
import type { ChunkRow, MemoryRow, SearchIndex } from '../../store/search/search.ts'
import { inReadingOrder } from './features.ts'
import type { Folded } from './near-duplicates.ts'
import type { Update } from './superseded.ts'

/** Score factor of a pinned memory. */
const PINNED = 1.5

type EditedMemory = Pick<MemoryRow, 'itemId' | 'sourceType' | 'content'>

/** A correction among the candidates, by position. */
export interface AppliedCorrection {
  readonly edit: MemoryEdit
  readonly correction: number
  readonly corrected: readonly number[]
}

/** The words that identify a memory independent of its index: see `MemoryEdit.passage`. */
export function memoryPassage({ body, narrative }: MemoryRow['content']): Uint32Array {
  return passageWords(body ?? narrative ?? '')
}

/** The edits as of a day, without later ones. */
export async function readEdits(index: SearchIndex, now: Date): Promise<MemoryEdit[]> {
  return (await index.edits()).filter(({ at }) => at <= now)
}

/** Adds the corrections of candidates to the candidates. */
export async function addCorrections(
  rows: readonly ChunkRow[],
  edits: readonly MemoryEdit[],
  index: SearchIndex,
  spaceId: string,
): Promise<readonly ChunkRow[]> {
  if (edits.length === 0) return rows
  const items = new Set(rows.map(itemName))
  const held = new Set(rows.map(({ chunkId }) => chunkId))
  const missing = edits.flatMap((edit) => {
    const chunkId = edit.correction?.firstChunkId
    return chunkId === undefined || held.has(chunkId) || !items.has(itemName(edit)) ? [] : [chunkId]
  })
  if (missing.length === 0) return rows
  return inReadingOrder([...rows, ...(await index.chunks(missing, 0, spaceId))])
}

/**
 * Raises pinned chunks, and each correction above what it corrects.
 * @param scores by position; changed in place
 */
export function applyEdits(
  rows: readonly ChunkRow[],
  edits: readonly MemoryEdit[],
  scores: Float32Array,
): AppliedCorrection[] {
  if (edits.length === 0) return []
  const positions = Map.groupBy(rows.keys(), (position) => itemName(rows[position]!))
  const positionOf = new Map(rows.map(({ chunkId }, position) => [chunkId, position]))
  const corrections: AppliedCorrection[] = []
  for (const edit of edits) {
    const edited = (positions.get(itemName(edit)) ?? []).filter((position) =>
      isPartOfPassage(rows[position]!.bodyHashes, edit.passage),
    )
    if (edit.kind === 'pin') for (const position of edited) scores[position]! *= PINNED
    const correction = positionOf.get(edit.correction?.firstChunkId ?? -1)
    if (correction === undefined || edited.length === 0) continue
    const best = Math.max(...edited.map((position) => scores[position]!))
    scores[correction] = Math.max(scores[correction]!, best)
    corrections.push({ edit, correction, corrected: edited })
  }
  return corrections
}

/** The owner's edits of a memory: that it corrects or annotates another one, or a pin. The newest of each kind. */
export function memoryEdits(memory: MemoryRow, edits: readonly MemoryEdit[]): MemoryEdit[] {
  const stated = statedEdit(memory, edits)
  const pin = edits.find((edit) => edit.kind === 'pin' && isAbout(memory, edit))
  return [...(stated ? [stated] : []), ...(pin ? [pin] : [])]
}

/** The correction or note stated by the memories of an item, if any. */
export function statedEdit(
  { itemId, sourceType }: Pick<MemoryRow, 'itemId' | 'sourceType'>,
  edits: readonly MemoryEdit[],
): MemoryEdit | undefined {
  return edits.find((edit) => statingItem(edit)?.itemId === itemId && edit.sourceType === sourceType)
}

/** The edits of a memory, newest first. */
export function editsAbout(memory: EditedMemory, edits: readonly MemoryEdit[]): MemoryEdit[] {
  return edits.filter((edit) => isAbout(memory, edit))
}

/** What an edit is about: a passage of an item. */
export type EditedPassage = Pick<MemoryEdit, 'itemId' | 'sourceType' | 'passage'>

export function isAboutSame(edit: EditedPassage, other: EditedPassage): boolean {
  return itemName(edit) === itemName(other) && isSamePassage(edit.passage, other.passage)
}

/**
 * The notes on a memory, oldest first. Those on a corrected memory are on its correction, too, and a note has none of
 * its own.
 */
export function notesOn(memory: EditedMemory, edits: readonly MemoryEdit[]): MemoryEdit[] {
  const notes = edits.filter(({ kind }) => kind === 'note')
  if (notes.length === 0) return []
  const stated = statedEdit(memory, edits)
  if (stated?.kind === 'note') return []
  const { itemId, sourceType, content } = memory
  const about = stated ?? { itemId, sourceType, passage: memoryPassage(content) }
  return notes.filter((note) => isAboutSame(note, about)).reverse()
}

function states({ itemId, sourceType }: Pick<MemoryRow, 'itemId' | 'sourceType'>, edit: MemoryEdit): boolean {
  return edit.correction?.itemId === itemId && edit.sourceType === sourceType
}

function isAbout(memory: EditedMemory, edit: MemoryEdit): boolean {
  return itemName(edit) === itemName(memory) && isSamePassage(memoryPassage(memory.content), edit.passage)
}

/** Memories except those whose correction is among them. */
export function replaceCorrected(
  memories: readonly MemoryRow[],
  edits: readonly MemoryEdit[],
): { readonly rows: readonly MemoryRow[]; readonly replacedBy: (correction: MemoryRow) => readonly MemoryRow[] } {
  const replaced = new Map<MemoryRow, MemoryRow[]>()
  for (const edit of edits) {
    const correction = memories.find((memory) => states(memory, edit))
    if (correction === undefined) continue
    const older = memories.filter((memory) => memory !== correction && isAbout(memory, edit))
    replaced.set(correction, [...(replaced.get(correction) ?? []), ...older])
  }
  const isReplaced = new Set([...replaced.values()].flat())
  return {
    rows: memories.filter((memory) => !isReplaced.has(memory)),
    replacedBy: (correction) => replaced.get(correction) ?? [],
  }
}

function itemName({ sourceType, itemId }: { readonly sourceType: string; readonly itemId: string }): string {
  return `${sourceType}/${itemId}`
}

/**
 * Updates between the passages, with the corrections of the owner. A duplicate of a corrected memory is corrected too,
 * and earlier statements of others do not replace a correction.
 */
export function withOwnCorrections(
  updates: readonly Update[],
  corrected: readonly Update[],
  folded: readonly Folded<{ readonly row: ChunkRow }>[],
): readonly Update[] {
  if (corrected.length === 0) return updates
  const shownAs = new Map(
    folded.flatMap(({ one, copies }) => [one, ...copies].map(({ row }) => [row.chunkId, one.row] as const)),
  )
  const own = corrected.flatMap(({ newer, older, correctedAt }) => {
    const [correction, chunk] = [shownAs.get(newer), shownAs.get(older)]
    if (correction === undefined || chunk === undefined || correction === chunk) return []
    return [{ newer: correction.chunkId, older: chunk.chunkId, ...(correctedAt !== undefined && { correctedAt }) }]
  })
  const times = new Map(own.map(({ newer, correctedAt }) => [newer, correctedAt ?? 0]))
  const statedAt = new Map(folded.map(({ one }) => [one.row.chunkId, one.row.at ?? 0]))
  const later = updates.filter(({ newer, older }) => (statedAt.get(newer) ?? 0) >= (times.get(older) ?? 0))
  return [...later, ...own]
}
