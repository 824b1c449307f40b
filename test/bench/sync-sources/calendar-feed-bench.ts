import { request } from 'undici'
import { caldavSettings, eventText } from '../../connectors/feeds/calendar-events.ts'
import { feedServer } from '../../fakes/feed-server.ts'
import { type CalendarServer, startRadicale } from '../../fakes/radicale.ts'
import { createCorpus } from '../corpus.ts'
import type { BareSource } from './bare-source.ts'

/** Node's own `fetch` ends the process when Radicale closes the connection while a long answer is read. */
type Asked = Parameters<typeof request>[1]

const EVENTS = 1_000
const DAY_MS = 86_400_000

/** A calendar of Radicale; every tenth event is a weekly series. */
export async function caldavBench(share: number): Promise<BareSource> {
  const texts = events(Math.round(EVENTS * share))
  const server = await startRadicale()
  await server.createCalendar('work', 'Work')
  for (const [number, text] of texts.entries()) await server.put('work', `${number}.ics`, text)
  return {
    connector: 'caldav',
    config: { ...caldavSettings(server), name: 'bench' },
    noun: 'events',
    count: texts.length,
    against: 'one calendar-multiget of all of them',
    bare: () => multiget(server, texts.length),
    close: async () => server[Symbol.asyncDispose](),
  }
}

/** The same events in one file at an address. */
export async function icsBench(share: number): Promise<BareSource> {
  const texts = events(Math.round(EVENTS * share))
  const server = await feedServer()
  const components = texts.flatMap((text) => text.match(/BEGIN:VEVENT[\s\S]*END:VEVENT/) ?? [])
  const body = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//acme//test//EN', ...components, 'END:VCALENDAR', '']
  server.pages.set('/ada.ics', { body: body.join('\n'), headers: { 'content-type': 'text/calendar' } })
  const url = `${server.origin}/ada.ics`
  return {
    connector: 'ics',
    config: { name: 'bench', urls: [url] },
    noun: 'events',
    count: texts.length,
    against: 'one GET of the calendar',
    bare: () => answered(url, {}, /^BEGIN:VEVENT/gm, texts.length),
    close: async () => server[Symbol.asyncDispose](),
  }
}

function events(count: number): string[] {
  const corpus = createCorpus()
  const begin = Date.now() - count * DAY_MS
  return Array.from({ length: count }, (_, number) =>
    eventText({
      uid: String(number),
      title: corpus.text(number, 300).replace(/\s+/g, ' ').trim(),
      day: new Date(begin + number * DAY_MS).toISOString().slice(0, 10).replaceAll('-', ''),
      ...(number % 10 === 0 && { rule: 'FREQ=WEEKLY;COUNT=10' }),
    }),
  )
}

function multiget({ url, user, password }: CalendarServer, count: number): Promise<number> {
  const paths = Array.from({ length: count }, (_, number) => `<d:href>/${user}/work/${number}.ics</d:href>`)
  const body = `<?xml version="1.0"?><c:calendar-multiget xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
<d:prop><d:getetag/><c:calendar-data/></d:prop>${paths.join('')}</c:calendar-multiget>`
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const headers = { authorization, depth: '1', 'content-type': 'application/xml; charset=utf-8' }
  return answered(`${url}/${user}/work/`, { method: 'REPORT', headers, body }, /BEGIN:VEVENT/g, count)
}

/** One request, whose answer holds so many events; the time it took in ms. */
async function answered(url: string, init: Asked, event: RegExp, count: number): Promise<number> {
  const start = performance.now()
  const { body } = await request(url, init)
  const text = await body.text()
  const ms = performance.now() - start
  const found = text.match(event)?.length ?? 0
  if (found !== count) throw new Error(`The answer has ${found} of ${count} events`)
  return ms
}
