import { z } from 'zod'
import { SOURCE_TYPES } from '../../../domain/source-type.ts'

/** Who corrected, annotated, pinned or hid a memory, and when. */
export const madeEdit = z.object({ by: z.string(), at: z.string() })
export type MadeEdit = z.infer<typeof madeEdit>

/** A note on a memory: its text, and the item that states it. `text`: null until it is processed. */
export const memoryNote = madeEdit.extend({ text: z.string().nullable(), item_id: z.string() })
export type MemoryNote = z.infer<typeof memoryNote>

/** The item of the memory that a correction or a note is about. */
export const statedOn = madeEdit.extend({ item_id: z.string() })

/** Longer than any stored value. */
const ID_MAX_CHARACTERS = 2_000

/** `/app/api/memories/:source/:custom_id` */
export const memoryReference = z.object({
  source: z.enum(SOURCE_TYPES, { error: 'must be a supported source type' }),
  custom_id: z.string({ error: 'must be text' }).min(1, 'must not be empty').max(ID_MAX_CHARACTERS, 'is too long'),
})
export type MemoryReference = z.infer<typeof memoryReference>

/** `PUT .../correction`: the correct statement. `POST .../notes`: the note. */
export const editText = z.strictObject({ text: z.string({ error: 'must be text' }) })

/** Response of `PUT .../correction` and `POST .../notes`: the item with the text. */
export const editItem = z.object({ item_id: z.string(), source: memoryReference.shape.source })
export type EditItem = z.infer<typeof editItem>

/** `GET /app/api/edits` */
export const editPage = z.object({
  offset: z.coerce.number().int('must be a whole number').min(0, 'must not be negative').default(0),
  limit: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, 'must be from 1 to 200')
    .max(200, 'must be from 1 to 200')
    .default(50),
})

/** `DELETE /app/api/edits/:id` */
export const editReference = z.object({ id: z.string() })

/** Response of `DELETE .../correction`, `DELETE .../notes`, `DELETE .../pin` and `DELETE .../hide`: how many there were. */
export const undoneEdits = z.object({ undone: z.number() })
export type UndoneEdits = z.infer<typeof undoneEdits>
