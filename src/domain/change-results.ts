import { z } from 'zod'
import { sourceType } from './results.ts'

/* The responses to corrections, pins, hidden memories and tags: extensions, as in `results.ts`. */

export const tagResult = z
  .object({
    status: z.literal('success'),
    item_id: z.string(),
    source_type: sourceType,
    tags: z.array(z.string()).readonly().meta({ description: 'All tags of the item, in the order of the alphabet.' }),
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

/** A memory that was pinned or hidden. */
export const markResult = z
  .object({ status: z.literal('success'), custom_id: z.string(), source_type: sourceType })
  .meta({ id: 'MarkResult' })
export type MarkResult = Readonly<z.infer<typeof markResult>>

/** Number of corrections, pins or hidden memories. */
export const undoResult = z
  .object({ status: z.literal('success'), undone: z.number().int() })
  .meta({ id: 'UndoResult' })
export type UndoResult = Readonly<z.infer<typeof undoResult>>
