import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import { microsoftFields } from './microsoft-config.ts'

const folderRules = z.array(z.string().trim().min(1))

export const outlookConfig = z.strictObject({
  ...microsoftFields(),
  since: sinceField().describe(
    'Sync only conversations with a mail from this day on, e.g. 2024-01-01; they are synced in full.',
  ),
  folders: folderRules
    .optional()
    .describe(
      'Names of mail folders to sync, with their subfolders; `*` matches any text, `/` separates a folder from its subfolder: ["Inbox", "Projects/Shop*"]. Default: all.',
    ),
  exclude: folderRules
    .default([])
    .describe(
      'Names of mail folders to exclude, as above. Junk, Deleted Items, Drafts, Outbox and Sync Issues are never synced.',
    ),
})

export type OutlookConfig = z.infer<typeof outlookConfig>

/** How far the mailbox was read. */
export const outlookCursor = z.strictObject({
  /** The deltaLink of each folder. */
  links: z.record(z.string(), z.string()),
  /** The last mail's time and the ID of the last conversation that an unfinished full scan yielded: `<ISO time> <id>`. */
  after: z.string().optional(),
  /** When the last full scan began and how many pages it read, which limits how often it repeats. */
  walkedAt: z.iso.datetime(),
  pages: z.int().nonnegative(),
  /** Mails of unknown conversations were deleted: only a full scan finds out what remains. */
  lost: z.boolean().optional(),
})

export type OutlookCursor = z.infer<typeof outlookCursor>
