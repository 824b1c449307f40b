import type { AsanaTask, Named } from './asana-answers.ts'
import { type AsanaConfig, includesProject } from './asana-config.ts'
import { unlessNotOffered } from './asana-failure.ts'
import type { AsanaRun } from './asana-run.ts'
import { byGid } from './asana-text.ts'

/** Where a task was found, because its own fields do not show this. */
export interface FoundIn {
  readonly project?: string
  /** The workspace, when it is one of the person's tasks. */
  readonly workspace?: string
}

export interface Whose {
  readonly run: AsanaRun
  readonly config: AsanaConfig
  /** Id of the person. */
  readonly account: string
}

const MOST_PARENTS = 10

export function projectPartition(gid: string): string {
  return `project:${gid}`
}

export function minePartition(workspace: string): string {
  return `mine:${workspace}`
}

/**
 * The one partition that syncs a task, even if it is in several: the synced project with the lowest id, otherwise
 * the person's own tasks. `undefined`: not synced, for example when all its projects are excluded.
 */
export async function taskHome(task: AsanaTask, found: FoundIn, whose: Whose): Promise<string | undefined> {
  const { run, config, account } = whose
  const projects = projectsOf(task, found)
  const taken = await run.projects()
  const [lowest] = projects
    .filter(({ gid }) => taken.has(gid) && !run.unreadable.has(gid))
    .map(({ gid }) => gid)
    .sort(byGid)
  if (lowest !== undefined) return projectPartition(lowest)
  const workspace = found.workspace ?? (task.assignee?.gid === account ? task.workspace?.gid : undefined)
  if (workspace === undefined || !(await run.workspaces()).some(({ gid }) => gid === workspace)) return undefined
  if (projects.some((project) => !includesProject(project, config))) return undefined
  return (await isOfExcluded(task, projects, whose)) ? undefined : minePartition(workspace)
}

function projectsOf({ projects = [], memberships = [] }: AsanaTask, { project }: FoundIn): Named[] {
  const all = [
    ...projects,
    ...memberships.flatMap((membership) => membership.project ?? []),
    ...(project === undefined ? [] : [{ gid: project }]),
  ]
  return [...new Map(all.map((one) => [one.gid, one])).values()]
}

/** Subtasks are in no project themselves: they are excluded with their parent. */
async function isOfExcluded(task: AsanaTask, own: readonly Named[], { run, config }: Whose): Promise<boolean> {
  if (own.length > 0 || (config.include === undefined && config.exclude.length === 0)) return false
  let parent = task.parent
  for (let depth = 0; parent !== undefined && depth < MOST_PARENTS; depth += 1) {
    const { gid } = parent
    const above = await unlessNotOffered(() => run.task(gid))
    // The project of an invisible parent is unknown.
    if (above === undefined) return true
    const projects = projectsOf(above, {})
    if (projects.length > 0) return !projects.some((project) => includesProject(project, config))
    parent = above.parent
  }
  return false
}
