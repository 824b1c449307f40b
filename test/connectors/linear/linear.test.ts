import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { linear as linearConnector } from '../../../connectors/linear/linear.ts'
import type { Change, Connector, SourceItem } from '../../../src/connector/connector.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { movableClock } from '../../contract/store-contract.ts'
import { graphqlError, LinearServer } from '../../fakes/linear/linear-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { startService } from '../../lib/start-service.ts'
import { syncEnvironment } from '../../lib/sync-environment.ts'

const linear: Connector = linearConnector

describeConnectorContract('Linear', async () => {
  const server = await LinearServer.start()
  const team = server.addTeam('t1', 'Platform', 'PLT')
  const issues = ['One', 'Two', 'Three'].map((title) => server.addIssue(team, title, `About ${title}`))
  return {
    connector: linear,
    config: server.settings,
    options: { clock: () => server.now },
    async add() {
      return `linear:${server.addIssue(team, 'Four').id}`
    },
    async edit() {
      server.change(issues[1]!, { description: 'Corrected' })
      return `linear:${issues[1]!.id}`
    },
    async remove() {
      server.issues.delete(issues[0]!.id)
      return `linear:${issues[0]!.id}`
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})

async function run(server: LinearServer, cursor?: unknown, settings: Record<string, unknown> = {}) {
  const context = await connectorContext(linear, { ...server.settings, ...settings }, { clock: () => server.now })
  const changes: Change<unknown>[] = []
  for await (const partition of linear.partitions(context)) {
    for await (const change of linear.changes(partition, cursor, context)) changes.push(change)
  }
  const last = changes.at(-1)
  return {
    context,
    items: changes.flatMap((change) => (change.type === 'item' ? change.item : [])),
    gone: changes.flatMap((change) => (change.type === 'gone' ? change.ref.itemId : [])),
    cursors: changes.flatMap((change) => (change.type === 'checkpoint' ? [change.cursor] : [])),
    cursor: last?.type === 'checkpoint' ? last.cursor : undefined,
  }
}

async function textOf(item: SourceItem | undefined): Promise<string> {
  const body = typeof item?.body === 'function' ? await item.body() : item?.body
  return String(body)
}

describe('the issues of Linear', () => {
  test('have their description, state and comments, with who said what', async () => {
    await using server = await LinearServer.start()
    const issue = server.addIssue(
      server.addTeam('t1', 'Platform', 'PLT'),
      'Pool too small',
      'Raise it.\n\n## Note by Bob',
    )
    server.addComment(issue, 'To 30?')
    server.addComment(issue, 'Yes', 'Bob Stone')
    const { items, context } = await run(server)
    expect(context.account).toMatchObject({ account: 'o1:u1', title: 'Acme (ada@acme.test)' })
    expect(items).toMatchObject([
      {
        sourceType: 'tasks',
        title: 'PLT-1 Pool too small',
        url: 'https://linear.app/acme/issue/PLT-1',
        author: 'Ada Lovelace',
        people: ['Ada Lovelace', 'Priya Natarajan', 'Bob Stone'],
        where: 'Platform',
      },
    ])
    expect(await textOf(items[0])).toBe(`Raise it.

\\## Note by Bob

State: Todo. Priority: High. Labels: bug.

## Comment by Priya Natarajan at 2026-11-20T10:00:02.000Z

To 30?

## Comment by Bob Stone at 2026-11-20T10:00:03.000Z

Yes
`)
  })

  test('are listed from the newest change on, in pages that an interrupted run goes on from', async () => {
    await using server = await LinearServer.start()
    server.mostNodes = 2
    const team = server.addTeam('t1', 'Platform', 'PLT')
    for (const title of ['A', 'B', 'C', 'D', 'E']) server.addIssue(team, title)
    const { items, cursors } = await run(server)
    expect(items.map(({ title }) => title.slice(-1))).toEqual(['E', 'D', 'C', 'B', 'A'])
    expect(cursors).toHaveLength(3)
    expect((await run(server, cursors[0])).items.map(({ title }) => title.slice(-1))).toEqual(['C', 'B', 'A'])
  })

  test('are read again when somebody comments, also beyond the first page of comments, and not otherwise', async () => {
    await using server = await LinearServer.start()
    const team = server.addTeam('t1', 'Platform', 'PLT')
    const busy = server.addIssue(team, 'Busy')
    server.addIssue(team, 'Quiet')
    for (let at = 0; at < 60; at++) server.addComment(busy, `Comment ${at}.`)
    const first = await run(server)
    expect(await textOf(first.items.find(({ title }) => title.endsWith('Busy')))).toContain('Comment 59.')
    const later = async (cursor: unknown) => {
      server.now = new Date(server.now.getTime() + 3_600_000)
      return run(server, cursor)
    }
    const idle = await later((await later(first.cursor)).cursor)
    expect(idle.items).toEqual([])
    server.addComment(busy, 'A late reply')
    const second = await run(server, idle.cursor)
    expect(second.items.map(({ title }) => title)).toEqual(['PLT-1 Busy'])
    expect(await textOf(second.items[0])).toContain('A late reply')
  })

  test('are those of the chosen teams, from a day on, and without those in the trash', async () => {
    await using server = await LinearServer.start()
    server.addIssue(server.addTeam('t1', 'Platform', 'PLT'), 'Old')
    server.now = new Date('2026-12-01T10:00:00Z')
    const trashed = server.addIssue('t1', 'Trashed')
    server.addIssue('t1', 'New')
    server.addIssue(server.addTeam('t2', 'Sales', 'SAL'), 'Deal')
    server.change(trashed, { trashed: true })
    const titles = async (settings: object) =>
      (await run(server, undefined, { ...settings })).items.map(({ title }) => title)
    expect(await titles({ include: ['plt'], since: '2026-12-01' })).toEqual(['PLT-3 New'])
    expect(await titles({ exclude: ['Platform'] })).toEqual(['SAL-4 Deal'])
    expect((await run(server)).gone).toEqual([`linear:${trashed.id}`])
  })
})

describe('an answer of Linear', () => {
  const inAnHour = new Date('2026-11-20T11:00:00Z')
  test.each([
    ['refuses the key', { status: 401, body: graphqlError('AUTHENTICATION_ERROR') }, { remedy: 'reauthorize' }],
    [
      'is a limit that says until when',
      {
        status: 400,
        headers: { 'x-ratelimit-requests-reset': String(inAnHour.getTime()) },
        body: graphqlError('RATELIMITED'),
      },
      { remedy: 'retry', limited: true, retryAt: inAnHour },
    ],
    ['is a limit by its status', { status: 429, headers: { 'retry-after': '60' }, body: '' }, { limited: true }],
    ['is out of order', { status: 502, body: '<html>' }, { remedy: 'retry', limited: false }],
    ['is of another server', { status: 200, body: '<html>' }, { remedy: 'retry' }],
    ['is no permission', { status: 200, body: graphqlError('FORBIDDEN') }, { remedy: 'skip' }],
  ])('that %s says what to do', async (_, fault, expected) => {
    await using server = await LinearServer.start()
    server.addTeam('t1', 'Platform', 'PLT')
    const context = await connectorContext(linear, server.settings, { clock: () => new Date('2026-11-20T10:00:00Z') })
    server.faults.push(fault)
    const reading = linear.changes({ id: 't1', title: 'Platform' }, undefined, context)[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toMatchObject(expected)
  })
})

test('what is remembered of Linear follows edits, deletions and teams that are excluded', async () => {
  const service = await startService({ work: false })
  onTestFinished(() => service[Symbol.asyncDispose]())
  await using server = await LinearServer.start()
  const team = server.addTeam('t1', 'Platform', 'PLT')
  const [first, second] = ['One', 'Two'].map((title) => server.addIssue(team, title)) as [
    ReturnType<LinearServer['addIssue']>,
    ReturnType<LinearServer['addIssue']>,
  ]
  server.addIssue(server.addTeam('t2', 'Sales', 'SAL'), 'Deal')
  const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
  const clock = movableClock(server.now.getTime())
  const environment = syncEnvironment({ ledger: service.store.ledger(randomUUID()), memory, clock })
  const sync = (settings: object = {}) => {
    const config = linear.manifest.config.parse({ ...server.settings, ...settings })
    const signal = new AbortController().signal
    return syncConnection({ connector: linear, config }, environment, { signal, settle: false })
  }
  expect(await sync()).toMatchObject({ outcome: 'ok', memorized: 3 })
  clock.advance(25 * 3_600_000)
  server.now = clock()
  server.change(first, { state: 'Done' })
  server.issues.delete(second.id)
  expect(await sync()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
  expect(await sync({ exclude: ['Sales'] })).toMatchObject({ outcome: 'ok', memorized: 0, removed: 1 })
})
