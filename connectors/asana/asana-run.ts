import type { CheckContext } from '../../src/connector/connector.ts'
import { once, perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import {
  type AsanaProject,
  type AsanaTask,
  FIELDS,
  type Named,
  projectAnswer,
  taskAnswer,
  workspaceAnswer,
} from './asana-answers.ts'
import { type AsanaConfig, includesProject, matches } from './asana-config.ts'
import { AsanaGateway } from './asana-gateway.ts'
import { byGid } from './asana-text.ts'

/** Data that a run requests from Asana only once. */
export interface AsanaRun {
  readonly gateway: AsanaGateway
  /** The synced ones. */
  workspaces(): Promise<readonly Named[]>
  /** The synced ones, by ascending id. */
  projects(): Promise<ReadonlyMap<string, AsanaProject>>
  /** A task by its id; `undefined` when it was deleted. Requested once per run. */
  task(gid: string): Promise<AsanaTask | undefined>
  /** Listed projects that could not be read in this run: tasks they share with others are read there. */
  readonly unreadable: Set<string>
}

export const runOf = perRun(asanaRun)

function asanaRun(context: CheckContext<AsanaConfig>): AsanaRun {
  const { config } = context
  const gateway = new AsanaGateway(context)
  const tasks = new Map<string, Promise<AsanaTask | undefined>>()

  const workspaces = once(async () => {
    const request = { path: 'workspaces', fields: 'name', asked: 'the workspaces', isEssential: true }
    const all = await gateway.all(workspaceAnswer, request)
    const { workspaces: rules } = config
    const taken = all.filter((workspace) => rules === undefined || matches(rules, workspace))
    // A misspelled name would look as if everything had been deleted.
    if (taken.length === 0) throw new SourceError('reconfigure', noWorkspace(rules))
    return taken.sort((a, b) => byGid(a.gid, b.gid))
  })

  const projects = once(async () => {
    const found = new Map<string, AsanaProject>()
    for (const { gid, name } of await workspaces()) {
      const asked = `the projects of ${name ?? gid}`
      const remedy = 'check the token, or list only the other workspaces in workspaces'
      const about = { fields: FIELDS.project, asked, isEssential: true, remedy }
      const request = { path: 'projects', query: { workspace: gid }, ...about }
      for await (const project of gateway.list(projectAnswer, request)) found.set(project.gid, project)
    }
    const taken = [...found.values()].filter((project) => includesProject(project, config))
    if (taken.length === 0 && config.include !== undefined) {
      throw new SourceError('reconfigure', 'The token has no access to the projects in include.')
    }
    return new Map(taken.sort((a, b) => byGid(a.gid, b.gid)).map((project) => [project.gid, project]))
  })

  return {
    gateway,
    workspaces,
    projects,
    unreadable: new Set(),
    task(gid) {
      const path = `tasks/${encodeURIComponent(gid)}`
      const asked = tasks.get(gid) ?? gateway.one(taskAnswer, { path, fields: FIELDS.task, asked: 'a task' })
      tasks.set(gid, asked)
      return asked.catch((error: unknown) => {
        tasks.delete(gid)
        throw error
      })
    },
  }
}

function noWorkspace(rules: readonly string[] | undefined): string {
  if (rules === undefined) return 'The token has no access to any workspace.'
  return `The token has no access to a workspace named ${rules.join(' or ')}. Check workspaces.`
}
