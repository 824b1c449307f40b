import type { Change, Context, Partition, SourceItem } from '../../src/connector/connector.ts'
import { recentStart } from '../../src/connector/recent-window.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type AsanaProject, type AsanaTask, FIELDS, taskAnswer } from './asana-answers.ts'
import type { AsanaConfig, AsanaCursor } from './asana-config.ts'
import type { AsanaRequest } from './asana-gateway.ts'
import { type AsanaRun, runOf } from './asana-run.ts'
import { type ProjectNews, projectNews } from './project-events.ts'
import { projectDigest, projectItem, projectRef } from './project-item.ts'
import { type FoundIn, taskHome } from './task-home.ts'
import { concernsOneItem, isTask, type TaskOptions, taskItem, taskRef } from './task-item.ts'

/** A partition that became accessible again in this run. */
export interface AsanaSource {
  readonly partition: Partition
  readonly context: Context<AsanaConfig>
  /** Exactly one of them. */
  readonly project?: AsanaProject
  readonly workspace?: string
}

type AsanaChange = Change<AsanaCursor>

/** Overlap of reads, because Asana's lists lag behind its changes by seconds. */
const OVERLAP_MS = 5 * 60_000

/**
 * What changed in a project, or in the person's tasks, since the cursor; everything without a cursor, beginning with the
 * tasks of the last weeks.
 */
export async function* taskChanges(source: AsanaSource, cursor: AsanaCursor | undefined): AsyncGenerator<AsanaChange> {
  const { project, context } = source
  const run = runOf(context)
  try {
    const heard = project === undefined ? undefined : await projectNews(project, cursor?.sync, run)
    const modifiedSince = new Date(run.gateway.now().getTime() - OVERLAP_MS).toISOString()
    if (project !== undefined) yield* projectChanges(project, cursor, run)
    const homes = new Set(cursor?.homes)
    const reached = (): AsanaCursor => ({
      modifiedSince,
      ...(heard?.sync !== undefined && { sync: heard.sync }),
      ...(project !== undefined && { project: projectDigest(project) }),
      homes: [...homes].sort(),
    })
    const listing = { cursor, heard, homes, covered: new Set<string>() }
    const recentSince = cursor === undefined ? recentStart(context, context.config.since) : undefined
    if (recentSince !== undefined) {
      yield* listedTasks(source, listing, recentSince.toISOString())
      yield { type: 'checkpoint', cursor: { ...reached(), isRecentOnly: true }, recentSince }
    }
    yield* listedChanges(source, listing)
    yield { type: 'checkpoint', cursor: reached() }
  } catch (error) {
    if (project !== undefined && error instanceof SourceError && error.remedy === 'skip')
      run.unreadable.add(project.gid)
    throw error
  }
}

async function* projectChanges(
  project: AsanaProject,
  cursor: AsanaCursor | undefined,
  run: AsanaRun,
): AsyncGenerator<AsanaChange> {
  if (cursor?.project === projectDigest(project)) return
  yield* itemOrFailure(projectRef(project), () => projectItem(project, run))
}

interface Listing {
  readonly cursor: AsanaCursor | undefined
  readonly heard: ProjectNews | undefined
  /** Collects the other projects that sync tasks listed here. */
  readonly homes: Set<string>
  /** The tasks that this run has yielded. */
  readonly covered: Set<string>
}

async function* listedChanges(source: AsanaSource, listing: Listing): AsyncGenerator<AsanaChange> {
  const { cursor, heard, homes } = listing
  for (const gid of heard?.deleted ?? []) yield { type: 'gone', ref: taskRef({ gid }) }
  const isWhole = cursor?.isRecentOnly || !(await areThere([...homes], runOf(source.context)))
  const since = isWhole ? undefined : cursor?.modifiedSince
  // When a project is lost, this one may sync its tasks now, although they have not changed.
  if (since === undefined && listing.covered.size === 0) homes.clear()
  yield* listedTasks(source, listing, since)
  if (heard !== undefined) yield* touchedChanges(source, heard, listing.covered)
}

