import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { caldav as caldavConnector } from '../../../connectors/feeds/caldav.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { type CalendarServer, hasRadicale, startRadicale } from '../../fakes/radicale.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'
import { syncEnvironment } from '../../lib/sync-environment.ts'
import { caldavSettings, eventText } from './calendar-events.ts'

const caldav: Connector = caldavConnector

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { readonly body: string }

const MULTISTATUS = '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">'
const UNEXPECTED: readonly (readonly [string, Answer])[] = [
  ['a 403', { status: 403, type: 'text/plain', body: 'Access denied' }],
  ['a 404', { status: 404, type: 'text/html', body: '<html><body>Not found</body></html>' }],
  ['the page of a login', { status: 200, type: 'text/html', body: '<html><body>Sign in</body></html>' }],
  ['an answer that was cut', { status: 207, type: 'application/xml', body: MULTISTATUS }],
  [
    'XML that is broken',
    { status: 207, type: 'application/xml', body: `${MULTISTATUS}<d:href>a & b</d:x></d:multistatus>` },
  ],
]

const isHome = ({ method, url, headers }: Asked) => method === 'PROPFIND' && url === '/ada/' && headers.depth === '1'
const isListing = ({ method, url, headers }: Asked) =>
  method === 'PROPFIND' && url === '/ada/work/' && headers.depth === '1'
const isSync = ({ body }: Asked) => body.includes('sync-collection')
const isReading = ({ body }: Asked) => body.includes('calendar-multiget')

describe.skipIf(!hasRadicale)('a calendar server that answers as no calendar server does', () => {
  let service: RunningService
  let radicale: CalendarServer
  beforeAll(async () => {
    service = await startService()
    radicale = await startRadicale()
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await radicale[Symbol.asyncDispose]()
  })

  /** Two calendars that were synced once, behind a server that can answer something else. */
  async function synced({ withTokens = true } = {}) {
    await radicale.createCalendar('work', 'Work')
    await radicale.createCalendar('club', 'Rowing club')
    await radicale.put('work', 'a.ics', eventText({ uid: 'a', title: 'Budget review' }))
    await radicale.put('work', 'b.ics', eventText({ uid: 'b', title: 'Dentist' }))
    await radicale.put('club', 'c.ics', eventText({ uid: 'c', title: 'Regatta' }))
    const front = { instead: (_: Asked): Answer | undefined => undefined, url: '' }
    const server = createServer(async (request, response) => {
      const body = await text(request)
      const instead = front.instead({ method: request.method, url: request.url, headers: request.headers, body })
      if (instead !== undefined) {
        response.writeHead(instead.status, { 'content-type': instead.type }).end(instead.body)
        return
      }
      const { authorization = '', depth = '0', 'content-type': type = 'text/xml' } = request.headers
      const answer = await fetch(`${radicale.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { authorization, depth: String(depth), 'content-type': type },
        redirect: 'manual',
        ...(body !== '' && { body }),
      })
      const answered = await answer.text()
      response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => isKept(name))))
      response.end(withTokens ? answered : answered.replaceAll(/<report><sync-collection ?\/><\/report>/g, ''))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
    const environment = syncEnvironment({ ledger: service.store.ledger(randomUUID()), memory })
    const config = caldav.manifest.config.parse(caldavSettings({ ...radicale, url: front.url }))
    const signal = new AbortController().signal
    const run = () => syncConnection({ connector: caldav, config }, environment, { signal, settle: false })
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
    onTestFinished(async () => {
      await radicale.deleteCalendar('work')
      await radicale.deleteCalendar('club')
      front.instead = () => undefined
      await run()
    })
    expect(await run()).toMatchObject({ outcome: 'ok', memorized: 3 })
    return { front, run, held }
  }

  describe.each(UNEXPECTED)('%s', (_, answer) => {
    test.each([
      ['the list of calendars', isHome, true],
      ['what changed since a token', isSync, true],
      ['the ETags of a calendar', isListing, false],
      ['the texts of events', isReading, true],
    ] as const)('for %s deletes nothing, and the next run goes on from before', async (_asked, isAsked, withTokens) => {
      const { front, run, held } = await synced({ withTokens })
      await radicale.put('work', 'a.ics', eventText({ uid: 'a', title: 'Budget decision' }))
      await radicale.remove('work', 'b.ics')
      let asked = 0
      front.instead = (request) => {
        if (!isAsked(request)) return undefined
        asked++
        return answer
      }
      const failed = await run()
      expect(asked).toBeGreaterThan(0)
      expect(failed).toMatchObject({ removed: 0 })
      expect(failed.outcome).not.toBe('ok')
      expect(await held()).toEqual(['Budget review', 'Dentist', 'Regatta'])
      front.instead = () => undefined
      expect(await run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
      expect(await held()).toEqual(['Budget decision', 'Regatta'])
    })
  })

  test('an event that the server refuses or leaves out stays, and one that it says is deleted goes', async () => {
    const { front, run, held } = await synced()
    await radicale.put('work', 'a.ics', eventText({ uid: 'a', title: 'Budget decision' }))
    await radicale.put('work', 'b.ics', eventText({ uid: 'b', title: 'Dentist at noon' }))
    await radicale.put('club', 'c.ics', eventText({ uid: 'c', title: 'Regatta in May' }))
    const refused = `<d:response><d:href>/ada/work/a.ics</d:href><d:status>HTTP/1.1 403 Forbidden</d:status></d:response>`
    const gone = `<d:response><d:href>/ada/club/c.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>`
    front.instead = (request) =>
      isReading(request)
        ? {
            status: 207,
            type: 'application/xml',
            body: `${MULTISTATUS}${request.url === '/ada/club/' ? gone : refused}</d:multistatus>`,
          }
        : undefined
    expect(await run()).toMatchObject({ removed: 1, failed: 2 })
    expect(await held()).toEqual(['Budget review', 'Dentist'])
  })

  test('an account whose last calendar was deleted has none', async () => {
    const { run, held } = await synced()
    await radicale.deleteCalendar('work')
    await radicale.deleteCalendar('club')
    expect(await run()).toMatchObject({ outcome: 'ok', removed: 3 })
    expect(await held()).toEqual([])
    await radicale.createCalendar('work', 'Work')
    await radicale.createCalendar('club', 'Rowing club')
  })
})

/** Headers of a body that is decoded and may be longer. */
function isKept(name: string): boolean {
  return !['content-length', 'content-encoding', 'transfer-encoding', 'connection'].includes(name)
}
