import { z } from 'zod'

/** Body of `POST /app/api/imports`, and of `POST /app/api/imports/:id/complete`: a file that is uploaded in pieces. */
export const importRequest = z.strictObject({
  name: z.string().min(1).max(1000),
  bytes: z.int().min(0),
})
export type ImportRequest = z.infer<typeof importRequest>

export const begunImport = z.object({
  id: z.string(),
  /** Most bytes of a piece. */
  piece_bytes: z.number(),
})
export type BegunImport = z.infer<typeof begunImport>

/** Query of `PUT /app/api/imports/:id`, whose body is a piece: how many bytes were sent before. Answered 204. */
export const importPiece = z.object({
  at: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a number of bytes')
    .transform(Number),
})

/** Answer of `POST /app/api/imports/:id/complete` */
export const importedFile = z.object({
  id: z.string(),
  /** For the setting `setting` of the connector. */
  path: z.string(),
  connector: z.string(),
  setting: z.string(),
  /** The apps whose exports it holds. */
  found: z.array(z.string()),
})
export type ImportedFile = z.infer<typeof importedFile>
