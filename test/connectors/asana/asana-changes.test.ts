import { describe, expect, test } from 'vitest'
import { AsanaOffice, bodyOf } from '../../fakes/asana/asana-simulation.ts'

describe('what changes in Asana', () => {
  test('is asked for by time, with an overlap, and by the clock of Asana when ours is ahead', async () => {
    await using office = await AsanaOffice.open()
    const { world, server } = office
    const launch = world.addProject('Launch')
    world.addTask('Old', { projects: [launch] })
    const ahead = { clock: () => new Date(world.now.getTime() + 7_200_000) }
    await office.run({}, ahead)
    const overlap = new Date(Math.floor(world.now.getTime() / 1000) * 1000 - 5 * 60_000)
    const added = world.addTask('New', { projects: [launch] })
    server.log.length = 0
    expect([...(await office.run({}, ahead)).items.keys()]).toEqual([`asana:${added}`])
    const asked = server.log.find((path) => path.startsWith('tasks?project'))
    expect(new URLSearchParams(asked).get('modified_since')).toBe(overlap.toISOString())
  })

  test('is noticed in subtasks, though that does not change their task', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    const launch = world.addProject('Launch')
    const task = world.addTask('Task', { projects: [launch] })
    const part = world.addTask('Part', { parent: task })
    const below = world.addTask('Part of part', { parent: part })
    await office.run()
    const steps: [() => void, string][] = [
      [() => world.editTask(part, { completed: true }), '- [x] Part'],
      [() => world.editTask(part, { name: 'Portion' }), '- [x] Portion'],
      [() => world.addTask('Another', { parent: task }), '- [ ] Another'],
      [() => world.editTask(below, { name: 'Deeper' }), '- [x] Portion'],
    ]
    const revisions = new Set<string | undefined>()
    for (const [change, told] of steps) {
      world.pass(0.1)
      change()
      const { items, gone } = await office.run()
      const item = items.get(`asana:${task}`)
      expect(await bodyOf(item)).toContain(told)
      expect(gone).toEqual([])
      revisions.add(item?.revision)
    }
    // What is below a subtask is not told, so it changes nothing.
    expect(revisions.size).toBe(3)
    world.pass(0.1)
    world.deleteTask(part)
    expect(await bodyOf((await office.run()).items.get(`asana:${task}`))).not.toContain('Portion')
  })

  test('of subtasks of open tasks shows in the inventory, also without events', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    const task = world.addTask('Task', { assignee: world.ada })
    const done = world.addTask('Done', { assignee: world.ada, fields: { completed: true } })
    const parts = [task, done].map((parent) => world.addTask('Part', { parent }))
    const known = (await office.run()).items
    for (const part of parts) world.editTask(part, { completed: true })
    const refs = new Map((await office.inventory('My tasks in Acme')).map((ref) => [ref.itemId, ref]))
    expect(refs.get(`asana:${task}`)?.revision).not.toBe(known.get(`asana:${task}`)?.revision)
    expect(refs.get(`asana:${done}`)).toEqual({ sourceType: 'asana', itemId: `asana:${done}`, title: 'Done' })
  })

  test('is noticed when a comment is edited or deleted', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    const launch = world.addProject('Launch')
    const task = world.addTask('Task', { projects: [launch] })
    const comment = world.comment(task, 'Teh plan')
    const first = (await office.run()).items.get(`asana:${task}`)
    world.pass(0.1)
    world.editComment(task, comment, 'The plan')
    const edited = (await office.run()).items.get(`asana:${task}`)
    expect(await bodyOf(edited)).toContain('The plan')
    expect(edited?.revision).not.toBe(first?.revision)
    world.pass(0.1)
    world.deleteComment(task, comment)
    const deleted = (await office.run()).items.get(`asana:${task}`)
    expect(await bodyOf(deleted)).not.toContain('plan')
    expect(new Set([first, edited, deleted].map((item) => item?.revision)).size).toBe(3)
  })

  test('is told as gone when a task is deleted, and once more when it comes back', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    const launch = world.addProject('Launch')
    const task = world.addTask('Task', { projects: [launch] })
    await office.run()
    world.pass(0.1)
    world.deleteTask(task)
    expect((await office.run()).gone).toEqual([`asana:${task}`])
    world.pass(0.1)
    world.undeleteTask(task)
    const { gone, items } = await office.run()
    expect([gone, [...items.keys()]]).toEqual([[], [`asana:${task}`]])
    world.deleteTask(task)
    world.undeleteTask(task)
    expect((await office.run()).gone).toEqual([])
  })

  test('is heard whole when there are more events than a token holds', async () => {
    await using office = await AsanaOffice.open()
    const { world, server } = office
    const launch = world.addProject('Launch')
    const tasks = Array.from({ length: 250 }, (_, at) => world.addTask(`Task ${at}`, { projects: [launch] }))
    await office.run()
    for (const task of tasks) world.deleteTask(task)
    server.log.length = 0
    expect((await office.run()).gone).toHaveLength(250)
    expect(server.count(/^events/)).toBe(3)
  })

  test('needs a complete walk when Asana does not know any more what happened', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    world.addProject('Launch')
    await office.run()
    world.pass(1.1)
    await expect(office.run()).rejects.toMatchObject({ remedy: 'restart' })
    office.cursors.clear()
    await office.run()
    world.pass(0.5)
    await expect(office.run()).resolves.toMatchObject({ gone: [], failed: [] })
  })
})

