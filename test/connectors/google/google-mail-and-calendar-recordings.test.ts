import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { calendar } from '../../../connectors/google/calendar.ts'
import { email } from '../../../connectors/google/gmail.ts'
import { GoogleServer } from '../../fakes/google/google-server.ts'
import { connectorWalk, textOf } from '../../lib/connector-walk.ts'
import { parsed } from '../../unit/pipeline/parse/parse-source-file.ts'

const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures/recordings')
const isAbsent = !existsSync(FOLDER)
if (isAbsent) console.warn('The recordings of Gmail and Google Calendar are not here: their tests are skipped.')

const answer = z.looseObject({ response: z.unknown() })
const recording = z.looseObject({
  api: z.record(z.string(), z.record(z.string(), z.union([answer, z.array(answer)]))).optional(),
})

/** The recorded answers of each path, of all methods. */
function recorded(source: string): Map<string, unknown[]> {
  const answers = new Map<string, unknown[]>()
  for (const name of readdirSync(join(FOLDER, source)).sort()) {
    const { api = {} } = recording.parse(JSON.parse(readFileSync(join(FOLDER, source, name), 'utf8')))
    for (const [path, found] of Object.values(api).flatMap((paths) => Object.entries(paths))) {
      answers.set(path, [...(answers.get(path) ?? []), ...[found].flat().map(({ response }) => response)])
    }
  }
  return answers
}

const config = (server: GoogleServer) => ({ name: 'recorded', token: server.token, api_url: server.url })

describe.skipIf(isAbsent)('recorded answers of Gmail', () => {
  const ROOT = '/gmail/v1/users/me'
  const record = z.looseObject({})
  const draft = z.looseObject({ message: record })

  /** What was recorded; nobody recorded the profile, a second page, or which messages there are. */
  async function replay(server: GoogleServer): Promise<Map<string, unknown[]>> {
    const answers = recorded('google-mail')
    const [threads] = answers.get(`${ROOT}/threads`) ?? []
    const { nextPageToken: _, ...page } = { nextPageToken: '', ...record.parse(threads) }
    server.route('GET', `${ROOT}/threads`, () => ({ body: page }))
    server.route('GET', `${ROOT}/messages`, () => ({ body: { resultSizeEstimate: 0 } }))
    for (const [path, [body]] of answers) if (!path.includes('attachments')) server.route('GET', path, () => ({ body }))
    server.route('GET', `${ROOT}/profile`, () => ({ body: { emailAddress: 'api@nango.dev', historyId: '86900' } }))
    return answers
  }

  test('list a hundred threads; a draft is not told, nor what cannot be read', async () => {
    await using server = await GoogleServer.start()
    await replay(server)
    const { items, cursors } = await connectorWalk(email, config(server))
    expect([...items.keys()].filter((id) => /^gmail:[0-9a-f]{10}:t:19[0-9a-f]{14}$/.test(id)).length).toBe(items.size)
    expect(items.size).toBe(100)
    expect(cursors.get('mailbox')).toEqual({ historyId: '86900' })
    const of = (threadId: string) => [...items.values()].find(({ itemId }) => itemId.endsWith(`:${threadId}`))
    expect(of('19dda5eba6976e6b')?.revision).toBe('86552')
    expect(await textOf(of('19dda5eba6976e6b'))).toBe('')
    expect(await textOf(of('19dcfc91b2b97828'))).toBe('')
  })

  test('are no complete list when the same page comes again and again', async () => {
    await using server = await GoogleServer.start()
    server.route('GET', `${ROOT}/threads`, () => ({
      body: { threads: [{ id: '19a', historyId: '7' }], nextPageToken: '1' },
    }))
    await replay(server)
    await expect(connectorWalk(email, config(server))).rejects.toMatchObject({ remedy: 'retry' })
    expect(server.log.filter((line) => line.endsWith('/threads'))).toHaveLength(2)
  })

  test('hold messages that can be told, also where they lack their contents', async () => {
    await using server = await GoogleServer.start()
    const answers = recorded('google-mail')
    const [saved] = answers.get(`${ROOT}/drafts/r-6471792939619012916`) ?? []
    const [bare] = answers.get(`${ROOT}/threads/19dda58832469c79/modify`) ?? []
    // As it was sent afterwards.
    const sent = { ...draft.parse(saved).message, labelIds: ['SENT'] }
    server.route('GET', `${ROOT}/threads/{id}`, ({ groups: { id } }) => ({
      body: id === '19dda58832469c79' ? bare : { id, historyId: '86566', messages: [sent] },
    }))
    await replay(server)
    const { items } = await connectorWalk(email, config(server))
    const of = (threadId: string) => [...items.values()].find(({ itemId }) => itemId.endsWith(`:${threadId}`))
    const told = of('19dda5f53af7ee19')
    expect(await textOf(told)).toBe(
      '## Message by api@nango.dev at 2026-04-29T17:52:53.000Z\n\nThis is a test draft for validation.\n',
    )
    expect(told).toMatchObject({ title: 'Test Draft', author: 'api@nango.dev' })
    expect(told?.people).toEqual(['api@nango.dev', 'recipient@example.com'])
    expect(await textOf(of('19dda58832469c79'))).toMatch(
      /^## Message by somebody at 2026-04-29T17:45:27\.000Z\n\n## Message by somebody at 2026-04-29T17:45:28\.000Z\n$/,
    )
  })
})

