import type {
  Connector,
  Context,
  ItemRef,
  Partition,
  SourceAccount,
  SourceItem,
  StoredRef,
} from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type AsanaTask, FIELDS, personAnswer, taskAnswer } from './asana-answers.ts'
import { type AsanaConfig, type AsanaCursor, asanaConfig, asanaCursor } from './asana-config.ts'
import { ASANA_SCOPES } from './asana-gateway.ts'
import { ASANA_FAMILY } from './asana-oauth.ts'
import { type AsanaRun, runOf } from './asana-run.ts'
import { projectItem, projectRef } from './project-item.ts'
import { type AsanaSource, homeIn, taskChanges, tasksRequest } from './task-changes.ts'
import { minePartition, projectPartition } from './task-home.ts'
import { concernsOneItem, subtasksOf, taskItem, taskRef, taskRevision } from './task-item.ts'

const DAY_MS = 24 * 60 * 60_000

/** Tasks with their comments and subtasks, and projects with their briefs and status updates. */
export const asana: Connector<AsanaConfig, AsanaCursor> = {
  manifest: {
    id: 'asana',
    title: 'Asana',
    sourceTypes: ['asana'],
    auth: 'oauth',
    config: asanaConfig,
    cursor: asanaCursor,
    schedule: '*/15 * * * *',
    deletions: 'inventory',
    inventoryEveryMs: DAY_MS,
    vanished: 'forget',
    provider: 'asana',
    version: 1,
    quietPeriodMs: 10 * 60_000,
    selection: ({ since, workspaces, include, exclude }) => ({
      since: since?.toISOString(),
      workspaces,
      include,
      exclude,
    }),
    grant: { provider: 'asana', family: ASANA_FAMILY, scopes: () => ASANA_SCOPES },
    listing: {
      summary: 'Tasks with their comments, and projects with their briefs and status updates.',
      icon: 'check',
      group: 'Work',
      partNoun: { one: 'project', many: 'projects' },
      tokenSteps: [
        'Open https://app.asana.com/0/my-apps and choose "Create new token" under "Personal access tokens".',
        'Name it recalld, create it and copy it; Asana shows it only once. It has the same access as you and does not expire. If your organization blocks tokens, an administrator allows them in the admin console under "Apps".',
      ],
    },
    documentation: {
      item: 'a task with its comments and a list of its subtasks; a project with its description, brief and status updates',
      removed:
        'tasks in projects at the next sync, your own tasks without a project within a day; anything you exclude or lose access to at the next sync',
      needs:
        '`recalld connect asana` with the scopes tasks:read, projects:read, stories:read, users:read, workspaces:read and teams:read; or a personal access token',
      api: 'Asana REST API 1.0: tasks, stories, projects, status_updates, project_briefs, events',
      cursor: 'time of the last run (`modified_since`) and sync token of the project',
      limits:
        'Asana keeps events for 24 hours; after that the whole project is listed again. Changed subtasks are found through events, and for open tasks also in a daily comparison. Edited and deleted comments are found through events, otherwise when their task changes. 150 requests per minute without a paid plan',
      verified: 'fake server, recordings',
    },
  },

  async check(context) {
    return tokenOwner(runOf(context))
  },

  async *partitions(context) {
    const run = runOf(context)
    for (const { gid, name = gid } of (await run.projects()).values()) {
      yield { id: projectPartition(gid), title: name.trim() || gid }
    }
    for (const { gid, name = gid } of await run.workspaces()) {
      yield { id: minePartition(gid), title: `My tasks in ${name}` }
    }
  },

  async *changes(partition, cursor, context) {
    yield* taskChanges(await sourceOf(partition, context), cursor)
  },

  read,
  inventory,
}

async function tokenOwner({ gateway }: AsanaRun): Promise<SourceAccount> {
  const request = { path: 'users/me', fields: FIELDS.person, asked: 'the owner of the token', isEssential: true }
  const person = await gateway.one(personAnswer, request)
  if (person === undefined) throw new SourceError('retry', 'Asana did not return the owner of the token.')
  const { gid, name, email } = person
  const title = email === undefined ? name : name === undefined ? email : `${name} (${email})`
  return { account: gid, ...(title !== undefined && { title }) }
}

const PROJECT = /^asana:proj:(.+)$/
const TASK = /^asana:([^:]+)$/

async function read(
  { itemId, partition, title }: StoredRef,
  context: Context<AsanaConfig>,
): Promise<SourceItem | undefined> {
  const run = runOf(context)
  const projectGid = PROJECT.exec(itemId)?.[1]
  if (projectGid !== undefined) {
    const project = (await run.projects()).get(projectGid)
    return project && projectItem(project, run)
  }
  const gid = TASK.exec(itemId)?.[1]
  if (gid === undefined) throw new SourceError('skip', `${title ?? itemId} is not an Asana item.`)
  const task = await run.task(gid)
  if (task === undefined) return undefined
  // A moved task keeps its identity; its new partition takes it over.
  const home = await homeIn({ partition, context }, task, {})
  return home === undefined ? undefined : taskItem(task, run)
}

async function* inventory(partition: Partition, context: Context<AsanaConfig>): AsyncGenerator<ItemRef> {
  const run = runOf(context)
  const source = await sourceOf(partition, context)
  if (source.project !== undefined) yield await listed(projectRef(source.project), () => projectRevision(source, run))
  for await (const task of run.gateway.list(taskAnswer, tasksRequest(source, FIELDS.taskRef))) {
    if ((await homeIn(source, task)) !== partition.id) continue
    yield await listed(taskRef(task), () => revisionOf(task, run))
  }
}

async function projectRevision({ project }: AsanaSource, run: AsanaRun): Promise<string | undefined> {
  return project && (await projectItem(project, run)).revision
}

/** Subtasks of completed tasks are not compared, because that costs one request each. */
async function revisionOf(task: AsanaTask, run: AsanaRun): Promise<string | undefined> {
  if (task.modified_at === undefined) return undefined
  if (task.completed && task.num_subtasks !== 0) return undefined
  return taskRevision(task, await subtasksOf(task, run))
}

/** Counts as existing even if its revision can't be read now. */
async function listed(ref: ItemRef, revise: () => Promise<string | undefined>): Promise<ItemRef> {
  try {
    const revision = await revise()
    return revision === undefined ? ref : { ...ref, revision }
  } catch (error) {
    if (concernsOneItem(error)) return ref
    throw error
  }
}

async function sourceOf(partition: Partition, context: Context<AsanaConfig>): Promise<AsanaSource> {
  const [kind, gid = ''] = partition.id.split(':')
  if (kind === 'mine') return { partition, context, workspace: gid }
  const project = (await runOf(context).projects()).get(gid)
  if (project === undefined) {
    throw new SourceError('skip', `${partition.title} was deleted, or the token has no access to it.`)
  }
  return { partition, context, project }
}
