import { describe, expect, test } from 'vitest'
import { asanaOAuth } from '../../../connectors/asana/asana-oauth.ts'
import type { AccessGrant, GrantNeed, Grants } from '../../../src/connector/access-grant.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import type { AsanaFault } from '../../fakes/asana/asana-server.ts'
import { AsanaSimulation } from '../../fakes/asana/asana-simulation.ts'

async function failureOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof SourceError) return error
  throw new Error('It did not fail with a SourceError', { cause: error })
}

describe('a failing request to Asana', () => {
  const TASKS = /^tasks\?project/
  const faults: [string, RegExp, AsanaFault, object][] = [
    ['a limit', TASKS, { status: 429, headers: { 'retry-after': '90' } }, { remedy: 'retry', limited: true }],
    ['a limit without a time', TASKS, { status: 429 }, { remedy: 'retry', limited: true, retryAt: undefined }],
    ['an error of the server', TASKS, { status: 502, body: '<html>' }, { remedy: 'retry', limited: false }],
    ['an answer that is cut off', TASKS, { status: 200, body: '{"data": [' }, { remedy: 'retry' }],
    ['an answer of another form', TASKS, { status: 200, body: '{"tasks": []}' }, { remedy: 'retry' }],
    ['a plan that does not offer it', TASKS, { status: 402 }, { remedy: 'skip' }],
    ['access that was lost', TASKS, { status: 403 }, { remedy: 'skip' }],
    ['a project that is gone', TASKS, { status: 404 }, { remedy: 'skip' }],
    ['a scope that is missing', TASKS, { status: 403, body: scopeProblem() }, { remedy: 'reauthorize' }],
    ['a wrong token', /^users/, { status: 401 }, { remedy: 'reauthorize' }],
    ['a wrong address', /^users/, { status: 404 }, { remedy: 'reconfigure' }],
    [
      'a web page',
      /^users/,
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' },
      { remedy: 'reconfigure' },
    ],
    [
      'a redirection',
      /^users/,
      { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
      { remedy: 'reconfigure' },
    ],
    ['projects that it may not list', /^projects/, { status: 403 }, { remedy: 'reconfigure' }],
  ]

  function scopeProblem(): string {
    return JSON.stringify({ errors: [{ message: 'The token is missing the required scopes: tasks:read. Ask.' }] })
  }

  test.each(faults)('has its remedy: %s', async (_, path, fault, expected) => {
    await using simulation = await AsanaSimulation.open()
    simulation.fake.addProject('Launch')
    simulation.server.fault(path, fault)
    const error = await failureOf(simulation.run())
    expect(error).toMatchObject(expected)
    expect(error.message).not.toContain('pat-made-up')
    expect(simulation.server.count(path)).toBe(1)
  })

  test('of what no scope of Asana covers leaves that out, and nothing else', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake, server } = simulation
    const project = fake.addProject('Launch')
    fake.addTask('Build it', { projects: [project] })
    for (const path of [/^events/, /^status_updates/, /^project_briefs/]) {
      server.fault(path, { status: 403, body: scopeProblem() })
    }
    const { items, failed } = await simulation.run()
    expect([...items.values()].map(({ title }) => title).sort()).toEqual(['Build it', 'Project Launch'])
    expect(failed).toEqual([])
  })

  test('is tried again exactly when Asana says', async () => {
    await using simulation = await AsanaSimulation.open()
    simulation.server.fault(/^users/, { status: 429, headers: { 'retry-after': '90' } })
    const { retryAt } = await failureOf(simulation.run())
    expect(retryAt).toEqual(new Date(simulation.fake.now.getTime() + 90_000))
  })

  test('does not show a token that cannot be sent', async () => {
    await using simulation = await AsanaSimulation.open()
    const error = await failureOf(simulation.run({ token: 'pat one…' }))
    expect(error.remedy).toBe('reconfigure')
    expect([error.message, String(error.cause)].join()).not.toContain('pat one')
  })

  test('of one task does not keep the others back', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake, server } = simulation
    const tasks = [1, 2].map((at) => fake.addTask(`Task ${at}`, { assignee: fake.ada }))
    for (const task of tasks) fake.addTask('Part', { parent: task })
    server.fault(new RegExp(`^tasks/${tasks[0]}/subtasks`), { status: 500 })
    const { items, failed } = await simulation.run()
    expect([failed, [...items.keys()]]).toEqual([[`asana:${tasks[0]}`], [`asana:${tasks[1]}`]])
    expect((await simulation.inventory('My tasks in Acme')).map(({ revision }) => revision === undefined)).toEqual([
      true,
      false,
    ])
  })

  test('of one task or comment that events name does not keep the others back', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake, server } = simulation
    const launch = fake.addProject('Launch')
    const tasks = [1, 2, 3].map((at) => fake.addTask(`Task ${at}`, { projects: [launch] }))
    const parts = tasks.map((parent) => fake.addTask('Part', { parent }))
    const comment = fake.comment(tasks[2] ?? '', 'Hidden by now')
    await simulation.run()
    for (const part of parts) fake.editTask(part, { completed: true })
    fake.editComment(tasks[2] ?? '', comment, 'Hidden')
    server.fault(new RegExp(`^tasks/${parts[0]}`), { status: 403 })
    server.fault(new RegExp(`^tasks/${parts[1]}`), { status: 500 })
    server.fault(/^stories/, { status: 403 })
    const { items, failed, gone } = await simulation.run()
    expect([[...items.keys()], failed, gone]).toEqual([[`asana:${tasks[2]}`], [`asana:${parts[1]}`], []])
    expect((await simulation.run()).failed).toEqual([])
  })

  test('ends when the run is to end', async () => {
    await using simulation = await AsanaSimulation.open()
    const aborting = new AbortController()
    simulation.fake.addProject('Launch')
    simulation.server.onRequest = (path) => {
      if (path.startsWith('events')) aborting.abort(new Error('enough'))
    }
    await expect(simulation.run({}, { signal: aborting.signal })).rejects.toThrow('enough')
  })
})

