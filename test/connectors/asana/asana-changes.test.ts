import { describe, expect, test } from 'vitest'
import { AsanaSimulation, bodyOf } from '../../fakes/asana/asana-simulation.ts'

describe('what changes in Asana', () => {
  test('is asked for by time, with an overlap, and by the clock of Asana when ours is ahead', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake, server } = simulation
    const launch = fake.addProject('Launch')
    fake.addTask('Old', { projects: [launch] })
    const ahead = { clock: () => new Date(fake.now.getTime() + 7_200_000) }
    await simulation.run({}, ahead)
    const overlap = new Date(Math.floor(fake.now.getTime() / 1000) * 1000 - 5 * 60_000)
    const added = fake.addTask('New', { projects: [launch] })
    server.log.length = 0
    expect([...(await simulation.run({}, ahead)).items.keys()]).toEqual([`asana:${added}`])
    const asked = server.log.find((path) => path.startsWith('tasks?project'))
    expect(new URLSearchParams(asked).get('modified_since')).toBe(overlap.toISOString())
  })

  test('is noticed in subtasks, though that does not change their task', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const launch = fake.addProject('Launch')
    const task = fake.addTask('Task', { projects: [launch] })
    const part = fake.addTask('Part', { parent: task })
    const below = fake.addTask('Part of part', { parent: part })
    await simulation.run()
    const steps: [() => void, string][] = [
      [() => fake.editTask(part, { completed: true }), '- [x] Part'],
      [() => fake.editTask(part, { name: 'Portion' }), '- [x] Portion'],
      [() => fake.addTask('Another', { parent: task }), '- [ ] Another'],
      [() => fake.editTask(below, { name: 'Deeper' }), '- [x] Portion'],
    ]
    const revisions = new Set<string | undefined>()
    for (const [change, told] of steps) {
      fake.pass(0.1)
      change()
      const { items, gone } = await simulation.run()
      const item = items.get(`asana:${task}`)
      expect(await bodyOf(item)).toContain(told)
      expect(gone).toEqual([])
      revisions.add(item?.revision)
    }
    // What is below a subtask is not told, so it changes nothing.
    expect(revisions.size).toBe(3)
    fake.pass(0.1)
    fake.deleteTask(part)
    expect(await bodyOf((await simulation.run()).items.get(`asana:${task}`))).not.toContain('Portion')
  })

  test('of subtasks of open tasks shows in the inventory, also without events', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const task = fake.addTask('Task', { assignee: fake.ada })
    const done = fake.addTask('Done', { assignee: fake.ada, fields: { completed: true } })
    const parts = [task, done].map((parent) => fake.addTask('Part', { parent }))
    const known = (await simulation.run()).items
    for (const part of parts) fake.editTask(part, { completed: true })
    const refs = new Map((await simulation.inventory('My tasks in Acme')).map((ref) => [ref.itemId, ref]))
    expect(refs.get(`asana:${task}`)?.revision).not.toBe(known.get(`asana:${task}`)?.revision)
    expect(refs.get(`asana:${done}`)).toEqual({ sourceType: 'asana', itemId: `asana:${done}`, title: 'Done' })
  })

  test('is noticed when a comment is edited or deleted', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const launch = fake.addProject('Launch')
    const task = fake.addTask('Task', { projects: [launch] })
    const comment = fake.comment(task, 'Teh plan')
    const first = (await simulation.run()).items.get(`asana:${task}`)
    fake.pass(0.1)
    fake.editComment(task, comment, 'The plan')
    const edited = (await simulation.run()).items.get(`asana:${task}`)
    expect(await bodyOf(edited)).toContain('The plan')
    expect(edited?.revision).not.toBe(first?.revision)
    fake.pass(0.1)
    fake.deleteComment(task, comment)
    const deleted = (await simulation.run()).items.get(`asana:${task}`)
    expect(await bodyOf(deleted)).not.toContain('plan')
    expect(new Set([first, edited, deleted].map((item) => item?.revision)).size).toBe(3)
  })

  test('is told as gone when a task is deleted, and once more when it comes back', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const launch = fake.addProject('Launch')
    const task = fake.addTask('Task', { projects: [launch] })
    await simulation.run()
    fake.pass(0.1)
    fake.deleteTask(task)
    expect((await simulation.run()).gone).toEqual([`asana:${task}`])
    fake.pass(0.1)
    fake.undeleteTask(task)
    const { gone, items } = await simulation.run()
    expect([gone, [...items.keys()]]).toEqual([[], [`asana:${task}`]])
    fake.deleteTask(task)
    fake.undeleteTask(task)
    expect((await simulation.run()).gone).toEqual([])
  })

  test('is heard whole when there are more events than a token holds', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake, server } = simulation
    const launch = fake.addProject('Launch')
    const tasks = Array.from({ length: 250 }, (_, at) => fake.addTask(`Task ${at}`, { projects: [launch] }))
    await simulation.run()
    for (const task of tasks) fake.deleteTask(task)
    server.log.length = 0
    expect((await simulation.run()).gone).toHaveLength(250)
    expect(server.count(/^events/)).toBe(3)
  })

  test('needs a complete walk when Asana does not know any more what happened', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    fake.addProject('Launch')
    await simulation.run()
    fake.pass(1.1)
    await expect(simulation.run()).rejects.toMatchObject({ remedy: 'restart' })
    simulation.cursors.clear()
    await simulation.run()
    fake.pass(0.5)
    await expect(simulation.run()).resolves.toMatchObject({ gone: [], failed: [] })
  })
})