async function* listedTasks(
  source: AsanaSource,
  { heard, homes, covered }: Listing,
  since: string | undefined,
): AsyncGenerator<AsanaChange> {
  const run = runOf(source.context)
  for await (const task of run.gateway.list(taskAnswer, tasksRequest(source, FIELDS.task, since))) {
    if (covered.has(task.gid)) continue
    covered.add(task.gid)
    const home = await homeIn(source, task)
    if (home === source.partition.id) {
      yield* itemOrFailure(taskRef(task), () => taskItem(task, run, optionsOf(task.gid, heard)))
    } else if (home?.startsWith('project:')) homes.add(home.slice('project:'.length))
  }
}

async function areThere(homes: readonly string[], run: AsanaRun): Promise<boolean> {
  const projects = await run.projects()
  return homes.every((gid) => projects.has(gid) && !run.unreadable.has(gid))
}

function optionsOf(gid: string, heard: ProjectNews | undefined): TaskOptions {
  return { withComments: heard?.commented.has(gid) ?? false }
}

/** Tasks in events but not in the list of changes: parents of changed subtasks, and tasks removed from the project. */
async function* touchedChanges(
  source: AsanaSource,
  heard: ProjectNews,
  covered: Set<string>,
): AsyncGenerator<AsanaChange> {
  for (const gid of [...heard.commented, ...heard.left, ...heard.touched]) {
    try {
      yield* touchedWithParents(source, heard, covered, gid)
    } catch (error) {
      if (!concernsOneItem(error)) throw error
      // Tasks without access are found by comparing; they must not block the others.
      if (error.remedy !== 'skip') yield { type: 'failed', ref: taskRef({ gid }), error }
    }
  }
}

async function* touchedWithParents(
  source: AsanaSource,
  heard: ProjectNews,
  covered: Set<string>,
  first: string,
): AsyncGenerator<AsanaChange> {
  const run = runOf(source.context)
  for (let gid: string | undefined = first; gid !== undefined && !covered.has(gid); ) {
    covered.add(gid)
    const task: AsanaTask | undefined = await run.task(gid)
    const home = task && (await homeIn(source, task, {}))
    const isGone = task === undefined || (home === undefined && heard.left.has(gid))
    if (isGone) yield { type: 'gone', ref: taskRef({ gid }) }
    else if (home === source.partition.id) {
      yield* itemOrFailure(taskRef(task), () => taskItem(task, run, optionsOf(task.gid, heard)))
    }
    gid = task?.parent?.gid
  }
}

/** @param foundIn other partitions with this task */
export async function homeIn(source: AsanaSource, task: AsanaTask, foundIn?: FoundIn): Promise<string | undefined> {
  const { context, project, workspace } = source
  const { config } = context
  if (!isTask(task)) return undefined
  if (config.since && task.modified_at && task.modified_at < config.since) return undefined
  const found = foundIn ?? (project ? { project: project.gid } : { ...(workspace !== undefined && { workspace }) })
  return taskHome(task, found, { run: runOf(context), config, account: context.account.account })
}

/** The list of tasks of a partition. @param since skips tasks unchanged since then */
export function tasksRequest(
  { project, workspace, context, partition }: AsanaSource,
  fields: string,
  since?: string,
): AsanaRequest {
  const earliest = context.config.since?.toISOString()
  const modified = [since, earliest]
    .flatMap((at) => at ?? [])
    .sort()
    .at(-1)
  const of = project ? { project: project.gid } : { assignee: 'me', workspace }
  return { path: 'tasks', query: { ...of, modified_since: modified }, fields, asked: `the tasks of ${partition.title}` }
}

async function* itemOrFailure(
  ref: ReturnType<typeof taskRef>,
  make: () => Promise<SourceItem>,
): AsyncGenerator<AsanaChange> {
  let change: AsanaChange
  try {
    change = { type: 'item', item: await make() }
  } catch (error) {
    if (!concernsOneItem(error)) throw error
    change = { type: 'failed', ref, error }
  }
  yield change
}
