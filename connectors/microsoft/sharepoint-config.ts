import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import { pathFields } from '../../src/connector/readable-file.ts'
import { microsoftFields } from './microsoft-config.ts'

export const sharePointConfig = z.strictObject({
  ...microsoftFields(),
  sites: z
    .array(z.url({ protocol: /^https$/ }))
    .default([])
    .describe('Addresses of sites to read, e.g. "https://acme.sharepoint.com/sites/marketing".'),
  followed: z.boolean().default(true).describe('`false`: the sites that you follow are not read.'),
  all: z
    .boolean()
    .default(false)
    .describe('`true`: every site that you may see is read; in a large company, thousands.'),
  pages: z.boolean().default(true).describe('`false`: pages and news are left out, only files are read.'),
  lists: z
    .array(z.string().trim().min(1))
    .default([])
    .describe('Names of lists whose entries are read too, in every site that has them: ["Decisions"].'),
  ...pathFields(),
  since: sinceField(),
})

export type SharePointConfig = z.infer<typeof sharePointConfig>

/** How far a site was read. */
export const sharePointCursor = z.strictObject({
  /** By drive: `@odata.nextLink` of a full scan, or `@odata.deltaLink` of one that ended. */
  drives: z.record(z.string(), z.string()),
  /** By list, likewise. */
  lists: z.record(z.string(), z.string()),
  /** Pages that were there, with a digest of what the listing said of them; 50 bytes each. */
  pages: z.record(z.string(), z.string()).optional(),
})

export type SharePointCursor = z.infer<typeof sharePointCursor>
