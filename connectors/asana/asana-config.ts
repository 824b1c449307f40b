import { z } from 'zod'
import { apiUrlField, connectionFields, grantFields, sinceField } from '../../src/connector/connection-fields.ts'
import type { Named } from './asana-answers.ts'

const rules = z.array(z.string().trim().min(1))

export const asanaConfig = z.strictObject({
  ...connectionFields(),
  ...grantFields(),
  api_url: apiUrlField('https://app.asana.com/api/1.0/'),
  since: sinceField().describe(
    'Sync only tasks that changed on or after this day, e.g. 2024-01-01. Projects are synced whatever their age.',
  ),
  workspaces: rules
    .min(1)
    .optional()
    .describe('Names or IDs of workspaces to sync; `*` matches any text. Default: all.'),
  include: rules
    .min(1)
    .optional()
    .describe(
      'Names or IDs of projects to sync; `*` matches any text: ["Launch *", "1204323569089194"]. Default: all projects you have access to, which can be many in a large organization. Tasks assigned to you that are in no project are always synced.',
    ),
  exclude: rules
    .default([])
    .describe(
      'Names or IDs of projects to exclude, with `*` as above. A task that is also in a synced project is kept.',
    ),
})

export type AsanaConfig = z.infer<typeof asanaConfig>

/** Whether the rules take a project, archived or not. */
export function includesProject(
  project: Named,
  { include, exclude }: Pick<AsanaConfig, 'include' | 'exclude'>,
): boolean {
  return !matches(exclude, project) && (include === undefined || matches(include, project))
}

/** Whether a name or an id fits one of the rules. Case does not matter. */
export function matches(rules: readonly string[], { gid, name = '' }: Named): boolean {
  return rules.some((rule) => rule === gid || pattern(rule).test(name.trim()))
}

function pattern(rule: string): RegExp {
  const escaped = rule.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`, 'isu')
}

/** How far a project, or the person's tasks in a workspace, were read. */
export const asanaCursor = z.object({
  /** Every change before this time was yielded. */
  modifiedSince: z.iso.datetime({ offset: true }),
  /** Sync token for the next events; absent if Asana returned none. */
  sync: z.string().optional(),
  /** Digest of the project's listing. */
  project: z.string().optional(),
  /** Other projects that sync tasks of this one: when one of them is lost, this one syncs them. */
  homes: z.array(z.string()).default([]),
  /** In a first sync, once the tasks of the last weeks were yielded: everything is still to be listed. */
  isRecentOnly: z.literal(true).optional(),
})

export type AsanaCursor = z.infer<typeof asanaCursor>
