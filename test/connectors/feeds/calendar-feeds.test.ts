import { describe, expect, test } from 'vitest'
import { calendarFeeds } from '../../../connectors/feeds/calendar-feeds.ts'
import { feedPart } from '../../../connectors/feeds/feeds-config.ts'
import type { Change, Connector } from '../../../src/connector/connector.ts'
import { digest } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { type FeedServer, feedServer } from '../../fakes/feed-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { freePort } from '../../lib/free-port.ts'
import { parsed } from '../../unit/pipeline/parse/parse-source-file.ts'

const connector: Connector = calendarFeeds

interface MadeUpEvent {
  readonly uid: string
  readonly summary?: string
  readonly start?: string
  readonly more?: readonly string[]
}

let requests = 0

/** As servers write it: DTSTAMP is the time of the request. */
function calendarText(events: readonly MadeUpEvent[]): string {
  requests++
  const components = events.flatMap(({ uid, summary = `Event ${uid}`, start = '20990304T100000Z', more = [] }) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:20260101T00${String(requests % 60).padStart(2, '0')}00Z`,
    `DTSTART:${start}`,
    `SUMMARY:${summary}`,
    ...more,
    'END:VEVENT',
  ])
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//made up//EN',
    'X-WR-CALNAME:Choir',
    ...components,
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

function publish(server: FeedServer, events: readonly MadeUpEvent[]): void {
  server.pages.set('/secret/ada.ics', { body: calendarText(events) })
}

function settings({ origin }: FeedServer): Record<string, unknown> {
  return { name: 'choir', urls: [`${origin}/secret/ada.ics`] }
}

function idOf({ origin }: FeedServer, uid: string): string {
  return `ics:${feedPart(`${origin}/secret/ada.ics`)}:${digest(uid)}`
}

describeConnectorContract('Calendar feeds', async () => {
  const server = await feedServer()
  const events: MadeUpEvent[] = ['1', '2', '3'].map((uid) => ({ uid }))
  publish(server, events)
  return {
    connector,
    config: settings(server),
    async add() {
      events.push({ uid: '4' })
      publish(server, events)
      return idOf(server, '4')
    },
    async edit() {
      events.splice(1, 1, { uid: '2', summary: 'Rehearsal, moved' })
      publish(server, events)
      return idOf(server, '2')
    },
    async remove() {
      events.shift()
      publish(server, events)
      return idOf(server, '1')
    },
    [Symbol.asyncDispose]: () => Promise.resolve(server[Symbol.asyncDispose]()),
  }
})

async function run(server: FeedServer, cursor?: unknown, more: Record<string, unknown> = {}) {
  const context = await connectorContext(connector, { ...settings(server), ...more })
  const changes: Change<unknown>[] = []
  for await (const partition of connector.partitions(context)) {
    for await (const change of connector.changes(partition, cursor, context)) changes.push(change)
  }
  const last = changes.at(-1)
  return {
    items: changes.flatMap((change) => (change.type === 'item' ? change.item : [])),
    gone: changes.flatMap((change) => (change.type === 'gone' ? change.ref.itemId : [])),
    cursor: last?.type === 'checkpoint' ? last.cursor : undefined,
  }
}

describe('a calendar at an address', () => {
  test('gives each event once, a series with its changed occurrences, and the time zones that they need', async () => {
    await using server = await feedServer()
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'BEGIN:STANDARD',
      'DTSTART:19701025T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'END:VTIMEZONE',
    ]
    const series = [
      'RRULE:FREQ=WEEKLY',
      'LOCATION:Old Town\\, hall 2',
      'BEGIN:VALARM',
      'DESCRIPTION:ring',
      'END:VALARM',
    ]
    const changed = ['RECURRENCE-ID;TZID=Europe/Berlin:20260311T190000']
    const text = calendarText([
      { uid: 's', summary: 'Rehearsal of the ch\r\n oir', start: '20260304T190000', more: series },
      { uid: 's', summary: 'Rehearsal, in the church', start: '20260311T200000', more: changed },
      { uid: 'once', summary: 'Concert' },
    ]).replace('VERSION:2.0', ['VERSION:2.0', ...zone].join('\r\n'))
    server.pages.set('/secret/ada.ics', { body: text })
    const { items } = await run(server)
    expect(items.map(({ title, where }) => [title, where])).toEqual([
      ['Rehearsal of the choir', 'Choir'],
      ['Concert', 'Choir'],
    ])
    const [first, second] = items.map(({ body }) => Buffer.from(body as Uint8Array).toString())
    expect(first).toContain('TZID:Europe/Berlin')
    expect(second).not.toContain('VTIMEZONE')
    expect(first).not.toContain('ring')
    const file = { sourceType: 'calendar', contentType: 'text/calendar', fileName: 'event.ics' } as const
    expect((await parsed(first ?? '', file)).text).toContain('Old Town, hall 2')
  })

  test('changes nothing when only the time of the request is new, and is not sent again when the server knows it', async () => {
    await using server = await feedServer()
    publish(server, [{ uid: '1' }])
    const before = await run(server)
    publish(server, [{ uid: '1' }])
    const again = await run(server, before.cursor)
    expect(again.items).toEqual(before.items)
    expect((await run(server, again.cursor)).items).toEqual([])
  })

  test('keeps the past event that it drops, and loses the one to come that was cancelled', async () => {
    await using server = await feedServer()
    const weekly = { uid: 'weekly', start: '20200304T100000Z', more: ['RRULE:FREQ=WEEKLY'] }
    publish(server, [{ uid: 'past', start: '20200304T100000Z' }, { uid: 'next' }, weekly])
    const before = await run(server)
    expect(before.items).toHaveLength(3)
    publish(server, [])
    const { gone } = await run(server, before.cursor)
    expect(gone.toSorted()).toEqual([idOf(server, 'next'), idOf(server, 'weekly')].toSorted())
  })

  test('loses nothing when only half of it is sent', async () => {
    await using server = await feedServer()
    publish(
      server,
      ['1', '2'].map((uid) => ({ uid })),
    )
    const { cursor } = await run(server)
    const whole = calendarText(['1', '2'].map((uid) => ({ uid })))
    server.pages.set('/secret/ada.ics', { body: whole.slice(0, whole.indexOf('UID:2')) })
    await expect(run(server, cursor)).rejects.toMatchObject({ remedy: 'retry' })
  })

  test('is read from a day on, and by webcal', async () => {
    await using server = await feedServer()
    publish(server, [{ uid: 'past', start: '20200304T100000Z' }, { uid: 'next' }])
    expect((await run(server, undefined, { since: '2026-01-01' })).items.map(({ title }) => title)).toEqual([
      'Event next',
    ])
    const config = connector.manifest.config.parse({ name: 'a', urls: ['webcal://cal.acme.test/x.ics'] })
    expect(config).toMatchObject({ urls: ['https://cal.acme.test/x.ics'] })
  })

  test('is not connected when nothing, or something else, is there; one that fails for now is', async () => {
    await using server = await feedServer()
    publish(server, [{ uid: '1' }])
    server.pages.set('/page', { body: '<html>' })
    server.pages.set('/busy', { status: 503 })
    const context = await connectorContext(connector, settings(server))
    const probe = (urls: readonly string[]) =>
      connector.probe?.({ ...context, config: connector.manifest.config.parse({ name: 'choir', urls }) })
    const good = `${server.origin}/secret/ada.ics`
    await expect(probe([good, `${server.origin}/busy`])).resolves.toBeUndefined()
    const { host } = new URL(server.origin)
    await expect(probe([good, `${server.origin}/page`])).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: `${host} (2) is not a calendar. Check its address.`,
    })
    await expect(probe([`${server.origin}/nowhere`])).rejects.toMatchObject({ remedy: 'reconfigure' })
    const closed = `127.0.0.1:${await freePort()}`
    await expect(probe([good, `http://${closed}/secret`])).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: `No server answers at ${closed} (2). Check its address.`,
    })
  })

  test('never shows its address, which may be its password', async () => {
    await using server = await feedServer()
    server.pages.set('/secret/ada.ics', { body: '<html>' })
    await expect(run(server)).rejects.toMatchObject({
      message: `${new URL(server.origin).host} (1) is not a calendar. Check its address.`,
    })
    server.pages.set('/secret/ada.ics', { status: 503 })
    const failure = await run(server).catch((error: Error) => error.message)
    expect(failure).toMatch(/\(1\) returned an error/)
    expect(failure).not.toContain('secret')
  })
})
