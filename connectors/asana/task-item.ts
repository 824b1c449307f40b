import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { digest, sourceItemId } from '../../src/connector/source-item-id.ts'
import { collapseWhitespace } from '../../src/connector/source-text.ts'
import { type AsanaProject, type AsanaStory, type AsanaTask, FIELDS, storyAnswer, taskAnswer } from './asana-answers.ts'
import type { AsanaRun } from './asana-run.ts'
import { byGid, byTime, labelled, paragraphs, personName, spokenHeading, writtenText } from './asana-text.ts'

export function taskRef({ gid, name }: Pick<AsanaTask, 'gid' | 'name'>): ItemRef & { readonly title: string } {
  return { sourceType: 'asana', itemId: sourceItemId('asana', gid), title: name?.trim() || 'Task without a name' }
}

/** Old projects have headings among their tasks, which are skipped. */
export function isTask({ resource_subtype: subtype }: AsanaTask): boolean {
  return subtype !== 'section'
}

export interface TaskOptions {
  /**
   * An event reported an edited or deleted comment, which may not change the task's modification time: the revision
   * includes the comments, and there is no quiet period.
   */
  readonly withComments?: boolean
}

/** @throws SourceError when its subtasks cannot be listed */
export async function taskItem(
  task: AsanaTask,
  run: AsanaRun,
  { withComments = false }: TaskOptions = {},
): Promise<SourceItem> {
  const subtasks = await subtasksOf(task, run)
  const comments = withComments ? await commentsOf(task, run) : undefined
  const revision = taskRevision(task, subtasks)
  const followers = (task.followers ?? []).toSorted((a, b) => byGid(a.gid, b.gid))
  const people = [task.created_by, task.assignee, ...followers].flatMap((who) => who?.name ?? [])
  const changes = [task, ...subtasks].flatMap(({ modified_at: at }) => at?.getTime() ?? [])
  return {
    ...taskRef(task),
    revision: comments === undefined ? revision : `${revision}.${digest(comments.map(commentValues))}`,
    ...(task.permalink_url !== undefined && { url: task.permalink_url }),
    ...(task.created_by?.name !== undefined && { author: task.created_by.name }),
    people: [...new Set(people)],
    ...taskLocation(task, await run.projects()),
    ...(task.created_at && { createdAt: task.created_at }),
    ...(changes.length > 0 && !withComments && { updatedAt: new Date(Math.max(...changes)) }),
    body: async () => taskBody(task, subtasks, comments ?? (await commentsOf(task, run))),
  }
}

/** The time of the task's last change and a digest of its subtasks, whose changes do not change the task. */
export function taskRevision(task: AsanaTask, subtasks: readonly AsanaTask[]): string {
  const own = task.modified_at?.toISOString() ?? digest(task)
  return subtasks.length === 0 ? own : `${own}.${digest(subtasks.map(subtaskLine))}`
}

/** Sends no request when Asana reports no subtasks. */
export async function subtasksOf({ gid, num_subtasks: count }: AsanaTask, run: AsanaRun): Promise<AsanaTask[]> {
  if (count === 0) return []
  const path = `tasks/${encodeURIComponent(gid)}/subtasks`
  const request = { path, fields: FIELDS.subtask, asked: 'the subtasks of a task' }
  const subtasks = await run.gateway.all(taskAnswer, request)
  return subtasks.filter((subtask) => isTask(subtask) && subtask.is_rendered_as_separator !== true)
}

async function commentsOf({ gid }: AsanaTask, run: AsanaRun): Promise<AsanaStory[]> {
  const path = `tasks/${encodeURIComponent(gid)}/stories`
  const request = { path, fields: FIELDS.story, asked: 'the comments of a task' }
  const stories = await run.gateway.all(storyAnswer, request)
  return stories.filter(isComment).sort(byTime)
}

export function isComment({ type, resource_subtype: subtype }: AsanaStory): boolean {
  return subtype === undefined ? type === 'comment' : subtype === 'comment_added'
}

/** A comment may be only a sticker or a file. */
function commentText({ html_text: html, text, sticker_name: sticker }: AsanaStory): string {
  return writtenText(html, text) || (sticker === undefined ? '' : `(sticker: ${sticker.replaceAll('_', ' ')})`)
}

