import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AsanaSync } from '../../fakes/asana/asana-simulation.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false })
})
afterAll(() => service[Symbol.asyncDispose]())

const tasksRequest = (held: ReadonlyMap<string, string>) => [...held.keys()].filter((id) => !id.includes('proj')).sort()

describe('what is remembered of Asana', () => {
  test('is what Asana holds, through edits, deletions and a project that is lost', async () => {
    await using sync = await AsanaSync.open(service)
    const { fake } = sync.simulation
    const [launch, shop] = [fake.addProject('Launch'), fake.addProject('Shop')]
    const tasks = Array.from({ length: 5 }, (_, at) =>
      fake.addTask(`Task ${at}`, { projects: [at < 3 ? launch : shop] }),
    )
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 7 })
    fake.pass(0.1)
    fake.comment(tasks[0] ?? '', 'Second thoughts')
    fake.deleteTask(tasks[1] ?? '')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect((await sync.held()).get(`asana:${tasks[0]}`)).toContain('Second thoughts')
    fake.pass(0.1)
    fake.loseProject(shop)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 3 })
    expect(tasksRequest(await sync.held())).toEqual([`asana:${tasks[0]}`, `asana:${tasks[2]}`])
    fake.pass(0.1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0, requests: 6 })
  })

  test('is compared completely when Asana lost its events: nothing doubled, nothing lost, nothing kept', async () => {
    await using sync = await AsanaSync.open(service)
    const { fake, server } = sync.simulation
    const launch = fake.addProject('Launch')
    const tasks = Array.from({ length: 120 }, (_, at) => fake.addTask(`Task ${at}`, { projects: [launch] }))
    await sync.run()
    fake.pass(1.5)
    for (const task of tasks.slice(0, 20)) fake.deleteTask(task)
    fake.editTask(tasks[50] ?? '', { name: 'Renamed' })
    const added = fake.addTask('New', { projects: [launch] })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 2, removed: 20 })
    expect(sync.memorized.sort()).toEqual([`asana:${tasks[50]}`, `asana:${added}`].sort())
    expect(server.count(/^tasks\?project/)).toBe(4)
    expect((await sync.held()).size).toBe(102)
    fake.pass(0.1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  })

  test('is forgotten within a day when a deletion was told to nobody', async () => {
    await using sync = await AsanaSync.open(service)
    const { fake, server } = sync.simulation
    const launch = fake.addProject('Launch')
    const task = fake.addTask('Task', { projects: [launch] })
    const mine = fake.addTask('Mine', { assignee: fake.ada })
    server.fault(/^events/, { status: 403 })
    await sync.run()
    fake.pass(0.5)
    for (const gone of [task, mine]) fake.deleteTask(gone)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0 })
    fake.pass(0.6)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 2 })
    expect(tasksRequest(await sync.held())).toEqual([])
  })

  test('stays while a task moves from project to project, and is not memorized twice', async () => {
    await using sync = await AsanaSync.open(service)
    const { fake } = sync.simulation
    const [a, b] = [fake.addProject('A'), fake.addProject('B')]
    const task = fake.addTask('Task', { projects: [b], assignee: fake.ada })
    await sync.run()
    const moves: (() => void)[] = [
      () => fake.addToProject(task, a),
      () => fake.removeFromProject(task, b),
      () => fake.addToProject(task, b),
      () => fake.removeFromProject(task, a),
      () => fake.removeFromProject(task, b),
      () => fake.addToProject(task, a),
    ]
    for (const move of moves) {
      fake.pass(0.1)
      move()
      expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0, memorized: 1 })
      expect(tasksRequest(await sync.held())).toEqual([`asana:${task}`])
      // Also by a complete comparison of every partition.
      expect(await sync.run({}, { full: true })).toMatchObject({ outcome: 'ok', removed: 0, memorized: 0 })
    }
    expect((await sync.held()).get(`asana:${task}`)).toContain('Projects: A (Doing).')
  })

  test('of a project that cannot be read stays with what it shares, and the others go on', async () => {
    await using sync = await AsanaSync.open(service)
    const { fake, server } = sync.simulation
    const [a, b] = [fake.addProject('A'), fake.addProject('B')]
    const alone = fake.addTask('Alone', { projects: [a] })
    const shared = fake.addTask('Shared', { projects: [a, b] })
    await sync.run()
    server.fault(new RegExp(`^tasks\\?project=${a}`), { status: 403 })
    for (let day = 0; day < 3; day += 1) {
      fake.pass(1.1)
      fake.editTask(shared, { name: `Shared on day ${day}` })
      const report = await sync.run()
      expect(report).toMatchObject({ removed: 0, failures: [{ partition: 'A' }] })
      expect(tasksRequest(await sync.held())).toEqual([`asana:${alone}`, `asana:${shared}`].sort())
      expect((await sync.held()).get(`asana:${shared}`)).toContain(`on day ${day}`)
    }
    server.heal()
    fake.pass(1.1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0, memorized: 0 })
    fake.pass(1.1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0, memorized: 0 })
  })

  test('stays when a project is lost that shared it, and goes with its rules', async () => {
    await using sync = await AsanaSync.open(service)
    const { fake } = sync.simulation
    const [a, b] = [fake.addProject('A'), fake.addProject('B')]
    const [shared, alone] = [fake.addTask('Shared', { projects: [a, b] }), fake.addTask('Alone', { projects: [a] })]
    await sync.run()
    expect(await sync.run({ exclude: ['A'] })).toMatchObject({ outcome: 'ok' })
    expect(tasksRequest(await sync.held())).toEqual([`asana:${shared}`])
    await sync.run()
    expect(tasksRequest(await sync.held())).toEqual([`asana:${alone}`, `asana:${shared}`].sort())
    fake.pass(0.1)
    fake.loseProject(a)
    expect(await sync.run()).toMatchObject({ outcome: 'ok' })
    expect(tasksRequest(await sync.held())).toEqual([`asana:${shared}`])
  })

  test('comes back when a task is undeleted', async () => {
    await using sync = await AsanaSync.open(service)
    const { fake } = sync.simulation
    const launch = fake.addProject('Launch')
    const task = fake.addTask('Task', { projects: [launch] })
    await sync.run()
    fake.deleteTask(task)
    expect(await sync.run()).toMatchObject({ removed: 1 })
    fake.undeleteTask(task)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })

  test('is read to its end by itself when Asana limits the rate', async () => {
    await using sync = await AsanaSync.open(service)
    const { fake, server } = sync.simulation
    const launch = fake.addProject('Launch')
    for (let at = 0; at < 40; at += 1) fake.addTask(`Task ${at}`, { projects: [launch] })
    server.fault(/stories/, { status: 429, headers: { 'retry-after': '30' } }, 3)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 41, failed: 0 })
    server.fault(/^tasks\?project/, { status: 429, headers: { 'retry-after': '7200' } })
    const report = await sync.run()
    const next = new Date(fake.now.getTime() + 7_200_000).toISOString()
    expect(report).toMatchObject({ outcome: 'waiting', removed: 0, next_attempt_at: next })
  })
})
