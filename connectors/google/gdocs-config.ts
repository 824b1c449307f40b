import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import { DRIVE_KINDS } from './drive-types.ts'
import { googleFields } from './google-config.ts'

const folderRules = z.array(z.string().trim().min(1))

export const gdocsConfig = z.strictObject({
  ...googleFields(),
  since: sinceField().describe('Take only files that changed on this day or later, e.g. 2024-01-01.'),
  kinds: z
    .array(z.enum(DRIVE_KINDS))
    .min(1)
    .default([...DRIVE_KINDS])
    .describe(
      `What to take, of ${DRIVE_KINDS.join(', ')}. Default: all. \`files\`: what was uploaded, where it can be read: PDF (at most 20 MB), DOCX, PPTX, XLSX, ODT, ODS, ODP, Markdown and other text, HTML, CSV, EML, ICS (at most 10 MB).`,
    ),
  folders: folderRules
    .min(1)
    .optional()
    .describe(
      'Take only what lies in these folders and below: names, paths or ids of folders or shared drives, e.g. ["Projects", "Team/Minutes"].',
    ),
  exclude: folderRules.default([]).describe('Folders and shared drives to leave out with all below, likewise.'),
  shared_drives: z.boolean().default(true).describe('Whether to read the shared drives that you are a member of.'),
  shared_with_me: z
    .enum(['opened', 'all', 'none'])
    .default('opened')
    .describe(
      'What to take of the files of others that were shared with you. `opened`: those that you have opened or edited. What lies in your own folders is always taken.',
    ),
  comments: z
    .boolean()
    .default(true)
    .describe('Whether to read the comments on documents, spreadsheets and presentations; one more request for each.'),
})

export type GdocsConfig = z.infer<typeof gdocsConfig>

const token = z.string().min(1)

/** `start`: the changes since before the scan began; `page`: where the listing goes on. */
export const gdocsCursor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('walk'), start: token, page: token }),
  z.object({ kind: z.literal('changes'), token }),
])

export type GdocsCursor = z.infer<typeof gdocsCursor>

/** Reads files, and also the contents of documents, spreadsheets and presentations by their own APIs. */
const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.readonly'

export const DRIVE_NEED = { family: 'workspace', scopes: [DRIVE_SCOPE] } as const
