import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { msCalendar } from '../../../connectors/microsoft/ms-calendar.ts'
import { calendarAnswer, eventAnswer } from '../../../connectors/microsoft/ms-calendar-answers.ts'
import { msOutlook } from '../../../connectors/microsoft/ms-outlook.ts'
import { messageAnswer, messageHead } from '../../../connectors/microsoft/outlook-message.ts'
import type { Connector, SourceItem } from '../../../src/connector/connector.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import { DeltaLog, type GraphEntity } from '../../fakes/microsoft/graph-delta.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'

const FIXTURES = join(import.meta.dirname, '../../../../shared/fixtures')
const RECORDINGS = join(FIXTURES, 'recordings/outlook')
const EXAMPLES = join(FIXTURES, 'graph/graph-v1_0-mocks.json')
const isAbsent = !existsSync(RECORDINGS) || !existsSync(EXAMPLES)
if (isAbsent) console.warn('The recordings of Outlook and the examples of Graph are not here: their tests are skipped.')

const answer = z.looseObject({ response: z.unknown() })
const recording = z.looseObject({
  api: z.record(z.string(), z.record(z.string(), z.union([z.array(answer), answer]))),
})
const page = z.looseObject({ value: z.array(z.looseObject({ id: z.string() })) })
const examples = z.looseObject({
  mocks: z.array(
    z.looseObject({
      request: z.looseObject({ url: z.string(), method: z.string().optional() }),
      response: z.looseObject({ body: z.unknown().optional() }),
    }),
  ),
})

/** Entities of all pages recorded for paths that fit, once each. */
function recorded(path: RegExp): GraphEntity[] {
  const found = new Map<string, GraphEntity>()
  for (const name of readdirSync(RECORDINGS)) {
    const { api } = recording.parse(JSON.parse(readFileSync(join(RECORDINGS, name), 'utf8')))
    for (const [at, answers] of Object.entries(api.get ?? {}).filter(([at]) => path.test(at))) {
      expect(at).toMatch(/^\/v1\.0\//)
      for (const { response } of [answers].flat()) {
        for (const entity of page.safeParse(response).data?.value ?? []) found.set(entity.id, entity)
      }
    }
  }
  return [...found.values()]
}

/** Bodies of the documentation's examples. */
function exampleBodies(url: RegExp): unknown[] {
  const { mocks } = examples.parse(JSON.parse(readFileSync(EXAMPLES, 'utf8')))
  return mocks
    .filter(({ request }) => request.method === 'GET' && url.test(request.url))
    .flatMap(({ response: { body } }) => page.safeParse(body).data?.value ?? (body === undefined ? [] : [body]))
}

function deltaOf(entities: readonly GraphEntity[]): DeltaLog {
  const log = new DeltaLog({ pageSize: 3 })
  for (const entity of entities) log.write(entity)
  return log
}

async function itemsOf(connector: Connector, server: GraphServer): Promise<SourceItem[]> {
  const context = await connectorContext(connector, server.settings)
  const items: SourceItem[] = []
  for await (const partition of connector.partitions(context)) {
    for await (const change of connector.changes(partition, undefined, context)) {
      if (change.type === 'item') items.push(change.item)
    }
  }
  return items
}

async function textOf(item: SourceItem): Promise<string> {
  const body = typeof item.body === 'function' ? await item.body() : item.body
  return body === undefined ? '' : Buffer.from(renderDocument(item, body).bytes).toString()
}

describe.skipIf(isAbsent)('recorded answers of Outlook', () => {
  test('become conversations of the folders that they were in', async () => {
    await using server = await GraphServer.start()
    const folders = recorded(/\/mailFolders(\/delta)?$/)
    const messages = recorded(/messages\/delta$/)
    expect([folders.length > 10, messages.length > 0]).toEqual([true, true])
    const all = deltaOf(folders)
    const byFolder = new Map(
      folders.map(({ id }) => [id, deltaOf(messages.filter((one) => one.parentFolderId === id))]),
    )
    server.on('/me/mailFolders/{id}', () => graphError(404, 'ErrorInvalidIdMalformed'))
    server.on('/me/mailFolders/delta', (call) => all.answer(call))
    server.on(
      '/me/mailFolders/{id}/messages/delta',
      (call) => byFolder.get(call.parts.id ?? '')?.answer(call) ?? graphError(404, 'x'),
    )
    server.on('/me/messages', ({ query }) => ({
      body: { value: messages.filter(({ conversationId }) => query.get('$filter')?.includes(String(conversationId))) },
    }))
    const items = await itemsOf(msOutlook, server)
    const sent = messages.filter(({ isDraft }) => isDraft !== true)
    expect(items.length).toBe(new Set(sent.map(({ conversationId }) => conversationId)).size)
    for (const item of items) {
      const text = await textOf(item)
      expect(text).toMatch(/^## Message by \S/m)
      expect(text).not.toMatch(/undefined|\[object|NaN|<html|<div/)
      expect(item.title).not.toMatch(/^RE:/i)
    }
  })

  test('become events of the calendars that they were in', async () => {
    await using server = await GraphServer.start()
    const [calendars, events] = [recorded(/\/calendars$/), recorded(/\/events$/)]
    const view = deltaOf(events)
    server.on('/me/calendars', () => ({ body: { value: calendars } }))
    server.on('/me/events', ({ query }) => ({ body: { value: query.has('$filter') ? [] : events } }))
    server.on('/me/calendarView/delta', (call) => view.answer(call))
    server.on('/me/calendars/{id}/events', () => ({ body: { value: [] } }))
    server.on('/me/calendars/{id}/calendarView/delta', (call) => deltaOf([]).answer(call))
    const items = await itemsOf(msCalendar, server)
    expect(items.map(({ title }) => title).sort()).toEqual(events.map(({ subject }) => subject).sort())
    for (const item of items) expect(await textOf(item)).toMatch(/^BEGIN:VCALENDAR.*DTSTART.*END:VCALENDAR\r\n$/s)
  })
})

describe.skipIf(isAbsent)('the examples of the documentation of Graph', () => {
  test('are in the forms that are expected', () => {
    const messages = exampleBodies(/\/v1\.0\/me\/(mailFolders\/\*\/)?messages(\/delta|\/\*)?(\?.*)?$/)
    const withId = messages.filter((message) => z.looseObject({ id: z.string() }).safeParse(message).success)
    expect(withId.length).toBeGreaterThan(5)
    for (const message of withId) expect(messageHead(messageAnswer.parse(message)).key).toHaveLength(16)
    const events = exampleBodies(/\/v1\.0\/me\/(calendar\/)?events(\/\*)?(\/instances)?(\?.*)?$/)
    expect(events.filter((event) => eventAnswer.safeParse(event).success).length).toBeGreaterThan(5)
    for (const calendar of exampleBodies(/\/v1\.0\/me\/calendars$/)) calendarAnswer.parse(calendar)
  })
})
