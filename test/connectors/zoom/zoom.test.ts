import { describe, expect, test } from 'vitest'
import { zoom as zoomConnector } from '../../../connectors/zoom/zoom.ts'
import type { Change, Connector, SourceItem } from '../../../src/connector/connector.ts'
import { sourceItemId } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { ZoomServer } from '../../fakes/zoom/zoom-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'

const zoom: Connector = zoomConnector
const HELLO = [[1, 'Ada Lovelace', 'Hello.']] as const

describeConnectorContract('Zoom', async () => {
  const server = await ZoomServer.start()
  const edited = server.meet('Planning', '2026-11-18T09:00:00Z', HELLO)
  for (const topic of ['Retrospective', 'Sales']) server.meet(topic, '2026-09-02T09:00:00Z', HELLO)
  return {
    connector: zoom,
    config: server.settings,
    options: { clock: () => server.now },
    async add() {
      return sourceItemId('zoom', server.meet('Stand-up', '2026-11-20T09:00:00Z', HELLO).uuid)
    },
    async edit() {
      edited.topic = 'Planning of the release'
      return sourceItemId('zoom', edited.uuid)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})

async function run(server: ZoomServer, cursor?: unknown, settings: Record<string, unknown> = {}) {
  const context = await connectorContext(zoom, { ...server.settings, ...settings }, { clock: () => server.now })
  const changes: Change<unknown>[] = []
  for await (const partition of zoom.partitions(context)) {
    for await (const change of zoom.changes(partition, cursor, context)) changes.push(change)
  }
  const items = changes.flatMap((change) => (change.type === 'item' ? change.item : []))
  const checkpoints = changes.flatMap((change) => (change.type === 'checkpoint' ? change : []))
  return {
    context,
    changes,
    items,
    topics: items.map(({ title }) => title),
    checkpoints,
    cursor: checkpoints.at(-1)?.cursor,
  }
}

async function textOf(item: SourceItem | undefined): Promise<unknown> {
  return typeof item?.body === 'function' ? await item.body() : item?.body
}

describe('a meeting that was recorded in Zoom', () => {
  test('is who said what and when, over the pauses of its recording', async () => {
    await using server = await ZoomServer.start()
    const meeting = server.meet('Release', '2026-11-18T09:30:00Z', [
      [2, 'Ada Lovelace', 'We ship on Monday.'],
      [5, '', 'At nine.'],
      [8, '', 'And so the plan is this: we test first.'],
      [20, 'Bob Stone (he)', 'Ratio 3:1 is fine: really.'],
      [200, 'Bob Stone (he)', 'One more thing.'],
    ])
    meeting.parts.push({ minute: 45, said: [[1, 'Ada Lovelace', 'Back again.']] })
    const { items, context } = await run(server)
    expect(context.account).toEqual({ account: 'acc1:u1', title: 'ada@acme.test' })
    expect(items).toMatchObject([
      { sourceType: 'google_meets', title: 'Release', url: 'https://acme.zoom.test/rec/share/0', where: 'Zoom' },
    ])
    expect(
      await textOf(items[0]),
    ).toBe(`Ada Lovelace [2026-11-18 09:30 UTC]: We ship on Monday. At nine. And so the plan is this: we test first.

Bob Stone he [2026-11-18 09:30 UTC]: Ratio 3:1 is fine: really.

Bob Stone he [2026-11-18 09:33 UTC]: One more thing.

Ada Lovelace [2026-11-18 10:15 UTC]: Back again.`)
    expect(items[0]?.people).toEqual(['Ada Lovelace', 'Bob Stone (he)'])
  })

  test('is read from the newest month back to when the account began, in steps that an interrupted run goes on from', async () => {
    await using server = await ZoomServer.start()
    server.mostResults = 1
    for (const month of ['06', '07', '10', '11']) {
      for (const topic of ['A', 'B']) server.meet(`${month}${topic}`, `2026-${month}-12T09:00:00Z`, HELLO)
    }
    const whole = await run(server)
    expect([...new Set(whole.topics)]).toEqual(['11A', '11B', '10A', '10B', '07A', '07B', '06A', '06B'])
    expect(whole.checkpoints.filter(({ recentSince }) => recentSince !== undefined).length).toBeGreaterThan(0)
    const rest = await run(server, whole.checkpoints[1]?.cursor)
    expect([...new Set(rest.topics)]).toEqual(['07A', '07B', '06A', '06B'])
    expect(rest.cursor).toEqual(whole.cursor)
    expect((await run(server, undefined, { since: '2026-10-12' })).topics).toEqual(expect.not.arrayContaining(['07A']))
  })

  test('is read when its transcript comes a day later, and not before', async () => {
    await using server = await ZoomServer.start()
    const meeting = server.meet('Late', '2026-11-19T09:00:00Z', HELLO)
    meeting.status = 'processing'
    const first = await run(server)
    expect(first.topics).toEqual([])
    meeting.status = 'completed'
    server.now = new Date('2026-11-21T10:00:00Z')
    server.log.length = 0
    expect((await run(server, first.cursor)).topics).toEqual(['Late'])
    expect(server.log).toEqual([
      '/v2/users/ada%40acme.test',
      '/v2/users/ada%40acme.test/recordings?2026-11-13..2026-11-22',
    ])
  })

  test.each(['Aa+1==', '0/Aa+1==', '/Aa+1==', '0//Aa+1=='])(
    'is read alone by its id %s, unless it was deleted',
    async (uuid) => {
      await using server = await ZoomServer.start()
      server.meet('Alone', '2026-11-19T09:00:00Z', HELLO, uuid)
      const { items, context } = await run(server)
      const ref = { ...items[0]!, partition: { id: 'recordings', title: 'Recordings' } }
      expect((await zoom.read({ ...ref, locator: uuid }, context))?.title).toBe('Alone')
      server.recordings = []
      expect(await zoom.read({ ...ref, locator: uuid }, context)).toBeUndefined()
    },
  )
})

describe('the app of Zoom', () => {
  test('has its token renewed before it expires, and when it is refused', async () => {
    await using server = await ZoomServer.start()
    server.meet('One', '2026-11-19T09:00:00Z', HELLO)
    const { items } = await run(server)
    expect(server.tokens).toBe(1)
    server.now = new Date(server.now.getTime() + 56 * 60_000)
    await textOf(items[0])
    expect(server.tokens).toBe(2)
    server.revoked = 2
    expect(await textOf(items[0])).toContain('Hello.')
  })

  test.each([
    ['a wrong secret', { token: 'other' }, /^Zoom refused the app \(invalid_client\)/, 'reauthorize'],
    ['a wrong account', { account_id: 'other' }, /^Zoom refused the app \(unsupported_grant_type\)/, 'reauthorize'],
    ['a person of another account', { user: 'eve@acme.test' }, /^Zoom has no user eve@acme\.test/, 'reconfigure'],
  ])('says what to do about %s', async (_, settings, message, remedy) => {
    await using server = await ZoomServer.start()
    await expect(run(server, undefined, settings)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      remedy,
    })
  })

  test('sends its token to no other server, and waits at limits', async () => {
    await using server = await ZoomServer.start()
    server.meet('One', '2026-11-19T09:00:00Z', HELLO)
    const { items } = await run(server)
    server.faults.push({ status: 429, body: '' })
    await expect(textOf(items[0])).rejects.toMatchObject({ remedy: 'retry', limited: true })
    const away = { ...server.settings, api_url: `${server.url.replace('127.0.0.1', 'localhost')}/v2/` }
    const { items: others } = await run(server, undefined, away)
    await expect(textOf(others[0])).rejects.toMatchObject({ message: 'The address of the transcript is not at Zoom.' })
  })
})
