import { citedTitle } from '../../recall/provenance.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { Source } from '../evidence/evidence.ts'
import { fittingSentences, type LeadSentence } from '../lead-quotation.ts'

/** A note answers as a whole, where no single sentence does: with what it lists, or with how something is done. */
export type NoteAnswer = ListedEntries | GuideSection

interface ListedEntries {
  readonly kind: 'entries'
  readonly title: string
  /** At least one. */
  readonly sources: readonly Source[]
  /** Entries of the note; more than are shown if they are many. */
  readonly count: number
  /** `still open` */
  readonly state?: string
}

interface GuideSection {
  readonly kind: 'guide'
  /** Absent if it says nothing about the question, as of a note in which only a section does. */
  readonly title?: string
  readonly sources: readonly [Source]
}

/** Maximum characters of the entries that are shown. */
export const MOST_OF_ENTRIES = 700

/** A note with the first of its entries that fit; `undefined` if none does. */
export function listedEntries(
  one: ReadChunk,
  title: string,
  entries: readonly LeadSentence[],
): ListedEntries | undefined {
  const lead = fittingSentences(entries, MOST_OF_ENTRIES)
  if (lead.length === 0) return undefined
  return { kind: 'entries', title, sources: [entriesSource(one, lead)], count: entries.length }
}

/** Sentences of a passage as entries: `Tent; stove; rope`. */
export function entriesSource({ row, position }: ReadChunk, lead: readonly LeadSentence[]): Source {
  return { row, position, answer: lead.map(({ text }) => text).join('; '), lead }
}

/** `Found 3 still open in “Kitchen”: `, or `In “Boiler”: ` before how something is done. */
export function noteOpening(note: NoteAnswer): string {
  if (note.kind === 'guide') return note.title === undefined ? '' : `In “${citedTitle(note.title)}”: `
  return `Found ${[note.count, note.state ?? []].flat().join(' ')} in “${citedTitle(note.title)}”: `
}