describe('a task in several projects', () => {
  test('is one item, yielded by one of them only', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const [a, b] = [fake.addProject('Later', { gid: '99' }), fake.addProject('Launch', { gid: '100' })]
    const task = fake.addTask('Task', { projects: [b, a], assignee: fake.ada })
    for (const expected of ['Later', 'Later']) {
      expect((await simulation.run()).from.get(`asana:${task}`)).toBe(expected)
      simulation.cursors.clear()
    }
    const listed = await Promise.all(
      ['Later', 'Launch', 'My tasks in Acme'].map((title) => simulation.inventory(title)),
    )
    expect(listed.flat().filter(({ itemId }) => itemId === `asana:${task}`)).toHaveLength(1)
  })

  test('is taken where it still is when it leaves one, without being gone', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const [a, b] = [fake.addProject('A'), fake.addProject('B')]
    const task = fake.addTask('Task', { projects: [a, b], assignee: fake.ada })
    await simulation.run()
    for (const [project, expected] of [
      [a, 'B'],
      [b, 'My tasks in Acme'],
    ] as const) {
      fake.pass(0.1)
      fake.removeFromProject(task, project)
      const { from, gone } = await simulation.run()
      expect([from.get(`asana:${task}`), gone]).toEqual([expected, []])
    }
    fake.pass(0.1)
    fake.addToProject(task, b)
    expect((await simulation.run()).from.get(`asana:${task}`)).toBe('B')
  })

  test('is gone when it leaves the last one that is taken', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const [a, secret] = [fake.addProject('A'), fake.addProject('Secret')]
    const task = fake.addTask('Task', { projects: [a, secret], assignee: fake.ada })
    const config = { exclude: ['sec*'] }
    await simulation.run(config)
    fake.pass(0.1)
    fake.removeFromProject(task, a)
    expect((await simulation.run(config)).gone).toEqual([`asana:${task}`])
  })

  test('is taken by another when a project is lost, though nothing changed in it', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const [a, b] = [fake.addProject('A'), fake.addProject('B')]
    const task = fake.addTask('Task', { projects: [a, b] })
    const mine = fake.addTask('Mine', { projects: [a], assignee: fake.ada })
    await simulation.run()
    fake.pass(0.1)
    fake.loseProject(a)
    const { from, partitions } = await simulation.run()
    expect(partitions).toEqual(['B', 'My tasks in Acme'])
    expect(Object.fromEntries(from)).toEqual({ [`asana:${task}`]: 'B', [`asana:${mine}`]: 'My tasks in Acme' })
    expect((await simulation.run()).items.size).toBe(0)
  })
})

describe('reading one task', () => {
  test('gives it wherever it is by now, and nothing when it is gone or not taken any more', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const [a, b] = [fake.addProject('A'), fake.addProject('B')]
    const task = fake.addTask('Task', { projects: [a] })
    const ref = { itemId: `asana:${task}`, partition: { id: `project:${a}`, title: 'A' } }
    expect((await simulation.read(ref))?.title).toBe('Task')
    fake.addToProject(task, b)
    fake.removeFromProject(task, a)
    expect((await simulation.read(ref))?.title).toBe('Task')
    fake.removeFromProject(task, b)
    expect(await simulation.read(ref)).toBeUndefined()
    fake.deleteTask(task)
    expect(await simulation.read(ref)).toBeUndefined()
    expect(await simulation.read({ ...ref, itemId: `asana:proj:${a}` })).toMatchObject({ title: 'Project A' })
    expect(await simulation.read({ ...ref, itemId: 'asana:proj:1' })).toBeUndefined()
  })
})

describe('the choice of projects', () => {
  test('is by names and ids, archived or not, and holds for the tasks of the person and their subtasks', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const [launch, secret, old] = [
      fake.addProject('Launch 2027'),
      fake.addProject('Secret'),
      fake.addProject('Old', { archived: true }),
    ]
    const hidden = fake.addTask('Hidden', { projects: [secret], assignee: fake.ada })
    const part = fake.addTask('Part of hidden', { parent: hidden, assignee: fake.ada })
    const open = fake.addTask('Open', { projects: [launch] })
    const partOfOpen = fake.addTask('Part of open', { parent: open, assignee: fake.ada })
    const alone = fake.addTask('Alone', { assignee: fake.ada })
    const all = await simulation.run()
    expect(all.partitions).toEqual(['Launch 2027', 'Secret', 'Old', 'My tasks in Acme'])
    expect(all.from.get(`asana:${part}`)).toBe('My tasks in Acme')
    for (const config of [{ exclude: ['secret'] }, { include: ['LAUNCH *', old] }]) {
      simulation.cursors.clear()
      const { items, partitions } = await simulation.run(config)
      expect(partitions).toEqual(['Launch 2027', 'Old', 'My tasks in Acme'])
      const tasks = [...items.keys()].filter((id) => !id.includes('proj'))
      expect(tasks.sort()).toEqual([open, partOfOpen, alone].map((gid) => `asana:${gid}`).sort())
    }
  })

  test('that fits nothing is told instead of forgetting everything', async () => {
    await using simulation = await AsanaSimulation.open()
    simulation.fake.addProject('Launch')
    await expect(simulation.run({ include: ['Lunch'] })).rejects.toMatchObject({ remedy: 'reconfigure' })
    await expect(simulation.run({ workspaces: ['Acne'] })).rejects.toMatchObject({ remedy: 'reconfigure' })
  })

  test('begins with the workspaces', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    fake.workspaces.push({ gid: '501', resource_type: 'workspace', name: 'Family' })
    fake.addProject('Launch')
    fake.addProject('Garden', { workspace: fake.workspaces[1] })
    expect((await simulation.run({ workspaces: ['fam*'] })).partitions).toEqual(['Garden', 'My tasks in Family'])
  })
})
