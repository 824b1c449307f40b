import { z } from 'zod'
import type {
  Change,
  CheckContext,
  ConnectionConfig,
  Connector,
  Context,
  Partition,
  SourceItem,
} from '../../src/connector/connector.ts'
import { type GoogleConfig, googleFields } from './google-config.ts'
import { type GoogleGateway, googleAccount, googleGateway } from './google-gateway.ts'
import { allPages, connectionAccount, isIdentityUnknown, optionalText, pageOf } from './google-rows.ts'
import { rootTasks, type Task, taskAnswer, taskItem, taskItemId } from './tasks-item.ts'

type TasksConfig = ConnectionConfig & GoogleConfig
const cursor = z.strictObject({ updatedMin: z.iso.datetime() })
type TasksCursor = z.infer<typeof cursor>

const TITLE = 'Google Tasks'
const SCOPES = ['https://www.googleapis.com/auth/tasks.readonly']
/** A full listing costs one or two requests and finds unreported removals. */
const INVENTORY_MS = 60 * 60_000
/** Overlap of reads, because clocks differ and changes appear with a delay. */
const OVERLAP_MS = 5 * 60_000
/** Maximum page size. */
const TASKS_AT_ONCE = 100
const LISTS_AT_ONCE = 100

const listAnswer = z.looseObject({ id: z.string().min(1), title: optionalText })
const listsPage = pageOf('items', listAnswer)
const tasksPage = pageOf('items', taskAnswer)

/** Google Tasks: a task with its subtasks. */
export const tasks: Connector<TasksConfig, TasksCursor> = {
  manifest: {
    id: 'tasks',
    title: TITLE,
    sourceTypes: ['tasks'],
    auth: 'oauth',
    config: z.strictObject(googleFields()),
    cursor,
    schedule: '*/15 * * * *',
    deletions: 'inventory',
    exactFeed: true,
    inventoryEveryMs: INVENTORY_MS,
    vanished: 'forget',
    provider: 'google',
    version: 1,
    quietPeriodMs: 0,
    selection: () => null,
    grant: { provider: 'google', family: 'workspace', scopes: () => SCOPES },
    listing: {
      summary: 'Your tasks and their subtasks, including completed ones.',
      icon: 'list',
      group: 'Google',
      partNoun: { one: 'list', many: 'lists' },
    },
    documentation: {
      item: 'a task with its subtasks, including completed ones',
      removed:
        'deleted tasks and lists at the next sync; tasks that left a list unreported, such as some moved tasks, within an hour',
      needs: '`recalld connect google` with the API "Google Tasks" enabled, scope tasks.readonly',
      api: 'Tasks API v1: tasks.list with updatedMin',
      cursor: 'the time of the last run, minus five minutes; when a list has changes, all of it is read',
      limits: 'one request per 100 tasks; at most 20,000 open tasks in a list',
      verified: 'local fake server',
    },
  },

  async check(context) {
    const gateway = await open(context)
    const api = await apiOf(gateway)
    return googleAccount(
      gateway,
      async () => {
        // A token from the configuration does not name its owner, but the default list is unique to a person.
        const list = await gateway.find(
          {
            title: TITLE,
            asked: 'the default list',
            answer: listAnswer,
            send: (options) => api.tasklists.get({ tasklist: '@default' }, options),
          },
          isIdentityUnknown,
        )
        if (list === undefined) return connectionAccount(context.config.name)
        return { account: `list:${list.id}`, title: list.title ?? context.config.name }
      },
      context.clock(),
    )
  },

  async *partitions(context) {
    const gateway = await open(context)
    const api = await apiOf(gateway)
    const lists = allPages((pageToken) =>
      gateway.ask({
        title: TITLE,
        asked: 'the lists of tasks',
        answer: listsPage,
        send: (options) =>
          api.tasklists.list({ maxResults: LISTS_AT_ONCE, ...(pageToken !== undefined && { pageToken }) }, options),
      }),
    )
    for await (const { id, title } of lists) yield { id, title: title ?? id }
  },

  async *changes(partition, from, context) {
    const updatedMin = new Date(context.clock().getTime() - OVERLAP_MS).toISOString()
    yield* changedTasks(partition, from, context)
    yield { type: 'checkpoint', cursor: { updatedMin } }
  },

  async read({ partition, locator }, context) {
    const known = listings.get(context)?.get(partition.id) ?? (await listed(partition, context))
    return known.find((item) => item.locator === locator)
  },

  async *inventory(partition, context) {
    for (const { body: _, ...ref } of await listed(partition, context)) yield ref
  },
}

async function* changedTasks(
  partition: Partition,
  from: TasksCursor | undefined,
  context: Context<TasksConfig>,
): AsyncGenerator<Change<TasksCursor>> {
  const changed = from === undefined ? [] : await allTasks(partition, context, from.updatedMin)
  if (from !== undefined && changed.length === 0) return
  const items = await listed(partition, context)
  const roots = new Set(items.map(({ locator }) => locator))
  for (const { id, deleted, parent } of changed) {
    // A task that became a subtask is part of its parent.
    if (roots.has(id) || (deleted !== true && parent === undefined)) continue
    const itemId = taskItemId(context.account.account, partition.id, id)
    yield { type: 'gone', ref: { sourceType: 'tasks', itemId, locator: id } }
  }
  for (const item of items) yield { type: 'item', item }
}

/** Top-level tasks of each list as last read in a run; an inventory reads single tasks from it. */
const listings = new WeakMap<Context<TasksConfig>, Map<string, readonly SourceItem[]>>()

async function listed(partition: Partition, context: Context<TasksConfig>): Promise<readonly SourceItem[]> {
  const tasks = await allTasks(partition, context)
  const items = rootTasks(tasks).map(({ root, subtasks }) =>
    taskItem(context.account.account, partition, root, subtasks),
  )
  const known = listings.get(context) ?? new Map<string, readonly SourceItem[]>()
  listings.set(context, known.set(partition.id, items))
  return items
}

async function allTasks({ id, title }: Partition, context: Context<TasksConfig>, updatedMin?: string): Promise<Task[]> {
  const gateway = await open(context)
  const api = await apiOf(gateway)
  const pages = allPages((pageToken) =>
    gateway.ask({
      title: TITLE,
      asked: `the tasks of the list ${title}`,
      answer: tasksPage,
      send: (options) =>
        api.tasks.list(
          {
            tasklist: id,
            showCompleted: true,
            showHidden: true,
            showDeleted: true,
            showAssigned: true,
            maxResults: TASKS_AT_ONCE,
            ...(updatedMin !== undefined && { updatedMin }),
            ...(pageToken !== undefined && { pageToken }),
          },
          options,
        ),
    }),
  )
  const found: Task[] = []
  for await (const task of pages) found.push(task)
  return found
}

function open(context: CheckContext<TasksConfig>): Promise<GoogleGateway> {
  return googleGateway(context, { family: 'workspace', scopes: SCOPES })
}

async function apiOf({ apiOptions }: GoogleGateway) {
  const { tasks: make } = await import('googleapis/build/src/apis/tasks/index.js')
  return make({ version: 'v1', ...apiOptions })
}