describe('a task in several projects', () => {
  test('is one item, yielded by one of them only', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    const [a, b] = [world.addProject('Later', { gid: '99' }), world.addProject('Launch', { gid: '100' })]
    const task = world.addTask('Task', { projects: [b, a], assignee: world.ada })
    for (const expected of ['Later', 'Later']) {
      expect((await office.run()).from.get(`asana:${task}`)).toBe(expected)
      office.cursors.clear()
    }
    const listed = await Promise.all(['Later', 'Launch', 'My tasks in Acme'].map((title) => office.inventory(title)))
    expect(listed.flat().filter(({ itemId }) => itemId === `asana:${task}`)).toHaveLength(1)
  })

  test('is taken where it still is when it leaves one, without being gone', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    const [a, b] = [world.addProject('A'), world.addProject('B')]
    const task = world.addTask('Task', { projects: [a, b], assignee: world.ada })
    await office.run()
    for (const [project, expected] of [
      [a, 'B'],
      [b, 'My tasks in Acme'],
    ] as const) {
      world.pass(0.1)
      world.removeFromProject(task, project)
      const { from, gone } = await office.run()
      expect([from.get(`asana:${task}`), gone]).toEqual([expected, []])
    }
    world.pass(0.1)
    world.addToProject(task, b)
    expect((await office.run()).from.get(`asana:${task}`)).toBe('B')
  })

  test('is gone when it leaves the last one that is taken', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    const [a, secret] = [world.addProject('A'), world.addProject('Secret')]
    const task = world.addTask('Task', { projects: [a, secret], assignee: world.ada })
    const config = { exclude: ['sec*'] }
    await office.run(config)
    world.pass(0.1)
    world.removeFromProject(task, a)
    expect((await office.run(config)).gone).toEqual([`asana:${task}`])
  })

  test('is taken by another when a project is lost, though nothing changed in it', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    const [a, b] = [world.addProject('A'), world.addProject('B')]
    const task = world.addTask('Task', { projects: [a, b] })
    const mine = world.addTask('Mine', { projects: [a], assignee: world.ada })
    await office.run()
    world.pass(0.1)
    world.loseProject(a)
    const { from, partitions } = await office.run()
    expect(partitions).toEqual(['B', 'My tasks in Acme'])
    expect(Object.fromEntries(from)).toEqual({ [`asana:${task}`]: 'B', [`asana:${mine}`]: 'My tasks in Acme' })
    expect((await office.run()).items.size).toBe(0)
  })
})

describe('reading one task', () => {
  test('gives it wherever it is by now, and nothing when it is gone or not taken any more', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    const [a, b] = [world.addProject('A'), world.addProject('B')]
    const task = world.addTask('Task', { projects: [a] })
    const ref = { itemId: `asana:${task}`, partition: { id: `project:${a}`, title: 'A' } }
    expect((await office.read(ref))?.title).toBe('Task')
    world.addToProject(task, b)
    world.removeFromProject(task, a)
    expect((await office.read(ref))?.title).toBe('Task')
    world.removeFromProject(task, b)
    expect(await office.read(ref)).toBeUndefined()
    world.deleteTask(task)
    expect(await office.read(ref)).toBeUndefined()
    expect(await office.read({ ...ref, itemId: `asana:proj:${a}` })).toMatchObject({ title: 'Project A' })
    expect(await office.read({ ...ref, itemId: 'asana:proj:1' })).toBeUndefined()
  })
})

describe('the choice of projects', () => {
  test('is by names and ids, archived or not, and holds for the tasks of the person and their subtasks', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    const [launch, secret, old] = [
      world.addProject('Launch 2027'),
      world.addProject('Secret'),
      world.addProject('Old', { archived: true }),
    ]
    const hidden = world.addTask('Hidden', { projects: [secret], assignee: world.ada })
    const part = world.addTask('Part of hidden', { parent: hidden, assignee: world.ada })
    const open = world.addTask('Open', { projects: [launch] })
    const partOfOpen = world.addTask('Part of open', { parent: open, assignee: world.ada })
    const alone = world.addTask('Alone', { assignee: world.ada })
    const all = await office.run()
    expect(all.partitions).toEqual(['Launch 2027', 'Secret', 'Old', 'My tasks in Acme'])
    expect(all.from.get(`asana:${part}`)).toBe('My tasks in Acme')
    for (const config of [{ exclude: ['secret'] }, { include: ['LAUNCH *', old] }]) {
      office.cursors.clear()
      const { items, partitions } = await office.run(config)
      expect(partitions).toEqual(['Launch 2027', 'Old', 'My tasks in Acme'])
      const tasks = [...items.keys()].filter((id) => !id.includes('proj'))
      expect(tasks.sort()).toEqual([open, partOfOpen, alone].map((gid) => `asana:${gid}`).sort())
    }
  })

  test('that fits nothing is told instead of forgetting everything', async () => {
    await using office = await AsanaOffice.open()
    office.world.addProject('Launch')
    await expect(office.run({ include: ['Lunch'] })).rejects.toMatchObject({ remedy: 'reconfigure' })
    await expect(office.run({ workspaces: ['Acne'] })).rejects.toMatchObject({ remedy: 'reconfigure' })
  })

  test('begins with the workspaces', async () => {
    await using office = await AsanaOffice.open()
    const { world } = office
    world.workspaces.push({ gid: '501', resource_type: 'workspace', name: 'Family' })
    world.addProject('Launch')
    world.addProject('Garden', { workspace: world.workspaces[1] })
    expect((await office.run({ workspaces: ['fam*'] })).partitions).toEqual(['Garden', 'My tasks in Family'])
  })
})
