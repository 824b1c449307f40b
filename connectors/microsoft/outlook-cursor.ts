import { z } from 'zod'

/** How far the mailbox was read. */
export const outlookCursor = z.strictObject({
  /** By folder: the deltaLink that tells what has changed in it since. */
  links: z.record(z.string(), z.string()),
  /** Of a complete walk that is not through: the last conversation that was told. */
  after: z.string().optional(),
  /** When the last complete walk began, and how many pages it took: how often there may be another one. */
  walkedAt: z.iso.datetime(),
  pages: z.int().nonnegative(),
  /** Mails were deleted of which Graph does not say where they belonged: only a complete walk shows what is left. */
  lost: z.boolean().optional(),
})

export type OutlookCursor = z.infer<typeof outlookCursor>