describe('a listing of Asana whose offset ends', () => {
  test('is begun again, and is whole', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake, server } = simulation
    for (let at = 0; at < 250; at += 1) fake.addTask(`Task ${at}`, { assignee: fake.ada })
    let asked = 0
    server.onRequest = (path) => {
      if (path.includes('offset=')) asked += 1
      if (asked === 2) server.expireOffsets()
    }
    expect((await simulation.run()).items.size).toBe(250)
  })

  test('again and again, ends with an error instead of half a listing', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake, server } = simulation
    for (let at = 0; at < 150; at += 1) fake.addTask(`Task ${at}`, { assignee: fake.ada })
    server.onRequest = () => server.expireOffsets()
    expect(await failureOf(simulation.run())).toMatchObject({ remedy: 'retry' })
    expect(server.count(/^tasks/)).toBeLessThan(10)
  })
})

describe('a grant for Asana', () => {
  function grants(tokens: string[]) {
    const needs: GrantNeed[] = []
    const replaced: string[] = []
    let current = tokens[0] ?? ''
    const grant: AccessGrant = {
      account: '900',
      title: 'ada@acme.test',
      scopes: [],
      place: {},
      accessToken: async () => current,
      replaceToken: async (refused) => {
        replaced.push(refused)
        current = tokens[replaced.length] ?? current
        return current
      },
    }
    const all: Grants = {
      open: async (need) => {
        needs.push(need)
        return grant
      },
    }
    return { grants: all, needs, replaced }
  }

  test('is asked for with the account that is set, and gives the token', async () => {
    await using simulation = await AsanaSimulation.open()
    const { grants: all, needs } = grants(['pat-made-up'])
    const { account } = await simulation.context({ token: undefined, account: 'ada@acme.test' }, { grants: all })
    expect(account).toEqual({ account: '900', title: 'Ada Lovelace (ada@acme.test)' })
    expect(needs).toEqual([
      {
        provider: 'asana',
        family: asanaOAuth.families[0]?.id,
        account: 'ada@acme.test',
        scopes: expect.arrayContaining(['tasks:read']),
      },
    ])
  })

  test('gives another token once when the first is refused', async () => {
    await using simulation = await AsanaSimulation.open()
    const fresh = grants(['old', 'pat-made-up'])
    await simulation.run({ token: undefined }, { grants: fresh.grants })
    expect(fresh.replaced).toEqual(['old'])
    const dead = grants(['old', 'older', 'oldest'])
    expect(await failureOf(simulation.run({ token: undefined }, { grants: dead.grants }))).toMatchObject({
      remedy: 'reauthorize',
    })
    expect(dead.replaced).toEqual(['old'])
  })
})
