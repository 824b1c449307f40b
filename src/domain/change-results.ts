import { z } from 'zod'
import { sourceType } from './results.ts'

/* The responses to corrections, notes, pins, hidden memories and tags: extensions, as in `results.ts`. */

export const tagResult = z
  .object({
    status: z.literal('success'),
    item_id: z.string(),
    source_type: sourceType,
    tags: z.array(z.string()).readonly().meta({ description: 'All tags of the item, in alphabetical order.' }),
  })
  .meta({
    id: 'TagResult',
    examples: [{ status: 'success', item_id: 'meeting-2026-03-04', source_type: 'text', tags: ['billing'] }],
  })
export type TagResult = Readonly<z.infer<typeof tagResult>>

export const correctionResult = z
  .object({
    status: z.literal('success'),
    custom_id: z.string().meta({ description: 'ID of the correction, which can be recalled a moment later.' }),
    item_id: z.string(),
    source_type: sourceType,
    corrects: z.string(),
  })
  .meta({ id: 'CorrectionResult' })
export type CorrectionResult = Readonly<z.infer<typeof correctionResult>>

export const noteResult = z
  .object({
    status: z.literal('success'),
    custom_id: z.string().meta({ description: 'ID of the note, which can be recalled a moment later.' }),
    item_id: z.string(),
    source_type: sourceType,
    note_on: z.string(),
  })
  .meta({ id: 'NoteResult' })
export type NoteResult = Readonly<z.infer<typeof noteResult>>

/** A memory that was pinned or hidden. */
export const markResult = z
  .object({ status: z.literal('success'), custom_id: z.string(), source_type: sourceType })
  .meta({ id: 'MarkResult' })
export type MarkResult = Readonly<z.infer<typeof markResult>>

export const EDIT_KINDS = ['correction', 'note', 'pin', 'hide'] as const
export type EditKind = (typeof EDIT_KINDS)[number]

const editedMemory = z.object({
  id: z.string().meta({ description: 'Identifies the edit, to undo it.' }),
  kind: z.enum(EDIT_KINDS),
  by: z.string(),
  at: z.iso.datetime(),
  source_type: sourceType,
  item_id: z.string(),
  title: z.string().nullable(),
  custom_id: z.string().nullable().meta({ description: 'ID of the memory; null if its item no longer has it.' }),
  text: z.string().nullable().meta({ description: 'Text of the memory.' }),
  correction: z.string().nullable().meta({ description: 'Corrected text; null until it is processed.' }),
  note: z.string().nullable().meta({ description: 'Note text; null until it is processed.' }),
})
export type EditedMemory = Readonly<z.infer<typeof editedMemory>>

/** A page of what people corrected, annotated, pinned and hid, newest first. */
export const editList = z.object({
  edits: z.array(editedMemory).readonly(),
  total: z.number().int(),
  limit: z.number().int(),
  offset: z.number().int(),
})
export type EditList = Readonly<z.infer<typeof editList>>

/** Number of corrections, notes, pins or hidden memories. */
export const undoResult = z
  .object({ status: z.literal('success'), undone: z.number().int() })
  .meta({ id: 'UndoResult' })
export type UndoResult = Readonly<z.infer<typeof undoResult>>
