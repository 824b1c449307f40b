import { type AsanaEvent, type AsanaProject, FIELDS, storyAnswer } from './asana-answers.ts'
import { unlessNotOffered } from './asana-failure.ts'
import type { AsanaRun } from './asana-run.ts'
import { isComment } from './task-item.ts'

/** Events of a project, in addition to its list of changed tasks. */
export interface ProjectNews {
  /** Token for the next events. */
  readonly sync: string | undefined
  /** Ids of tasks. */
  readonly deleted: ReadonlySet<string>
  /** Ids of tasks that changed, or whose subtasks did; subtasks among them. */
  readonly touched: ReadonlySet<string>
  /** Ids of tasks that were taken out of the project. */
  readonly left: ReadonlySet<string>
  /** Ids of tasks that came back, or of which a comment was edited or deleted. */
  readonly commented: ReadonlySet<string>
}

/**
 * Events since `sync`. Asana delivers them at most once and keeps them for a day, so nothing relies on them alone.
 *
 * @throws SourceError `restart` when Asana no longer has the events since then
 */
export async function projectNews(
  project: AsanaProject,
  sync: string | undefined,
  run: AsanaRun,
): Promise<ProjectNews> {
  const { events, sync: next } = await eventsOf(project, sync, run)
  const deleted = new Set<string>()
  const touched = new Set<string>()
  const left = new Set<string>()
  const commented = new Set<string>()
  const stories = new Set<string>()
  for (const event of events) {
    const { action, resource, parent } = event
    const kind = resource?.resource_type ?? event.type
    if (resource === undefined) continue
    if (kind === 'story') {
      // A new comment changes the time of its task.
      if (action === 'changed' || action === 'undeleted') stories.add(resource.gid)
      else if (action !== 'added' && parent?.resource_type === 'task') commented.add(parent.gid)
    }
    if (kind !== 'task') continue
    if (parent?.resource_type === 'task') touched.add(parent.gid)
    if (action === 'deleted') deleted.add(resource.gid)
    else if (action === 'undeleted') {
      deleted.delete(resource.gid)
      commented.add(resource.gid)
    } else if (action === 'changed') touched.add(resource.gid)
    else if (action === 'removed' && parent?.gid === project.gid) left.add(resource.gid)
  }
  for (const gid of stories) {
    const task = await commentedTask(gid, run)
    if (task !== undefined) commented.add(task)
  }
  for (const gid of deleted) for (const gids of [touched, left, commented]) gids.delete(gid)
  return { sync: next, deleted, touched, left, commented }
}

/** Id of the task that a story comments on. */
async function commentedTask(gid: string, run: AsanaRun): Promise<string | undefined> {
  const path = `stories/${encodeURIComponent(gid)}`
  const request = { path, fields: FIELDS.storyTarget, asked: 'a comment', isOptional: true }
  const story = await unlessNotOffered(() => run.gateway.one(storyAnswer, request))
  return story !== undefined && isComment(story) ? story.target?.gid : undefined
}

async function eventsOf(
  { gid, name }: AsanaProject,
  sync: string | undefined,
  run: AsanaRun,
): Promise<{ readonly events: readonly AsanaEvent[]; readonly sync: string | undefined }> {
  const asked = `the events of ${name ?? gid}`
  const happened = await unlessNotOffered(() => run.gateway.events(gid, sync, asked))
  // Without events, deletions are found by comparing.
  return happened ?? { events: [], sync: undefined }
}
