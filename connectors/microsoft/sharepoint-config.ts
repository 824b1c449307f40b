import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import { pathFields } from '../../src/connector/readable-file.ts'
import { microsoftFields } from './microsoft-config.ts'

export const sharePointConfig = z.strictObject({
  ...microsoftFields(),
  sites: z
    .array(z.url({ protocol: /^https$/ }))
    .default([])
    .describe('Addresses of sites to sync, e.g. "https://acme.sharepoint.com/sites/marketing".'),
  followed: z.boolean().default(true).describe("`false`: don't sync the sites you follow."),
  all: z
    .boolean()
    .default(false)
    .describe('`true`: sync every site you have access to, which can be thousands in a large organization.'),
  pages: z.boolean().default(true).describe('`false`: sync only files, no pages and news.'),
  lists: z
    .array(z.string().trim().min(1))
    .default([])
    .describe('Names of lists to sync too, in every site that has them: ["Decisions"].'),
  ...pathFields(),
  since: sinceField(),
})

export type SharePointConfig = z.infer<typeof sharePointConfig>

/** How far a site was read. */
export const sharePointCursor = z.strictObject({
  /** By drive: `@odata.nextLink` of a full scan, or `@odata.deltaLink` of a finished one. */
  drives: z.record(z.string(), z.string()),
  /** The same by list. */
  lists: z.record(z.string(), z.string()),
  /** Known pages, each with a digest of its listing; 50 bytes each. */
  pages: z.record(z.string(), z.string()).optional(),
})

export type SharePointCursor = z.infer<typeof sharePointCursor>
