import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import { DRIVE_KINDS } from './drive-types.ts'
import { googleFields } from './google-config.ts'

const folderRules = z.array(z.string().trim().min(1))

export const gdocsConfig = z.strictObject({
  ...googleFields(),
  since: sinceField().describe('Sync only files that changed on or after this day, e.g. 2024-01-01.'),
  kinds: z
    .array(z.enum(DRIVE_KINDS))
    .min(1)
    .default([...DRIVE_KINDS])
    .describe(
      `What to sync: ${DRIVE_KINDS.join(', ')}. Default: all. \`files\`: uploaded files in supported formats: PDF (at most 20 MB), DOCX, PPTX, XLSX, ODT, ODS, ODP, Markdown and other text, HTML, CSV, EML, ICS (at most 10 MB).`,
    ),
  folders: folderRules
    .min(1)
    .optional()
    .describe(
      'Sync only these folders and their subfolders: names, paths or IDs of folders or shared drives, e.g. ["Projects", "Team/Minutes"].',
    ),
  exclude: folderRules.default([]).describe('Folders and shared drives to exclude with their subfolders, as above.'),
  shared_drives: z.boolean().default(true).describe('Whether to sync shared drives you are a member of.'),
  shared_with_me: z
    .enum(['opened', 'all', 'none'])
    .default('opened')
    .describe(
      'Which files shared with you to sync. `opened`: those you have opened or edited. Files in your own folders are always synced.',
    ),
  comments: z
    .boolean()
    .default(true)
    .describe(
      'Whether to sync comments on documents, spreadsheets and presentations; takes one more request for each.',
    ),
})

export type GdocsConfig = z.infer<typeof gdocsConfig>

const token = z.string().min(1)

/**
 * `start`: page token of the changes from before the scan began; `page`: where the listing resumes, absent at its
 * beginning; `recentSince`: it is the listing of what changed since then, which comes before that of everything.
 */
export const gdocsCursor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('walk'), start: token, page: token.optional(), recentSince: z.iso.datetime().optional() }),
  z.object({ kind: z.literal('changes'), token }),
])

export type GdocsCursor = z.infer<typeof gdocsCursor>

/** Reads files, and documents, spreadsheets and presentations through their own APIs. */
const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.readonly'

export const DRIVE_NEED = { family: 'workspace', scopes: [DRIVE_SCOPE] } as const
