import { describe, expect, test } from 'vitest'
import { tasks } from '../../../connectors/google/tasks.ts'
import { taskItemId } from '../../../connectors/google/tasks-item.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GoogleTasks } from '../../fakes/google/google-tasks.ts'
import { connectorInventory, connectorWalk, textOf } from '../../lib/connector-walk.ts'

const FIRST = 'MDAwMQ'
const idOf = (task: string, list = FIRST) => taskItemId(`list:${FIRST}`, list, task)

describeConnectorContract('Google Tasks', async () => {
  const fake = await GoogleTasks.open()
  const edited = fake.add('Buy bread', { notes: 'the dark one', due: '2026-03-05T00:00:00.000Z' })
  const removed = fake.add('Call the plumber')
  const trip = fake.add('Plan the trip')
  fake.add('Book a train', { parent: trip })
  for (let count = 0; count < 120; count += 1) fake.add(`Task ${count}`, { status: 'completed', hidden: true })
  fake.addList('c2Vjb25k', 'Work')
  fake.add('Write the report', {}, 'c2Vjb25k')
  fake.pass(60)
  return {
    connector: tasks,
    config: fake.config,
    options: { clock: () => fake.server.now },
    async add() {
      return idOf(fake.add('Water the plants'))
    },
    async edit() {
      fake.change(edited, { notes: 'the white one' })
      return idOf(edited)
    },
    async remove() {
      fake.change(removed, { deleted: true })
      return idOf(removed)
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})

describe('Google Tasks', () => {
  const options = (fake: GoogleTasks) => ({ clock: () => fake.server.now })

  test('tells a task with its state, day, notes and subtasks', async () => {
    await using fake = await GoogleTasks.open()
    const root = fake.add('Plan the trip', { notes: 'With Bob', due: '2026-03-09T00:00:00.000Z' })
    fake.add('Book a train', { parent: root, position: '2' })
    fake.add('Ask for leave', { parent: root, position: '1', status: 'completed', hidden: true })
    const { items } = await connectorWalk(tasks, fake.config, options(fake))
    expect([...items.keys()]).toEqual([idOf(root)])
    expect(items.get(idOf(root))?.where).toBe('My tasks')
    expect(await textOf(items.get(idOf(root)))).toBe(
      'To do: Plan the trip\nScheduled for 2026-03-09.\n\nWith Bob\n\nSubtasks:\n\n- [x] Ask for leave\n- [ ] Book a train\n',
    )
  })

  test('asks for what has changed only, with five minutes of overlap', async () => {
    await using fake = await GoogleTasks.open()
    for (let count = 0; count < 250; count += 1) fake.add(`Task ${count}`)
    fake.pass(60)
    const first = await connectorWalk(tasks, fake.config, options(fake))
    expect(first.items.size).toBe(250)
    expect([...first.cursors.values()]).toEqual([{ updatedMin: '2026-03-02T09:55:00.000Z' }])
    fake.server.takeLog()
    const second = await connectorWalk(tasks, fake.config, { ...options(fake), after: first })
    expect(second.items.size).toBe(0)
    expect(fake.server.takeLog().filter((line) => line.endsWith('/tasks'))).toHaveLength(1)
  })

  test('makes both tasks again when a subtask moves between them, and takes back a task that became a subtask', async () => {
    await using fake = await GoogleTasks.open()
    const [from, to, lone] = [fake.add('From'), fake.add('To'), fake.add('Lone')]
    const moved = fake.add('Moved', { parent: from })
    fake.pass(60)
    const first = await connectorWalk(tasks, fake.config, options(fake))
    fake.change(moved, { parent: to })
    fake.change(lone, { parent: to })
    const second = await connectorWalk(tasks, fake.config, { ...options(fake), after: first })
    expect(await textOf(second.items.get(idOf(from)))).not.toContain('Moved')
    expect(await textOf(second.items.get(idOf(to)))).toContain('Moved')
    expect(second.gone).toContain(idOf(lone))
    expect(second.items.has(idOf(lone))).toBe(false)
  })

  test('takes back what Google reports as deleted', async () => {
    await using fake = await GoogleTasks.open()
    const removed = fake.add('Never mind')
    fake.pass(60)
    const first = await connectorWalk(tasks, fake.config, options(fake))
    fake.change(removed, { deleted: true })
    expect((await connectorWalk(tasks, fake.config, { ...options(fake), after: first })).gone).toEqual([idOf(removed)])
  })

  test('finds a task that was moved to another list without a trace in the first', async () => {
    await using fake = await GoogleTasks.open()
    fake.addList('c2Vjb25k', 'Work')
    const moved = fake.add('Report')
    fake.pass(60)
    const first = await connectorWalk(tasks, fake.config, options(fake))
    const { position: _, ...task } = fake.take(moved)
    fake.add(task.title, { ...task, updated: fake.server.now.toISOString() }, 'c2Vjb25k')
    const second = await connectorWalk(tasks, fake.config, { ...options(fake), after: first })
    expect([...second.items.keys()]).toEqual([idOf(moved, 'c2Vjb25k')])
    expect(await connectorInventory(tasks, fake.config, options(fake))).toEqual([idOf(moved, 'c2Vjb25k')])
  })

  test('says which list cannot be read', async () => {
    await using fake = await GoogleTasks.open()
    fake.server.faults.push({ path: /MDAwMQ\/tasks$/, status: 403, reason: 'forbidden' })
    await expect(connectorWalk(tasks, fake.config, options(fake))).rejects.toMatchObject({
      remedy: 'skip',
      message: 'Google Tasks refused the request for the tasks of the list My tasks (403, forbidden).',
    })
  })

  test('goes on when one of the tasks is odd', async () => {
    await using fake = await GoogleTasks.open()
    fake.add('Whole')
    fake.lists
      .get(FIRST)
      ?.tasks.push(JSON.parse('{"id":"odd","notes":7,"links":"none","updated":"2026-03-02T09:00:00Z"}'))
    const { items } = await connectorWalk(tasks, fake.config, options(fake))
    expect([...items.values()].map(({ title }) => title)).toEqual(['Whole', 'Task without a title'])
  })

  test('reads no list with a task that nobody can name, so that none counts as deleted', async () => {
    await using fake = await GoogleTasks.open()
    fake.add('Whole')
    fake.lists.get(FIRST)?.tasks.push(JSON.parse('{"title":"without an id","updated":"2026-03-02T09:00:00Z"}'))
    await expect(connectorWalk(tasks, fake.config, options(fake))).rejects.toMatchObject({ remedy: 'retry' })
  })
})
