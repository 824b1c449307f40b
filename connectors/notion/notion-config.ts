import { z } from 'zod'
import { apiUrlField, connectionFields, sinceField, tokenFields } from '../../src/connector/connection-fields.ts'

export const notionConfig = z.strictObject({
  ...connectionFields(),
  ...tokenFields(),
  api_url: apiUrlField('https://api.notion.com/v1/'),
  since: sinceField().describe('Sync only pages that were edited on or after this day, e.g. 2024-01-01.'),
})
export type NotionConfig = z.infer<typeof notionConfig>

/** How far the pages were read. */
export const notionCursor = z.strictObject({
  /** Every edit before this time was yielded. */
  readAt: z.iso.datetime().optional(),
  /** A listing in progress, from the newest edit to the oldest. */
  scan: z.strictObject({ after: z.string(), begun: z.iso.datetime() }).optional(),
})
export type NotionCursor = z.infer<typeof notionCursor>
