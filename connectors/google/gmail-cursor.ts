import { z } from 'zod'

/** Where the history of the mailbox begins that was not read yet, and while everything is walked, how far that is. */
export const gmailCursor = z.strictObject({
  historyId: z.string().min(1),
  walk: z
    .strictObject({
      /** Of the listings of the selection. */
      listing: z.int().min(0),
      pageToken: z.string().optional(),
      /** Whether a thread was met that was not read, so that nobody knows how many documents it has. */
      unread: z.boolean(),
    })
    .optional(),
})

export type GmailCursor = z.infer<typeof gmailCursor>
