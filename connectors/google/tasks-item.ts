import { z } from 'zod'
import type { SourceItem } from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { contentRevision, instantOf, optionalText, rowsOf } from './google-rows.ts'

export const taskAnswer = z.looseObject({
  id: z.string().min(1),
  title: optionalText,
  notes: optionalText,
  status: optionalText,
  due: optionalText,
  completed: optionalText,
  updated: optionalText,
  parent: optionalText,
  position: optionalText,
  deleted: z.boolean().optional().catch(undefined),
  webViewLink: optionalText,
  links: rowsOf(z.looseObject({ description: optionalText, link: z.string() })),
  assignmentInfo: z.looseObject({ surfaceType: optionalText, linkToTask: optionalText }).optional().catch(undefined),
})

export type Task = z.output<typeof taskAnswer>

export interface TaskList {
  readonly id: string
  readonly title: string
}

/** @param account as `check` gave it */
export function taskItemId(account: string, listId: string, taskId: string): string {
  return sourceItemId('gtasks', accountPart(account), listId, taskId)
}

/** A top-level task with its subtasks in order. */
export function taskItem(account: string, list: TaskList, root: Task, subtasks: readonly Task[]): SourceItem {
  const ordered = [...subtasks].sort((a, b) => compare(a.position, b.position) || compare(a.id, b.id))
  const title = root.title?.trim() || 'Task without a title'
  const body = bodyOf(title, root, ordered)
  const times = [root, ...ordered].flatMap(({ updated }) => instantOf(updated)?.getTime() ?? [])
  const content = {
    title,
    where: list.title,
    ...(root.webViewLink !== undefined && { url: root.webViewLink }),
    ...(times.length > 0 && { updatedAt: new Date(Math.max(...times)) }),
    body,
  }
  return {
    sourceType: 'tasks',
    itemId: taskItemId(account, list.id, root.id),
    locator: root.id,
    revision: contentRevision(content),
    visibility: 'private',
    ...content,
  }
}

/** The top-level tasks of a list; a task without its parent counts as one. */
export function rootTasks(tasks: readonly Task[]): { readonly root: Task; readonly subtasks: readonly Task[] }[] {
  const present = new Map(tasks.filter(({ deleted }) => deleted !== true).map((task) => [task.id, task]))
  const parentOf = ({ parent }: Task) => (parent !== undefined && present.has(parent) ? parent : undefined)
  const children = Map.groupBy(present.values(), parentOf)
  return (children.get(undefined) ?? []).map((root) => ({ root, subtasks: children.get(root.id) ?? [] }))
}

function bodyOf(title: string, root: Task, subtasks: readonly Task[]): string {
  const { notes, links, assignmentInfo: assigned } = root
  const lines = [`${isDone(root) ? 'Done' : 'To do'}: ${title}`]
  const due = utcDay(root.due)
  if (due !== undefined) lines.push(`Scheduled for ${due}.`)
  const done = isDone(root) ? utcDay(root.completed) : undefined
  if (done !== undefined) lines.push(`Completed on ${done}.`)
  if (assigned?.linkToTask !== undefined) lines.push(`Assigned to me in ${assigned.linkToTask}`)
  for (const { description, link } of links) lines.push(description ? `${description}: ${link}` : link)
  const text = notes?.trim()
  const parts = [lines.join('\n'), ...(text ? [text] : [])]
  if (subtasks.length > 0) parts.push(`Subtasks:\n\n${subtasks.map(subtaskLine).join('\n')}`)
  return `${parts.join('\n\n')}\n`
}

function subtaskLine(task: Task): string {
  const notes = task.notes?.trim().replace(/\s*\n\s*/g, ' ')
  const due = utcDay(task.due)
  const when = due === undefined ? '' : ` (scheduled for ${due})`
  return `- [${isDone(task) ? 'x' : ' '}] ${task.title?.trim() || 'Subtask'}${when}${notes ? `: ${notes}` : ''}`
}

function isDone({ status }: Task): boolean {
  return status === 'completed'
}

/** Only the date of a due time is meaningful: its time is always midnight. */
function utcDay(time: string | undefined): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(time ?? '')?.[0]
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0
}
