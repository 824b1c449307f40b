import { afterAll, describe, expect, test } from 'vitest'
import { gitlab as gitlabConnector } from '../../../connectors/gitlab/gitlab.ts'
import type { Change, Connector, SourceItem } from '../../../src/connector/connector.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GitlabServer } from '../../fakes/gitlab/gitlab-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { ConnectorSync } from '../../lib/connector-sync.ts'
import { startService } from '../../lib/start-service.ts'

const gitlab: Connector = gitlabConnector
const ISSUES = { id: '1:issues', title: 'acme/shop issues' }
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
    expect(letters(await run(server, whole.cursors[0]))).toBe('AD')
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
    'of the other kind are read and compared where one listing is refused with %i',
    async (status) => {
      await using server = await GitlabServer.start()
      const project = server.addProject(1, 'acme/shop')
      const gone = server.add(project, 'One')
      server.add(project, 'Two', 'merge_requests')
      await using sync = new ConnectorSync(gitlab, service, server.now)
      await sync.run(server.settings)
      expect(await sync.held()).toHaveLength(2)
      server.add(project, 'Three')
      server.remove(gone)
      server.faultsOf.set('projects/1/merge_requests', { status, body: {} })
      sync.clock.advance(25 * 60 * 60_000)
      const report = await sync.run(server.settings)
      expect(await sync.held()).toEqual([expect.stringMatching(/:1:issue:2$/), expect.stringMatching(/:1:mr:1$/)])
      const error = expect.stringContaining("The merge requests of acme/shop can't be listed")
      expect(report).toMatchObject({ removed: 1, failures: [{ partition: 'acme/shop merge requests', error }] })
      server.faultsOf.clear()
      server.threads = []
      sync.clock.advance(25 * 60 * 60_000)
      expect(await sync.run(server.settings)).toMatchObject({ removed: 2, failures: [] })
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
    const gone = server.add(other, 'Three')
    await using sync = new ConnectorSync(gitlab, service, server.now)
    await sync.run(server.settings)
    expect(await sync.held()).toHaveLength(2)
    server.remove(gone)
    server.faultsOf.set('projects/1/issues', { status, body: {} })
    sync.clock.advance(25 * 60 * 60_000)
    const report = await sync.run(server.settings, { full })
    expect(await sync.held()).toEqual([expect.stringMatching(/:1:issue:1$/)])
    expect(report).toMatchObject({ removed: 1, failures: [{ partition: 'acme/shop issues' }] })
  })

  test('stay when one that changes while they are listed moves ahead of its page', async () => {
    await using server = await GitlabServer.start()
    server.mostResults = 2
    const project = server.addProject(1, 'acme/shop')
    const [first] = ['One', 'Two', 'Three', 'Four'].map((title) => server.add(project, title))
    await using sync = new ConnectorSync(gitlab, service, server.now)
    await sync.run(server.settings)
    server.onList = ({ path, page }) => {
      if (path === 'projects/1/issues' && page === 2) server.note(first!, 'Meanwhile')
    }
    sync.clock.advance(25 * 60 * 60_000)
    expect(await sync.run(server.settings)).toMatchObject({ outcome: 'ok', removed: 0 })
    expect(await sync.held()).toHaveLength(4)
  })

  test('are those of every project, also when another is deleted while projects are listed', async () => {
    await using server = await GitlabServer.start()
    server.mostResults = 2
    for (const id of [1, 2, 3, 4]) server.add(server.addProject(id, `acme/p${id}`), `In ${id}`)
    const context = await connectorContext(gitlab, server.settings)
    server.onList = ({ path }) => {
      if (path === 'projects') queueMicrotask(() => server.projects.delete(1))
    }
    const titles: string[] = []
    for await (const { title } of gitlab.partitions(context)) titles.push(title)
    expect(titles.filter((title) => title.endsWith('issues'))).toEqual(
      ['acme/p1', 'acme/p2', 'acme/p3', 'acme/p4'].map((path) => `${path} issues`),
    )
  })

  test('are all listed where a proxy drops the header that names the next page', async () => {
    await using server = await GitlabServer.start()
    server.dropsHeaders = true
    const project = server.addProject(1, 'acme/shop')
    for (let at = 0; at < 101; at++) server.add(project, `Issue ${at}`)
    expect((await run(server)).items).toHaveLength(101)
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
    const read = () => gitlab.read({ ...ref, partition: ISSUES }, context)
    server.remove(first!)
    expect((await read())?.title).toBe('acme/shop#2 Two')
    server.faultsOf.set('projects/1/issues', { status, body: {} })
    server.faultsOf.set('projects/1/issues/2', { status, body: {} })
    await expect(read()).rejects.toMatchObject({ remedy: 'skip' })
    server.faultsOf.clear()
    server.remove(second!)
    expect(await read()).toBeUndefined()
  })

  test('are not read singly if they are older than `since`', async () => {
    await using server = await GitlabServer.start()
    server.add(server.addProject(1, 'acme/shop'), 'Old')
    const { items } = await run(server)
    const read = async (since: string) => {
      const { context } = await run(server, undefined, { since })
      return (await gitlab.read({ ...items[0]!, partition: ISSUES }, context))?.title
    }
    expect(await read('2026-11-19')).toBe('acme/shop#1 Old')
    expect(await read('2026-11-21')).toBeUndefined()
  })

  test('are not listed on and on where the id of a project is no number', async () => {
    await using server = await GitlabServer.start()
    let asked = 0
    server.onList = ({ path }) => {
      if (path === 'projects' && ++asked > 3) server.faultsOf.set('projects', { status: 401, body: {} })
    }
    server.faultsOf.set('projects', { status: 200, headers: { 'x-next-page': '2' }, body: [{ id: 'odd' }] })
    await expect(run(server)).rejects.toMatchObject({ remedy: 'retry' })
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
    const own = ['1:issues', '1:merge_requests']
    expect(ids).toEqual([...own, '7:issues', '7:merge_requests'])
    expect((await parts({ include: ['acme/*'] }, [])).ids).toEqual(own)
    expect((await parts({ include: ['acme/*'] }, ['7:issues'])).ids).toEqual([...own, '7:issues'])
    const reading = gitlab
      .changes({ id: '7:issues', title: 'project 7 issues' }, undefined, context)
      [Symbol.asyncIterator]()
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
    const reading = gitlab.changes(ISSUES, undefined, context)[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toMatchObject(expected)
  })
})
