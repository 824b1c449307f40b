import { afterAll, describe, expect, test } from 'vitest'
import { confluence as confluenceConnector } from '../../../connectors/atlassian/confluence.ts'
import { jira as jiraConnector } from '../../../connectors/atlassian/jira.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { AtlassianServer, paragraph } from '../../fakes/atlassian/atlassian-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { ConnectorSync } from '../../lib/connector-sync.ts'
import { startService } from '../../lib/start-service.ts'
import { readPart } from './read-part.ts'

const jira: Connector = jiraConnector
const confluence: Connector = confluenceConnector
const service = await startService({ work: false })
afterAll(() => service[Symbol.asyncDispose]())

const A_DAY_MS = 25 * 60 * 60_000

async function partsOf(connector: Connector, server: AtlassianServer): Promise<string[]> {
  const titles: string[] = []
  for await (const { title } of connector.partitions(await connectorContext(connector, server.settings)))
    titles.push(title)
  return titles
}

/** With four issues, oldest first. */
async function synced(server: AtlassianServer) {
  server.mostResults = 2
  const project = server.addPart('1', 'PLT', 'Platform')
  const issues = ['One', 'Two', 'Three', 'Four'].map((title) => server.addIssue(project, title))
  const sync = new ConnectorSync(jira, service, server.now)
  await sync.run(server.settings)
  expect(await sync.held()).toHaveLength(4)
  sync.clock.advance(A_DAY_MS)
  return { issues, sync }
}

