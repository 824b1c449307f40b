import { z } from 'zod'
import { apiUrlField, connectionFields, grantFields, sinceField } from '../../src/connector/connection-fields.ts'
import type { Named } from './asana-answers.ts'

const rules = z.array(z.string().trim().min(1))

export const asanaConfig = z.strictObject({
  ...connectionFields(),
  ...grantFields(),
  api_url: apiUrlField('https://app.asana.com/api/1.0/'),
  since: sinceField().describe(
    'Take only tasks that changed on this day or later, e.g. 2024-01-01. What projects say of themselves is taken whatever its age.',
  ),
  workspaces: rules
    .min(1)
    .optional()
    .describe('Names or ids of workspaces to take, where `*` stands for anything. Default: all.'),
  include: rules
    .min(1)
    .optional()
    .describe(
      'Names or ids of projects to take, where `*` stands for anything: ["Launch *", "1204323569089194"]. Default: every one that you can see, which in a large organization are many. Tasks that are assigned to you and in no project are taken in any case.',
    ),
  exclude: rules
    .default([])
    .describe(
      'Names or ids of projects to leave out, with `*` as above. A task that is also in a project that is taken stays.',
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

/** How far a project, or the tasks of the person in a workspace, were read. */
export const asanaCursor = z.object({
  /** Everything that changed before was yielded. */
  modifiedSince: z.iso.datetime({ offset: true }),
  /** Token of the events that follow; absent where Asana gave none. */
  sync: z.string().optional(),
  /** Digest of the project as it was listed. */
  project: z.string().optional(),
  /** Other projects at which tasks of this one are taken: when one of them is lost, they are taken here. */
  homes: z.array(z.string()).default([]),
})

export type AsanaCursor = z.infer<typeof asanaCursor>