function commentValues(comment: AsanaStory): readonly unknown[] {
  return [comment.gid, comment.created_by?.gid, commentText(comment)]
}

function taskBody(task: AsanaTask, subtasks: readonly AsanaTask[], comments: readonly AsanaStory[]): string {
  const fields = (task.custom_fields ?? []).flatMap(({ name, display_value: value }) =>
    name === undefined || value === undefined || value.trim() === ''
      ? []
      : [`- ${name.trim()}: ${collapseWhitespace(value)}`],
  )
  const said = comments.flatMap((comment) => {
    const text = commentText(comment)
    return text === '' ? [] : [spokenHeading('Comment', comment.created_by, comment.created_at), text]
  })
  return `${paragraphs([
    writtenText(task.html_notes, task.notes),
    stateLine(task),
    fields.length === 0 ? '' : ['Fields:', '', ...fields].join('\n'),
    subtasks.length === 0 ? '' : ['Subtasks:', '', ...subtasks.map(subtaskLine)].join('\n'),
    ...said,
  ])}\n`
}

function stateLine(task: AsanaTask): string {
  const names = (of: readonly { readonly name?: string | undefined }[]) =>
    of.flatMap(({ name }) => name ?? []).join(', ')
  return [
    `State: ${stateOf(task)}${task.completed && task.completed_at ? ` on ${task.completed_at.toISOString().slice(0, 10)}` : ''}.`,
    ...labelled('Assignee', task.assignee && personName(task.assignee)),
    ...labelled('Start', task.start_on),
    ...labelled('Due', task.due_at ?? task.due_on),
    ...labelled('Subtask of', task.parent?.name),
    ...labelled('Projects', projectsAndSections(task)),
    ...labelled('Tags', names(task.tags ?? [])),
  ].join(' ')
}

function projectsAndSections({ projects = [], memberships = [] }: AsanaTask): string {
  const sections = new Map(memberships.map(({ project, section }) => [project?.gid, section?.name]))
  return projects
    .flatMap(({ gid, name }) => {
      const section = sections.get(gid)
      if (name === undefined) return []
      // Asana's default section name.
      return section === undefined || /^\(no section\)$|^untitled section$/i.test(section)
        ? [name]
        : [`${name} (${section})`]
    })
    .join(', ')
}

function stateOf({ completed, approval_status: approval }: AsanaTask): string {
  if (approval !== undefined && approval !== 'pending') return approval.replaceAll('_', ' ')
  return completed ? 'completed' : 'open'
}

function subtaskLine(subtask: AsanaTask): string {
  const who = subtask.assignee && personName(subtask.assignee)
  const due = subtask.due_at ?? subtask.due_on
  const facts = [...(who ? [who] : []), ...(due ? [`due ${due}`] : [])].join(', ')
  const head = `- [${subtask.completed ? 'x' : ' '}] ${collapseWhitespace(subtask.name ?? '')}${facts === '' ? '' : ` (${facts})`}`
  const notes = writtenText(undefined, subtask.notes)
  return notes === '' ? head : `${head}\n${notes.replace(/^(?=.)/gm, '  ')}`
}

function taskLocation({ workspace, projects = [] }: AsanaTask, taken: ReadonlyMap<string, AsanaProject>) {
  const inOrder = projects.toSorted((a, b) => byGid(a.gid, b.gid))
  const [project] = inOrder.flatMap(({ gid }) => taken.get(gid) ?? [])
  const where = project?.name ?? inOrder[0]?.name
  const parents = [workspace?.name ?? project?.workspace?.name, where].flatMap((name) => name ?? [])
  return {
    ...(where !== undefined && { where }),
    ...(parents.length > 0 && { parents }),
    visibility: visibilityOf(project),
  }
}

export function visibilityOf(project: AsanaProject | undefined): SourceItem['visibility'] {
  if (project?.privacy_setting === 'public_to_workspace' || project?.public === true) return 'public'
  return project?.privacy_setting === 'private_to_team' ? 'shared' : 'private'
}

/** Whether an error concerns only one item, so that the others continue. */
export function concernsOneItem(error: unknown): error is SourceError {
  return error instanceof SourceError && (error.remedy === 'skip' || (error.remedy === 'retry' && !error.limited))
}
