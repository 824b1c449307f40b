import { matchesGlob } from 'node:path'
import { z } from 'zod'
import { connectionFields, sinceField, tokenFields } from '../../src/connector/connection-fields.ts'

const paths = z.array(z.string().trim().min(1))

export const gitlabConfig = z.strictObject({
  ...connectionFields(),
  ...tokenFields(),
  site: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/*$/, ''))
    .default('https://gitlab.com')
    .describe('Address of GitLab. Default: https://gitlab.com.'),
  since: sinceField().describe('Sync only what changed on or after this day, e.g. 2024-01-01.'),
  include: paths
    .min(1)
    .optional()
    .describe('Paths of projects to sync, e.g. ["acme/shop", "acme/**"]. Default: all that you are a member of.'),
  exclude: paths.default([]).describe('Paths of projects to exclude, with patterns as above.'),
})
export type GitlabConfig = z.infer<typeof gitlabConfig>

/** What has a description and comments. */
export const KINDS = ['issues', 'merge_requests'] as const
export type GitlabKind = (typeof KINDS)[number]

/** How far a listing of a project was read. */
export const gitlabCursor = z.strictObject({
  /** Every change before this time was yielded. */
  readAt: z.iso.datetime().optional(),
  /** A listing in progress, from the newest change to the oldest. */
  scan: z.strictObject({ page: z.int().min(1), begun: z.iso.datetime() }).optional(),
})
export type GitlabCursor = z.infer<typeof gitlabCursor>

/** Whether the rules take a project. @param path `acme/shop` */
export function includesProject(
  path: string,
  { include, exclude }: Pick<GitlabConfig, 'include' | 'exclude'>,
): boolean {
  const fits = (rules: readonly string[]) => rules.some((rule) => matchesGlob(path.toLowerCase(), rule.toLowerCase()))
  return !fits(exclude) && (include === undefined || fits(include))
}