describe.skipIf(isAbsent)('recorded answers of Google Calendar', () => {
  const EVENTS = '/calendar/v3/calendars/primary/events'
  const events = z.looseObject({
    items: z.array(z.looseObject({ id: z.string() })),
    nextSyncToken: z.string().optional(),
  })

  async function replay(server: GoogleServer, held: unknown): Promise<void> {
    const lists = recorded('google-calendar').get('/calendar/v3/users/me/calendarList') ?? []
    server.route('GET', '/calendar/v3/users/me/calendarList', () => ({ body: lists[0] }))
    server.route('GET', '/calendar/v3/calendars/{id}/events', ({ groups: { id } }) => ({
      body: id === 'api@nango.dev' ? held : { items: [], nextSyncToken: 'none' },
    }))
  }

  test('give two events of one calendar, and no calendar that was deleted', async () => {
    await using server = await GoogleServer.start()
    const held = recorded('google-calendar')
      .get(EVENTS)
      ?.find((body) => events.safeParse(body).data?.nextSyncToken)
    await replay(server, held)
    const { items, failed } = await connectorWalk(calendar, config(server))
    expect(failed).toEqual([])
    expect([...items.values()].map(({ title }) => title)).toEqual(['Test Event 1', 'Test Event 2'])
    const asked = server.log.filter((line) => line.endsWith('/events'))
    expect(asked).toHaveLength(33)
    expect(asked.join()).not.toContain('holiday')
    const [first] = items.values()
    const text = await textOf(first)
    const document = await parsed(text, { sourceType: 'calendar', fileName: 'event.ics', contentType: 'text/calendar' })
    expect(document.text).toMatch(/What: Test Event 1\nWhen: Friday, 13 March 2026, 11:00 to 12:00/)
  })

  test('give occurrences without their series, each of which is readable', async () => {
    await using server = await GoogleServer.start()
    const bodies = (recorded('google-calendar').get(EVENTS) ?? []).flatMap((body) => events.safeParse(body).data ?? [])
    const largest = bodies.toSorted((a, b) => b.items.length - a.items.length)[0]
    await replay(server, { ...largest, nextPageToken: undefined, nextSyncToken: 'end' })
    const { items, failed } = await connectorWalk(calendar, config(server))
    expect(failed).toEqual([])
    expect(items.size).toBe(250)
    const texts = await Promise.all([...items.values()].map((item) => textOf(item)))
    expect(texts.every((text) => /BEGIN:VEVENT\r\n[\s\S]*DTSTART[;:][\s\S]*SUMMARY:/.test(text))).toBe(true)
  })
})
