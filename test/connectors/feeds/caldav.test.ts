import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { caldav as caldavConnector } from '../../../connectors/feeds/caldav.ts'
import { serverOf } from '../../../connectors/feeds/caldav-session.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { hasRadicale, startRadicale } from '../../fakes/radicale.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { freePort } from '../../lib/free-port.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'
import { syncEnvironment } from '../../lib/sync-environment.ts'
import { caldavSettings, eventText } from './calendar-events.ts'

const caldav: Connector = caldavConnector

async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}

describe.skipIf(!hasRadicale)('calendars by CalDAV', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  async function radicale() {
    const server = await startRadicale()
    onTestFinished(() => server[Symbol.asyncDispose]())
    return server
  }

  async function partitionsOf(config: Record<string, unknown>) {
    const context = await connectorContext(caldav, config)
    return { context, partitions: await collected(caldav.partitions(context)) }
  }

  test('events are memorized, and follow edits, deletions and calendars that go away', async () => {
    const server = await radicale()
    await server.createCalendar('work', 'Work')
    await server.createCalendar('club', 'Rowing club')
    await server.put('work', 'a.ics', eventText({ uid: 'a', title: 'Budget review' }))
    await server.put('work', 'b.ics', eventText({ uid: 'b', title: 'Dentist' }))
    await server.put('club', 'c.ics', eventText({ uid: 'c', title: 'Regatta' }))
    const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
    const environment = syncEnvironment({ ledger: service.store.ledger(randomUUID()), memory })
    const config = caldav.manifest.config.parse(caldavSettings(server))
    const run = () =>
      syncConnection({ connector: caldav, config }, environment, {
        signal: new AbortController().signal,
        settle: false,
      })
    const held = async () => {
      const { files } = await memory.list({ sourceType: 'calendar', connector: 'caldav' })
      const texts = await Promise.all(
        files.map(async ({ item_id: itemId }) => {
          const { body } = await memory.download({ sourceType: 'calendar', itemId })
          return /SUMMARY:(.*?)\r/.exec(new TextDecoder().decode(body))?.[1]
        }),
      )
      return texts.sort()
    }
    expect(await run()).toMatchObject({ outcome: 'ok', memorized: 3 })
    expect(await held()).toEqual(['Budget review', 'Dentist', 'Regatta'])
    expect(await run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    await server.put('work', 'a.ics', eventText({ uid: 'a', title: 'Budget decision' }))
    await server.remove('work', 'b.ics')
    expect(await run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect(await held()).toEqual(['Budget decision', 'Regatta'])
    await server.deleteCalendar('club')
    await run()
    expect(await held()).toEqual(['Budget decision'])
  })

  test('a series is one item with its changed occurrences, and lists of tasks are left out', async () => {
    const server = await radicale()
    await server.createCalendar('work', 'Work')
    await server.createCalendar('todo', 'Errands', ['VTODO'])
    const moved = `BEGIN:VEVENT
UID:s@acme.test
RECURRENCE-ID:20260311T100000Z
DTSTAMP:20260301T080000Z
DTSTART:20260312T150000Z
DTEND:20260312T160000Z
SUMMARY:Standup on Thursday
END:VEVENT
`
    const series = { uid: 's', title: 'Standup', rule: 'FREQ=WEEKLY', more: moved }
    await server.put('work', 's.ics', eventText(series))
    await server.put('work', 'old.ics', eventText({ uid: 'old', day: '20200101' }))
    const { context, partitions } = await partitionsOf({ ...caldavSettings(server), since: '2026-01-01' })
    expect(partitions.map(({ title }) => title)).toEqual(['Work'])
    const changes = await collected(caldav.changes(partitions[0]!, undefined, context))
    const [item] = changes.flatMap((change) => (change.type === 'item' ? [change.item] : []))
    expect(item).toMatchObject({
      title: 'Standup',
      where: 'Work',
      sourceType: 'calendar',
      contentType: 'text/calendar',
    })
    expect(String(item?.body)).toContain('RRULE:FREQ=WEEKLY')
    expect(String(item?.body)).toContain('Standup on Thursday')
    expect(changes.filter(({ type }) => type === 'item')).toHaveLength(1)
    const excluded = await partitionsOf({ ...caldavSettings(server), exclude: ['W*'] })
    expect(excluded.partitions).toEqual([])
  })

  test('more events than fit into one request are all read', async () => {
    const server = await radicale()
    await server.createCalendar('work', 'Work')
    const names = Array.from({ length: 120 }, (_, n) => `e${n}`)
    for (const uid of names) await server.put('work', `${uid}.ics`, eventText({ uid }))
    const { context, partitions } = await partitionsOf(caldavSettings(server))
    const changes = await collected(caldav.changes(partitions[0]!, undefined, context))
    const titles = changes.flatMap((change) => (change.type === 'item' ? [change.item.title] : []))
    expect(titles.sort()).toEqual(names.map((name) => `Event ${name}`).sort())
  })

  test('a token that the server no longer knows begins a full comparison', async () => {
    const server = await radicale()
    await server.createCalendar('work', 'Work')
    const { context, partitions } = await partitionsOf(caldavSettings(server))
    const cursor = {
      token: 'http://radicale.org/ns/sync/0000000000000000000000000000000000000000000000000000000000000000',
    }
    await expect(collected(caldav.changes(partitions[0]!, cursor, context))).rejects.toMatchObject({
      remedy: 'restart',
    })
  })

  test('without sync tokens, ETags show what changed', async () => {
    const server = await radicale()
    await server.createCalendar('work', 'Work')
    await server.put('work', 'a.ics', eventText({ uid: 'a' }))
    await server.put('work', 'b.ics', eventText({ uid: 'b' }))
    await server.put('work', 'c.ics', eventText({ uid: 'c' }))
    const { context, partitions } = await partitionsOf(caldavSettings(server))
    // A cursor with ETags is of a server without tokens.
    const first = await collected(caldav.changes(partitions[0]!, { etags: {} }, context))
    const last = first.at(-1)
    if (last?.type !== 'checkpoint') throw new Error('It ends without a checkpoint')
    await server.remove('work', 'a.ics')
    await server.put('work', 'b.ics', eventText({ uid: 'b', title: 'Event b2' }))
    const then = await collected(caldav.changes(partitions[0]!, last.cursor, context))
    expect(then.map((change) => (change.type === 'item' ? change.item.title : change.type))).toEqual([
      'Event b2',
      'gone',
      'checkpoint',
    ])
  })

  test('a wrong password, a wrong address and a server without calendars are refused before anything is saved', async () => {
    const server = await radicale()
    const { context } = await partitionsOf(caldavSettings(server))
    const probe = (settings: object) =>
      caldav.probe?.({ ...context, config: { ...context.config, ...settings }, requests: { ...context.requests } })
    await expect(probe({})).resolves.toBeUndefined()
    await expect(probe({ token: 'wrong' })).rejects.toMatchObject({ remedy: 'reauthorize' })
    await expect(probe({ server: `http://127.0.0.1:${await freePort()}` })).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: expect.stringMatching(/^No server answers at 127\.0\.0\.1/),
    })
    const website = createServer((_, response) => response.writeHead(404).end('nothing here'))
    await new Promise<void>((listening) => website.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void website.close())
    const { port } = website.address() as AddressInfo
    await expect(probe({ server: `http://127.0.0.1:${port}` })).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: expect.stringContaining('it must offer CalDAV'),
    })
  })
})

test.each([
  [{ server: 'cloud.acme.test', user: 'ada' }, 'https://cloud.acme.test/'],
  [{ server: 'https://cloud.acme.test/remote.php/dav', user: 'ada' }, 'https://cloud.acme.test/remote.php/dav'],
  [{ server: undefined, user: 'ada@fastmail.com' }, 'https://caldav.fastmail.com/'],
  [{ server: undefined, user: 'ada@iCloud.com' }, 'https://caldav.icloud.com/'],
])('the server of %j is %s', async (config, url) => {
  expect(await serverOf(config)).toBe(url)
})

test('without a server, the user must be a mail address', async () => {
  await expect(serverOf({ server: undefined, user: 'ada' })).rejects.toMatchObject({ remedy: 'reconfigure' })
})
