import { afterAll, describe, expect, test } from 'vitest'
import { notion as notionConnector } from '../../../connectors/notion/notion.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { block, NotionServer } from '../../fakes/notion/notion-server.ts'
import { ConnectorSync } from '../../lib/connector-sync.ts'
import { startService } from '../../lib/start-service.ts'

const notion: Connector = notionConnector
const service = await startService({ work: false })
afterAll(() => service[Symbol.asyncDispose]())

const A_DAY_MS = 25 * 60 * 60_000

/** With three pages, oldest first. */
async function synced(server: NotionServer) {
  server.mostResults = 2
  const pages = ['One', 'Two', 'Three'].map((title) => server.addPage(title, [block('paragraph', title)]))
  const sync = new ConnectorSync(notion, service, server.now)
  await sync.run(server.settings)
  expect(await sync.held()).toHaveLength(3)
  sync.clock.advance(A_DAY_MS)
  return { pages, sync }
}

describe('no page of Notion counts as deleted', () => {
  test.each([
    ['a full scan', null, true],
    ['an inventory', null, false],
    ['a full scan', 'same', true],
    ['a full scan', 7, true],
  ])('when %s has more, at %s', async (_, next_cursor, full) => {
    await using server = await NotionServer.start()
    const { sync } = await synced(server)
    await using _sync = sync
    const body = { object: 'list', results: [], has_more: true, next_cursor }
    server.onRequest = (path) => (path === 'search' ? { status: 200, body } : undefined)
    const report = await sync.run(server.settings, { full })
    expect(report).toMatchObject({ removed: 0, failures: [{ error: expect.stringContaining('Notion') }] })
    expect(await sync.held()).toHaveLength(3)
  })

  test('when the search leaves it out, unless it is no longer there', async () => {
    await using server = await NotionServer.start()
    const { sync, pages } = await synced(server)
    await using _ = sync
    server.pages.delete(pages[0]!.id)
    const body = { object: 'list', results: [], has_more: false, next_cursor: null }
    server.onRequest = (path) => (path === 'search' ? { status: 200, body } : undefined)
    expect(await sync.run(server.settings)).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(await sync.held()).toHaveLength(2)
  })

  test('when its text is refused', async () => {
    await using server = await NotionServer.start()
    const { sync, pages } = await synced(server)
    await using _ = sync
    server.now = sync.clock()
    server.edit(pages[0]!, { title: 'One, renamed' })
    const body = { object: 'error', status: 404, code: 'object_not_found', message: 'It failed' }
    server.onRequest = (path) => (path.startsWith('blocks/') ? { status: 404, body } : undefined)
    expect(await sync.run(server.settings)).toMatchObject({ removed: 0, failed: 1 })
    expect(await sync.held()).toHaveLength(3)
    server.onRequest = () => undefined
    sync.clock.advance(A_DAY_MS)
    expect(await sync.run(server.settings)).toMatchObject({ memorized: 1, failed: 0 })
  })

  test.each([null, 'same'])('in part when its text has more, at %s', async (next_cursor) => {
    await using server = await NotionServer.start()
    const { sync, pages } = await synced(server)
    await using _ = sync
    server.now = sync.clock()
    server.edit(pages[0]!, { title: 'One, renamed' })
    const body = { object: 'list', results: [], has_more: true, next_cursor }
    server.onRequest = (path) => (path.startsWith('blocks/') ? { status: 200, body } : undefined)
    expect(await sync.run(server.settings)).toMatchObject({ memorized: 0, failed: 1 })
  })
})

test('pages of Notion that `since` no longer selects are removed', async () => {
  await using server = await NotionServer.start()
  const { sync } = await synced(server)
  await using _ = sync
  expect(await sync.run({ ...server.settings, since: '2026-11-21' })).toMatchObject({ outcome: 'ok', removed: 3 })
})
