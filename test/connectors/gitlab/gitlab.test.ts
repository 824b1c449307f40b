import { afterAll, describe, expect, test } from 'vitest'
import { gitlab as gitlabConnector } from '../../../connectors/gitlab/gitlab.ts'
import type { Change, Connector, SourceItem } from '../../../src/connector/connector.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GitlabServer } from '../../fakes/gitlab/gitlab-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { ConnectorSync } from '../../lib/connector-sync.ts'
import { startService } from '../../lib/start-service.ts'

const gitlab: Connector = gitlabConnector
const service = await startService({ work: false })
afterAll(() => service[Symbol.asyncDispose]())

describeConnectorContract('GitLab', async () => {
  const server = await GitlabServer.start()
  const project = server.addProject(1, 'acme/shop')
  const [first, second] = ['One', 'Two'].map((title) => server.add(project, title))
  server.add(project, 'Three', 'merge_requests')
  const idOf = ({ iid }: { readonly iid: number }) =>
    `gitlab:127=2E0=2E0=2E1=3A${new URL(server.url).port}:1:issue:${iid}`
  return {
    connector: gitlab,
    config: server.settings,
    options: { clock: () => server.now },
    async add() {
      return idOf(server.add(project, 'Four'))
    },
    async edit() {
      server.change(second!, { description: 'Corrected' })
      return idOf(second!)
    },
    async remove() {
      server.remove(first!)
      return idOf(first!)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})

async function run(server: GitlabServer, cursor?: unknown, settings: Record<string, unknown> = {}) {
  const context = await connectorContext(gitlab, { ...server.settings, ...settings }, { clock: () => server.now })
  const changes: Change<unknown>[] = []
  for await (const partition of gitlab.partitions(context)) {
    for await (const change of gitlab.changes(partition, cursor, context)) changes.push(change)
  }
  const cursors = changes.flatMap((change) => (change.type === 'checkpoint' ? [change.cursor] : []))
  return {
    context,
    items: changes.flatMap((change) => (change.type === 'item' ? change.item : [])),
    cursors,
    cursor: cursors.at(-1),
  }
}

async function textOf(item: SourceItem | undefined): Promise<string> {
  const body = typeof item?.body === 'function' ? await item.body() : item?.body
  return String(body)
}

describe('the issues and merge requests of GitLab', () => {
  test('have their description, state and all comments that people wrote', async () => {
    await using server = await GitlabServer.start()
    server.mostResults = 2
    const request = server.add(server.addProject(1, 'acme/shop'), 'Raise the pool', 'merge_requests', 'To 30.')
    server.note(request, 'requested review from @carl', 'Ada Lovelace', true)
    for (const said of ['Why?', 'Because.']) server.note(request, said)
    const { items, context } = await run(server)
    expect(context.account.title).toMatch(/^127\.0\.0\.1:\d+ \(ada\)$/)
    expect(items).toMatchObject([
      {
        sourceType: 'github',
        title: 'acme/shop!1 Raise the pool',
        url: 'https://gitlab.test/acme/shop/-/merge_requests/1',
        people: ['Ada Lovelace', 'Bob Stone', 'Carl'],
        parents: ['acme', 'shop'],
        visibility: 'shared',
      },
    ])
    expect(await textOf(items[0])).toBe(`To 30.

Merge request: opened. Assignees: Bob Stone. Reviewers: Carl. Branch: pool into main. Labels: db.

## Comment by Priya Natarajan at 2026-11-20T10:03:00.000Z

Why?

## Comment by Priya Natarajan at 2026-11-20T10:04:00.000Z

Because.
`)
  })

  test('are listed from the newest change on, in pages that an interrupted run goes on from, then only what changed', async () => {
    await using server = await GitlabServer.start()
    server.mostResults = 2
    const project = server.addProject(1, 'acme/shop')
    const [first] = ['A', 'B', 'C'].map((title) => server.add(project, title))
    for (const title of ['D', 'E', 'F']) server.add(project, title, 'merge_requests')
    const letters = ({ items }: { readonly items: readonly SourceItem[] }) =>
      items.map(({ title }) => title.slice(-1)).join('')
    const whole = await run(server)
    expect(letters(whole)).toBe('CBAFED')
    expect(letters(await run(server, whole.cursors[0]))).toBe('AFED')
    expect(letters(await run(server, whole.cursors[1]))).toBe('D')
    server.now = new Date(server.now.getTime() + 3_600_000)
    const idle = await run(server, whole.cursor)
    server.now = new Date(server.now.getTime() + 3_600_000)
    server.note(first!, 'A late reply')
    expect(letters(await run(server, idle.cursor))).toBe('A')
  })

  test('are those of the chosen projects, also where issues are switched off', async () => {
    await using server = await GitlabServer.start()
    server.add(server.addProject(1, 'acme/shop'), 'One')
    server.add(server.addProject(2, 'acme/site'), 'Two', 'merge_requests')
    server.add(server.addProject(3, 'other/thing'), 'Three')
    server.projects.get(2)!.hasIssues = false
    const titles = async (settings: object) =>
      (await run(server, undefined, { ...settings })).items.map(({ title }) => title)
    expect(await titles({ include: ['Acme/*'] })).toEqual(['acme/shop#1 One', 'acme/site!1 Two'])
    expect(await titles({ exclude: ['acme/**'] })).toEqual(['other/thing#1 Three'])
  })

  test.each([403, 404])(
    'are visibly missing where their listing is refused with %i; the rest is read, and they too once it is allowed',
    async (status) => {
      await using server = await GitlabServer.start()
      const project = server.addProject(1, 'acme/shop')
      server.add(project, 'One')
      server.add(project, 'Two', 'merge_requests')
      server.faultsOf.set('projects/1/issues', { status, body: {} })
      const context = await connectorContext(gitlab, server.settings, { clock: () => server.now })
      const partition = { id: '1', title: 'acme/shop' }
      const changes: Change<unknown>[] = []
      const read = async (cursor?: unknown) => {
        for await (const change of gitlab.changes(partition, cursor, context)) changes.push(change)
      }
      server.now = new Date(server.now.getTime() + 3_600_000)
      const message = expect.stringContaining("The issues of acme/shop can't be listed, so they are missing")
      await expect(read()).rejects.toMatchObject({ remedy: 'skip', message })
      const titles = () => changes.flatMap((change) => (change.type === 'item' ? change.item.title : []))
      expect(titles()).toEqual(['acme/shop!1 Two'])
      const last = changes.at(-1)
      server.now = new Date(server.now.getTime() + 3_600_000)
      server.faultsOf.clear()
      await read(last?.type === 'checkpoint' ? last.cursor : undefined)
      expect(titles()).toEqual(['acme/shop!1 Two', 'acme/shop#1 One'])
    },
  )

  test.each([
    ['an inventory', 403, false],
    ['an inventory', 404, false],
    ['a full scan', 403, true],
  ])('are not taken for deleted when %s meets a listing that is refused with %i', async (_, status, full) => {
    await using server = await GitlabServer.start()
    const [project, other] = [server.addProject(1, 'acme/shop'), server.addProject(2, 'acme/site')]
    server.add(project, 'One')
    server.add(project, 'Two', 'merge_requests')
    const gone = server.add(other, 'Three')
    await using sync = new ConnectorSync(gitlab, service, server.now)
    await sync.run(server.settings)
    expect(await sync.held()).toHaveLength(3)
    server.remove(gone)
    server.faultsOf.set('projects/1/issues', { status, body: {} })
    sync.clock.advance(25 * 60 * 60_000)
    const report = await sync.run(server.settings, { full })
    expect(await sync.held()).toEqual([expect.stringMatching(/:1:issue:1$/), expect.stringMatching(/:1:mr:1$/)])
    expect(report).toMatchObject({ removed: 1, failures: [{ partition: 'acme/shop' }] })
  })

  test('are forgotten where the project has switched them off', async () => {
    await using server = await GitlabServer.start()
    server.add(server.addProject(1, 'acme/shop'), 'One')
    await using sync = new ConnectorSync(gitlab, service, server.now)
    await sync.run(server.settings)
    server.projects.get(1)!.hasIssues = false
    sync.clock.advance(25 * 60 * 60_000)
    expect(await sync.run(server.settings)).toMatchObject({ removed: 1, failures: [] })
  })

  test.each([403, 404])('are not taken for deleted when a single one is refused with %i', async (status) => {
    await using server = await GitlabServer.start()
    const [first, second] = ['One', 'Two'].map((title) => server.add(server.addProject(1, 'acme/shop'), title))
    const { items, context } = await run(server)
    const ref = items.find(({ title }) => title.endsWith('Two'))!
    const read = () => gitlab.read({ ...ref, partition: { id: '1', title: 'acme/shop' } }, context)
    server.remove(first!)
    expect((await read())?.title).toBe('acme/shop#2 Two')
    server.faultsOf.set('projects/1/issues', { status, body: {} })
    server.faultsOf.set('projects/1/issues/2', { status, body: {} })
    await expect(read()).rejects.toMatchObject({ remedy: 'skip' })
    server.faultsOf.clear()
    server.remove(second!)
    expect(await read()).toBeUndefined()
  })

  test('are read where the other listing of the project fails, which is listed again later', async () => {
    await using server = await GitlabServer.start()
    const project = server.addProject(1, 'acme/shop')
    server.add(project, 'Two', 'merge_requests')
    server.faultsOf.set('projects/1/issues', { status: 500, body: {} })
    const context = await connectorContext(gitlab, server.settings)
    const changes: Change<unknown>[] = []
    const reading = async () => {
      const partition = { id: '1', title: 'acme/shop' }
      for await (const change of gitlab.changes(partition, undefined, context)) changes.push(change)
    }
    await expect(reading()).rejects.toMatchObject({ remedy: 'retry' })
    expect(changes.map(({ type }) => type)).toEqual(['item'])
  })

  test('are read beside a project in an unknown form, which fails for itself and is not taken for lost', async () => {
    await using server = await GitlabServer.start()
    server.add(server.addProject(1, 'acme/shop'), 'One')
    const odd = { id: 7, path_with_namespace: null }
    server.faultsOf.set('projects', { status: 200, body: [odd, { id: 1, path_with_namespace: 'acme/shop' }] })
    const parts = async (settings: object, knownPartitions: string[]) => {
      const context = await connectorContext(gitlab, { ...server.settings, ...settings }, { knownPartitions })
      const ids: string[] = []
      for await (const { id } of gitlab.partitions(context)) ids.push(id)
      return { context, ids }
    }
    const { context, ids } = await parts({}, [])
    expect(ids).toEqual(['1', '7'])
    expect((await parts({ include: ['acme/*'] }, [])).ids).toEqual(['1'])
    expect((await parts({ include: ['acme/*'] }, ['7'])).ids).toEqual(['1', '7'])
    const reading = gitlab.changes({ id: '7', title: 'project 7' }, undefined, context)[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toMatchObject({
      remedy: 'skip',
      message: expect.stringContaining('project 7'),
    })
  })

  const inAMinute = new Date('2026-11-20T10:01:00Z')
  test.each([
    ['refuses the token', { status: 401, body: {} }, { remedy: 'reauthorize' }],
    ['is a limit', { status: 429, headers: { 'retry-after': '30' }, body: {} }, { remedy: 'retry', limited: true }],
    [
      'is a limit that says until when',
      { status: 429, headers: { 'ratelimit-reset': String(inAMinute.getTime() / 1000) }, body: '' },
      { limited: true, retryAt: inAMinute },
    ],
    ['is out of order', { status: 502, body: '<html>' }, { remedy: 'retry', limited: false }],
  ])('say what to do when an answer %s', async (_, fault, expected) => {
    await using server = await GitlabServer.start()
    server.add(server.addProject(1, 'acme/shop'), 'One')
    const context = await connectorContext(gitlab, server.settings)
    server.faults.push(fault)
    const reading = gitlab.changes({ id: '1', title: 'acme/shop' }, undefined, context)[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toMatchObject(expected)
  })
})
