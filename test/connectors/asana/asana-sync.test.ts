import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AsanaSync } from '../../fakes/asana/asana-simulation.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false })
})
afterAll(() => service[Symbol.asyncDispose]())

const tasksOf = (held: ReadonlyMap<string, string>) => [...held.keys()].filter((id) => !id.includes('proj')).sort()

describe('what is remembered of Asana', () => {
  test('is what Asana holds, through edits, deletions and a project that is lost', async () => {
    await using sync = await AsanaSync.open(service)
    const { world } = sync.office
    const [launch, shop] = [world.addProject('Launch'), world.addProject('Shop')]
    const tasks = Array.from({ length: 5 }, (_, at) =>
      world.addTask(`Task ${at}`, { projects: [at < 3 ? launch : shop] }),
    )
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 7 })
    world.pass(0.1)
    world.comment(tasks[0] ?? '', 'Second thoughts')
    world.deleteTask(tasks[1] ?? '')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect((await sync.held()).get(`asana:${tasks[0]}`)).toContain('Second thoughts')
    world.pass(0.1)
    world.loseProject(shop)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 3 })
    expect(tasksOf(await sync.held())).toEqual([`asana:${tasks[0]}`, `asana:${tasks[2]}`])
    world.pass(0.1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0, requests: 6 })
  })

  test('is compared completely when Asana lost its events: nothing doubled, nothing lost, nothing kept', async () => {
    await using sync = await AsanaSync.open(service)
    const { world, server } = sync.office
    const launch = world.addProject('Launch')
    const tasks = Array.from({ length: 120 }, (_, at) => world.addTask(`Task ${at}`, { projects: [launch] }))
    await sync.run()
    world.pass(1.5)
    for (const task of tasks.slice(0, 20)) world.deleteTask(task)
    world.editTask(tasks[50] ?? '', { name: 'Renamed' })
    const added = world.addTask('New', { projects: [launch] })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 2, removed: 20 })
    expect(sync.memorized.sort()).toEqual([`asana:${tasks[50]}`, `asana:${added}`].sort())
    expect(server.count(/^tasks\?project/)).toBe(2)
    expect((await sync.held()).size).toBe(102)
    world.pass(0.1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  })

  test('is forgotten within a day when a deletion was told to nobody', async () => {
    await using sync = await AsanaSync.open(service)
    const { world, server } = sync.office
    const launch = world.addProject('Launch')
    const task = world.addTask('Task', { projects: [launch] })
    const mine = world.addTask('Mine', { assignee: world.ada })
    server.fault(/^events/, { status: 403 })
    await sync.run()
    world.pass(0.5)
    for (const gone of [task, mine]) world.deleteTask(gone)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0 })
    world.pass(0.6)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 2 })
    expect(tasksOf(await sync.held())).toEqual([])
  })

  test('stays while a task moves from project to project, and is not memorized twice', async () => {
    await using sync = await AsanaSync.open(service)
    const { world } = sync.office
    const [a, b] = [world.addProject('A'), world.addProject('B')]
    const task = world.addTask('Task', { projects: [b], assignee: world.ada })
    await sync.run()
    const moves: (() => void)[] = [
      () => world.addToProject(task, a),
      () => world.removeFromProject(task, b),
      () => world.addToProject(task, b),
      () => world.removeFromProject(task, a),
      () => world.removeFromProject(task, b),
      () => world.addToProject(task, a),
    ]
    for (const move of moves) {
      world.pass(0.1)
      move()
      expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0, memorized: 1 })
      expect(tasksOf(await sync.held())).toEqual([`asana:${task}`])
      // Also by a complete comparison of every partition.
      expect(await sync.run({}, { full: true })).toMatchObject({ outcome: 'ok', removed: 0, memorized: 0 })
    }
    expect((await sync.held()).get(`asana:${task}`)).toContain('Projects: A (Doing).')
  })

  test('of a project that cannot be read stays with what it shares, and the others go on', async () => {
    await using sync = await AsanaSync.open(service)
    const { world, server } = sync.office
    const [a, b] = [world.addProject('A'), world.addProject('B')]
    const alone = world.addTask('Alone', { projects: [a] })
    const shared = world.addTask('Shared', { projects: [a, b] })
    await sync.run()
    server.fault(new RegExp(`^tasks\\?project=${a}`), { status: 403 })
    for (let day = 0; day < 3; day += 1) {
      world.pass(1.1)
      world.editTask(shared, { name: `Shared on day ${day}` })
      const report = await sync.run()
      expect(report).toMatchObject({ removed: 0, failures: [{ partition: 'A' }] })
      expect(tasksOf(await sync.held())).toEqual([`asana:${alone}`, `asana:${shared}`].sort())
      expect((await sync.held()).get(`asana:${shared}`)).toContain(`on day ${day}`)
    }
    server.heal()
    world.pass(1.1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0, memorized: 0 })
    world.pass(1.1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0, memorized: 0 })
  })

  test('stays when a project is lost that shared it, and goes with its rules', async () => {
    await using sync = await AsanaSync.open(service)
    const { world } = sync.office
    const [a, b] = [world.addProject('A'), world.addProject('B')]
    const [shared, alone] = [world.addTask('Shared', { projects: [a, b] }), world.addTask('Alone', { projects: [a] })]
    await sync.run()
    expect(await sync.run({ exclude: ['A'] })).toMatchObject({ outcome: 'ok' })
    expect(tasksOf(await sync.held())).toEqual([`asana:${shared}`])
    await sync.run()
    expect(tasksOf(await sync.held())).toEqual([`asana:${alone}`, `asana:${shared}`].sort())
    world.pass(0.1)
    world.loseProject(a)
    expect(await sync.run()).toMatchObject({ outcome: 'ok' })
    expect(tasksOf(await sync.held())).toEqual([`asana:${shared}`])
  })

  test('comes back when a task is undeleted', async () => {
    await using sync = await AsanaSync.open(service)
    const { world } = sync.office
    const launch = world.addProject('Launch')
    const task = world.addTask('Task', { projects: [launch] })
    await sync.run()
    world.deleteTask(task)
    expect(await sync.run()).toMatchObject({ removed: 1 })
    world.undeleteTask(task)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })

  test('is read to its end by itself when Asana limits the rate', async () => {
    await using sync = await AsanaSync.open(service)
    const { world, server } = sync.office
    const launch = world.addProject('Launch')
    for (let at = 0; at < 40; at += 1) world.addTask(`Task ${at}`, { projects: [launch] })
    server.fault(/stories/, { status: 429, headers: { 'retry-after': '30' } }, 3)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 41, failed: 0 })
    server.fault(/^tasks\?project/, { status: 429, headers: { 'retry-after': '7200' } })
    const report = await sync.run()
    const next = new Date(world.now.getTime() + 7_200_000).toISOString()
    expect(report).toMatchObject({ outcome: 'waiting', removed: 0, next_attempt_at: next })
  })
})
