import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { notion as notionConnector } from '../../../connectors/notion/notion.ts'
import type { Change, Connector, SourceItem } from '../../../src/connector/connector.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { movableClock } from '../../contract/store-contract.ts'
import { block, NotionServer, words } from '../../fakes/notion/notion-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { startService } from '../../lib/start-service.ts'
import { syncEnvironment } from '../../lib/sync-environment.ts'

const notion: Connector = notionConnector

describeConnectorContract('Notion', async () => {
  const server = await NotionServer.start()
  const pages = ['One', 'Two', 'Three'].map((title) => server.addPage(title, [block('paragraph', `About ${title}`)]))
  const idOf = ({ id }: { readonly id: string }) => `notion:${id.replaceAll('-', '')}`
  return {
    connector: notion,
    config: server.settings,
    options: { clock: () => server.now },
    async add() {
      return idOf(server.addPage('Four', [block('paragraph', 'New')]))
    },
    async edit() {
      server.edit(pages[1]!, { blocks: [block('paragraph', 'Corrected')] })
      return idOf(pages[1]!)
    },
    async remove() {
      server.pages.delete(pages[0]!.id)
      return idOf(pages[0]!)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})

async function run(server: NotionServer, cursor?: unknown, settings: Record<string, unknown> = {}) {
  const context = await connectorContext(notion, { ...server.settings, ...settings }, { clock: () => server.now })
  const changes: Change<unknown>[] = []
  for await (const partition of notion.partitions(context)) {
    for await (const change of notion.changes(partition, cursor, context)) changes.push(change)
  }
  const last = changes.at(-1)
  return {
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

describe('a page of Notion', () => {
  test('has its blocks with those inside them, its tables, code and files', async () => {
    await using server = await NotionServer.start()
    server.mostResults = 3
    const row = (...cells: string[]) => ({ type: 'table_row', content: { cells: cells.map((cell) => words(cell)) } })
    server.addPage('Runbook', [
      block('heading_2', 'Deploy'),
      block('paragraph', 'First read'),
      block('numbered_list_item', 'Freeze', [block('bulleted_list_item', 'tell everybody')]),
      block('numbered_list_item', 'Deploy'),
      block('to_do', 'Check', [], { checked: true }),
      block('code', 'npm ci', [], { language: 'bash' }),
      block('callout', 'Never on Friday'),
      block('toggle', 'Details', [block('paragraph', 'Inside')]),
      { type: 'table', content: {}, children: [row('Service', 'Errors'), row('api', '9|5')] },
      { type: 'image', content: { type: 'file', caption: words('The board') } },
      { type: 'child_page', content: { title: 'Another page' }, children: [block('paragraph', 'Not here')] },
      { type: 'newest_kind', content: { rich_text: words('Still text', { href: 'https://acme.test' }) } },
    ])
    const { items } = await run(server)
    expect(items).toMatchObject([
      { title: 'Runbook', sourceType: 'technical_docs', where: 'Acme', url: expect.stringContaining('notion.so') },
    ])
    expect(await textOf(items[0])).toBe(`## Deploy

First read

1. Freeze
  - tell everybody
2. Deploy
- [x] Check

\`\`\`bash
npm ci
\`\`\`

> Never on Friday

Details

Inside

| Service | Errors |
| --- | --- |
| api | 9\\|5 |

[file: image] The board

[page: Another page]

[Still text](https://acme.test)
`)
  })

  test('of a database has its properties', async () => {
    await using server = await NotionServer.start()
    server.addPage('Candidate A', [], {
      Status: { type: 'status', status: { name: 'In review' } },
      Tags: { type: 'multi_select', multi_select: [{ name: 'backend' }, { name: 'senior' }] },
      Due: { type: 'date', date: { start: '2026-12-01', end: null } },
      Owner: { type: 'people', people: [{ name: 'Priya Natarajan' }] },
      Score: { type: 'formula', formula: { type: 'number', number: 7 } },
      Done: { type: 'checkbox', checkbox: false },
      Notes: { type: 'rich_text', rich_text: words('Strong') },
      Key: { type: 'unique_id', unique_id: { prefix: 'HR', number: 12 } },
      Empty: { type: 'select', select: null },
    })
    const { items } = await run(server)
    expect(await textOf(items[0])).toBe(`Status: In review
Tags: backend, senior
Due: 2026-12-01
Owner: Priya Natarajan
Score: 7
Done: no
Notes: Strong
Key: HR-12
`)
  })
})

describe('the pages of Notion', () => {
  test('are listed from the newest edit on, in pages that an interrupted run goes on from', async () => {
    await using server = await NotionServer.start()
    server.mostResults = 2
    for (const title of ['A', 'B', 'C', 'D', 'E']) server.addPage(title)
    const { items, cursors } = await run(server)
    expect(items.map(({ title }) => title)).toEqual(['E', 'D', 'C', 'B', 'A'])
    expect((await run(server, cursors[0])).items.map(({ title }) => title)).toEqual(['C', 'B', 'A'])
  })

  test('are asked for only as far as they were edited, and are gone when they are in the trash', async () => {
    await using server = await NotionServer.start()
    server.mostResults = 2
    const [first] = ['A', 'B', 'C', 'D', 'E'].map((title) => server.addPage(title))
    const { cursor } = await run(server)
    server.now = new Date(server.now.getTime() + 3_600_000)
    const idle = await run(server, cursor)
    server.now = new Date(server.now.getTime() + 3_600_000)
    server.edit(first!, { trashed: true })
    server.log.length = 0
    expect(await run(server, idle.cursor)).toMatchObject({
      items: [],
      gone: [`notion:${first?.id.replaceAll('-', '')}`],
    })
    expect(server.log.filter((path) => path === 'search')).toHaveLength(1)
  })

  test('are listed anew when Notion no longer knows where the listing stopped', async () => {
    await using server = await NotionServer.start()
    server.addPage('A')
    const scan = { after: 'unknown', begun: '2026-11-20T10:00:00.000Z' }
    await expect(run(server, { scan })).rejects.toMatchObject({ remedy: 'restart' })
  })
})

describe('an answer of Notion', () => {
  test.each([
    ['refuses the token', { status: 401, body: {} }, { remedy: 'reauthorize' }],
    ['is a limit', { status: 429, headers: { 'retry-after': '30' }, body: {} }, { remedy: 'retry', limited: true }],
    ['is out of order', { status: 503, body: '<html>' }, { remedy: 'retry', limited: false }],
    ['is of another server', { status: 200, body: '<html>' }, { remedy: 'retry' }],
  ])('that %s says what to do', async (_, fault, expected) => {
    await using server = await NotionServer.start()
    server.addPage('A')
    const context = await connectorContext(notion, server.settings)
    server.faults.push(fault)
    const reading = notion.changes({ id: 'workspace', title: 'Acme' }, undefined, context)[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toMatchObject(expected)
  })
})

test('what is remembered of Notion follows edits, and pages that are no longer shared', async () => {
  const service = await startService({ work: false })
  onTestFinished(() => service[Symbol.asyncDispose]())
  await using server = await NotionServer.start()
  const [first, second] = ['One', 'Two'].map((title) => server.addPage(title, [block('paragraph', title)]))
  const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
  const clock = movableClock(server.now.getTime())
  const environment = syncEnvironment({ ledger: service.store.ledger(randomUUID()), memory, clock })
  const config = notion.manifest.config.parse(server.settings)
  const sync = () => {
    const signal = new AbortController().signal
    return syncConnection({ connector: notion, config }, environment, { signal, settle: false })
  }
  expect(await sync()).toMatchObject({ outcome: 'ok', memorized: 2 })
  clock.advance(25 * 3_600_000)
  server.now = clock()
  server.edit(first!, { blocks: [block('paragraph', 'Corrected')] })
  server.pages.delete(second!.id)
  expect(await sync()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
})