describe('no issue of Jira counts as deleted', () => {
  test.each([
    ['says that there is more and not where', { issues: [], isLast: false }],
    ['names the next page in an unknown form', { issues: [], nextPageToken: 7 }],
  ])('when a page %s', async (_, body) => {
    await using server = await AtlassianServer.start()
    const { sync } = await synced(server)
    await using _sync = sync
    server.onRequest = (path) => (path.endsWith('search/jql') ? { status: 200, body } : undefined)
    const report = await sync.run(server.settings, { full: true })
    expect(report).toMatchObject({ removed: 0, failures: [{ partition: 'Platform' }] })
    expect(await sync.held()).toHaveLength(4)
  })

  test('when the same page comes again and again', async () => {
    await using server = await AtlassianServer.start()
    server.addPart('1', 'PLT', 'Platform')
    const body = { issues: [], nextPageToken: 'same', isLast: false }
    server.onRequest = (path) => (path.endsWith('search/jql') ? { status: 200, body } : undefined)
    await expect(readPart(jira, server)).rejects.toMatchObject({ remedy: 'retry' })
  })

  test('when it changes while issues are listed, or the search leaves it out', async () => {
    await using server = await AtlassianServer.start()
    const { sync, issues } = await synced(server)
    await using _ = sync
    server.onRequest = (path, { nextPageToken }) => {
      if (path.endsWith('search/jql') && nextPageToken !== undefined) server.change(issues[0]!, { state: 'Done' })
      return undefined
    }
    expect(await sync.run(server.settings, { full: true })).toMatchObject({ outcome: 'ok', removed: 0 })
    const nothing = { status: 200, body: { issues: [], isLast: true } }
    server.onRequest = (path) => (path.endsWith('search/jql') ? nothing : undefined)
    sync.clock.advance(A_DAY_MS)
    expect(await sync.run(server.settings)).toMatchObject({ outcome: 'ok', removed: 0 })
    expect(await sync.held()).toHaveLength(4)
  })

  test('when it may not be read any more, unless its project is still seen', async () => {
    await using server = await AtlassianServer.start()
    const [first] = ['One', 'Two'].map((title) => server.addIssue(server.addPart('1', 'PLT', 'Platform'), title))
    const { items } = await readPart(jira, server)
    const ref = items.find(({ title }) => title.endsWith('One'))!
    const context = await connectorContext(jira, server.settings)
    const read = () => jira.read({ ...ref, partition: { id: '1', title: 'Platform' } }, context)
    server.hidden.add('1')
    await expect(read()).rejects.toMatchObject({ remedy: 'retry' })
    server.hidden.clear()
    expect(await read()).toBeDefined()
    server.issues.delete(first!.id)
    expect(await read()).toBeUndefined()
  })

  test('when its comments are refused, and it is read again', async () => {
    await using server = await AtlassianServer.start()
    const { sync, issues } = await synced(server)
    await using _ = sync
    server.now = sync.clock()
    server.change(issues[0]!, { state: 'Done' })
    server.onRequest = (path) => (path.endsWith('/comment') ? { status: 404, body: {} } : undefined)
    expect(await sync.run(server.settings)).toMatchObject({ removed: 0, failed: 1 })
    server.onRequest = () => undefined
    sync.clock.advance(A_DAY_MS)
    expect(await sync.run(server.settings)).toMatchObject({ memorized: 1, failed: 0 })
  })

  test('without asking for its project more than once in a run', async () => {
    await using server = await AtlassianServer.start()
    const { sync, issues } = await synced(server)
    await using _ = sync
    for (const { id } of issues) server.issues.delete(id)
    server.log.length = 0
    expect(await sync.run(server.settings)).toMatchObject({ outcome: 'ok', removed: 4 })
    expect(server.log.filter((path) => path.endsWith('/project/1'))).toHaveLength(1)
  })

  test('when Jira answers as if nobody had signed in', async () => {
    await using server = await AtlassianServer.start()
    const { sync } = await synced(server)
    await using _ = sync
    const headers = { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' }
    server.onRequest = (path) =>
      path.endsWith('project/search')
        ? { status: 200, headers, body: { values: [], total: 0, isLast: true } }
        : undefined
    expect(await sync.run(server.settings)).toMatchObject({ outcome: 'attention' })
    expect(await sync.held()).toHaveLength(4)
  })

  test('when it has moved to another project, which has it then', async () => {
    await using server = await AtlassianServer.start()
    const { sync, issues } = await synced(server)
    await using _ = sync
    server.addPart('2', 'HR', 'People')
    issues[0]!.projectId = '2'
    server.change(issues[0]!, {})
    await sync.run(server.settings)
    expect(await sync.held()).toHaveLength(4)
    sync.clock.advance(A_DAY_MS)
    expect(await sync.run(server.settings)).toMatchObject({ outcome: 'ok', removed: 0 })
    expect(await sync.run({ ...server.settings, exclude: ['HR'] })).toMatchObject({ removed: 1 })
  })
})

test('a listing of Jira that is no longer accepted begins anew', async () => {
  await using server = await AtlassianServer.start()
  server.addPart('1', 'PLT', 'Platform')
  const cursor = { scan: { after: 'expired', begun: '2026-11-20T09:00:00.000Z' } }
  server.onRequest = (_, { nextPageToken }) => (nextPageToken === 'expired' ? { status: 400, body: {} } : undefined)
  await expect(readPart(jira, server, cursor)).rejects.toMatchObject({ remedy: 'restart' })
})

describe('no project of Jira counts as lost', () => {
  test.each([
    ['a page in the middle is empty', { values: [], total: 3, isLast: false }],
    ['a page does not say whether it is the last', { values: [] }],
    ['the pages hold fewer than there are', { values: [], total: 3, isLast: true }],
  ])('when %s', async (_, body) => {
    await using server = await AtlassianServer.start()
    server.mostResults = 2
    for (const id of ['1', '2', '3']) server.addPart(id, `P${id}`, `Project ${id}`)
    expect(await partsOf(jira, server)).toHaveLength(3)
    let pages = 0
    server.onRequest = (path) => (path.endsWith('project/search') && ++pages === 2 ? { status: 200, body } : undefined)
    await expect(partsOf(jira, server)).rejects.toMatchObject({ remedy: 'retry' })
  })

  test('when another is deleted while projects are listed', async () => {
    await using server = await AtlassianServer.start()
    server.mostResults = 2
    for (const id of ['1', '2', '3', '4']) server.addPart(id, `P${id}`, `Project ${id}`)
    let pages = 0
    server.onRequest = (path) => {
      if (path.endsWith('project/search') && ++pages === 2) server.parts.delete('1')
      return undefined
    }
    await expect(partsOf(jira, server)).rejects.toMatchObject({ remedy: 'retry' })
    expect(await partsOf(jira, server)).toEqual(['Project 2', 'Project 3', 'Project 4'])
  })
})

describe('no page of Confluence counts as deleted', () => {
  test.each([
    ['names the next page in an unknown form', { results: [], _links: { next: { href: '/x' } } }],
    ['names itself as the next', { results: [], _links: { next: '/wiki/api/v2/spaces?limit=250&status=current' } }],
  ])('when a page of spaces %s', async (_, body) => {
    await using server = await AtlassianServer.start()
    server.onRequest = (path) => (path === '/wiki/api/v2/spaces' ? { status: 200, body } : undefined)
    await expect(partsOf(confluence, server)).rejects.toMatchObject({ remedy: 'retry' })
  })

  test('when it is edited while pages are listed', async () => {
    await using server = await AtlassianServer.start()
    server.mostResults = 2
    const space = server.addPart('1', 'ENG', 'Engineering')
    const pages = ['One', 'Two', 'Three'].map((title) => server.addPage(space, title, paragraph(title)))
    await using sync = new ConnectorSync(confluence, service, server.now)
    await sync.run(server.settings)
    sync.clock.advance(A_DAY_MS)
    let asked = 0
    server.onRequest = (path) => {
      if (path.endsWith('/spaces/1/pages') && ++asked % 2 === 0) server.edit(pages[0]!, paragraph(`Edit ${asked}`))
      return undefined
    }
    expect(await sync.run(server.settings, { full: true })).toMatchObject({ outcome: 'ok', removed: 0 })
    expect(await sync.held()).toHaveLength(3)
  })

  test('when it may not be read any more, unless its space is still seen', async () => {
    await using server = await AtlassianServer.start()
    const page = server.addPage(server.addPart('1', 'ENG', 'Engineering'), 'One', paragraph('One'))
    const { items } = await readPart(confluence, server)
    const context = await connectorContext(confluence, server.settings)
    const read = () => confluence.read({ ...items[0]!, partition: { id: '1', title: 'Engineering' } }, context)
    server.hidden.add('1')
    await expect(read()).rejects.toMatchObject({ remedy: 'retry' })
    server.hidden.clear()
    server.pages.delete(page.id)
    expect(await read()).toBeUndefined()
  })
})

test.each([
  ['issues of Jira', jira],
  ['pages of Confluence', confluence],
])('%s that `since` no longer selects are removed', async (_, connector) => {
  await using server = await AtlassianServer.start()
  server.addIssue(server.addPart('1', 'PLT', 'Platform'), 'One')
  server.addPage('1', 'One', paragraph('One'))
  await using sync = new ConnectorSync(connector, service, server.now)
  await sync.run(server.settings)
  server.now = new Date('2026-11-22T10:00:00Z')
  sync.clock.advance(2 * A_DAY_MS)
  expect(await sync.run({ ...server.settings, since: '2026-11-21' })).toMatchObject({ outcome: 'ok', removed: 1 })
})
