import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExploreQuery } from '../../../src/service/explore.ts'
import type { Principal } from '../../../src/service/principal.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'
import { until } from '../../lib/until.ts'

const MAIL = `From: Priya Raman <priya@shop.test>
To: Mara <mara@shop.test>
Subject: Delivery
Date: Tue, 10 Mar 2026 09:00:00 +0000
Message-ID: <delivery@shop.test>

The lamps are delivered on Friday.
`
const LONG = `${'Nothing of interest stands in this part of the report. '.repeat(12)}The turbine was repaired in Bergen by two engineers. ${'Further remarks follow, and they are of no interest either. '.repeat(12)}`

let running: RunningService
let principal: Principal
const recall = (query: ExploreQuery) => running.service.explore.recall(principal, query)

beforeAll(async () => {
  running = await startService()
  principal = await running.service.authenticate(running.key)
  await running.upload(MAIL, { source: 'email', itemId: 'mail' })
  await running.upload(LONG, { itemId: 'report' })
  await running.upload('Delivery of the lamps takes a week, says the runbook.', { itemId: 'runbook' })
})
afterAll(() => running.stop())

describe('a result for the page', () => {
  test('holds the words of its best passage, by whom they are, and where they stand in the item', async () => {
    const { results, understood } = await recall({ text: 'when are the lamps delivered' })
    const mail = results.find(({ item_id }) => item_id === 'mail')
    expect(mail?.hit).toMatchObject({ text: 'The lamps are delivered on Friday.', speaker: 'Priya Raman' })
    const { ordinal = -1, matches = [] } = mail?.hit ?? {}
    expect(matches.map(([from, to]) => mail?.hit?.text.slice(from, to))).toEqual(['lamps', 'delivered'])
    expect([mail?.first_chunk, mail?.last_chunk]).toEqual([ordinal, ordinal])
    expect(understood.terms).toContain('lamp')
  })

  test('holds of a long passage the part with the words of the question', async () => {
    const { results } = await recall({ text: 'who repaired the turbine in Bergen' })
    const hit = results.find(({ item_id }) => item_id === 'report')?.hit
    expect(hit?.text).toMatch(/^…\S.* The turbine was repaired in Bergen by two engineers/)
    expect(hit?.text.length).toBeLessThan(320)
    expect(hit?.matches.map(([from, to]) => hit.text.slice(from, to))).toEqual(['turbine', 'repaired', 'Bergen'])
  })

  test('of a question that is only a time has the first passage of what is dated then', async () => {
    const { results, understood } = await recall({ text: 'What happened on 10 March 2026?' })
    expect(results.map(({ item_id, title, hit }) => [item_id, title, hit?.text])).toEqual([
      ['mail', 'Delivery', 'The lamps are delivered on Friday.'],
    ])
    expect(understood.since).toBe('2026-03-10T00:00:00.000Z')
  })

  test.each([
    ['What did I do last Tuesday?', true],
    ['yesterday', true],
    ['last month', true],
    ['What did Priya and I talk about yesterday?', false],
    ['emails from yesterday', false],
    ['lamps delivered yesterday', false],
    ['What did I do?', false],
  ])('“%s” asks for all of a time: %s', async (text, isOnlyTime) => {
    expect((await recall({ text })).understood.only_time).toBe(isOnlyTime)
  })
})

test('results have the tags of their items, and are limited to one', async () => {
  const item = { itemId: 'runbook', sourceType: 'text' } as const
  await running.service.tags.change(principal, { ...item, add: ['Shop'] })
  const { results, item_tags } = await recall({ text: 'delivery of the lamps' })
  expect(results.find(({ item_id }) => item_id === 'runbook')?.item_tags).toEqual(['Shop'])
  expect(item_tags.map(({ tag }) => tag)).toEqual(['Shop'])
  const tagged = await recall({ text: 'delivery of the lamps', tag: 'shop' })
  expect([...new Set(tagged.results.map(({ item_id }) => item_id))]).toEqual(['runbook'])
  await running.service.tags.change(principal, { ...item, remove: ['Shop'] })
})

describe('what a question itself names', () => {
  const text = 'emails from Priya about the lamps'

  test('restricts its results, and is stated', async () => {
    const { results, understood } = await recall({ text })
    expect(results.map(({ item_id }) => item_id)).toEqual(['mail'])
    expect(understood).toMatchObject({ person: 'Priya', only_sources: true, sources: ['email', 'ms-outlook'] })
  })

  test('is searched for as words when it is ignored', async () => {
    const { results, understood } = await recall({ text, ignored: ['person', 'sources'] })
    expect(results.map(({ item_id }) => item_id).toSorted()).toEqual(['mail', 'runbook'])
    expect(understood).toMatchObject({ person: null, only_sources: false, sources: [] })
    const timed = await recall({ text: 'lamps in April 2025', ignored: ['time'] })
    expect(timed.understood).toMatchObject({ since: null, until: null })
  })
})

test('a search while somebody types is neither counted nor in the activity', async () => {
  await using running = await startService()
  const { service, accountId } = running
  const principal = await service.authenticate(running.key)
  await running.upload('The lamps are delivered on Friday.')
  const { results } = await service.explore.recall(principal, { text: 'lamps while typing', isPreview: true })
  expect(results).toHaveLength(1)
  await service.explore.recall(principal, { text: 'lamps at last' })
  const asked = async () => {
    const rows = await service.activity.page({ accountId, personId: 'person_1', role: 'owner' }, { limit: 100 })
    return rows.flatMap(({ entry }) => (entry.kind === 'recall' ? [entry.text] : []))
  }
  await until(async () => (await asked()).length > 0)
  expect(await asked()).toEqual(['lamps at last'])
  expect((await service.billing.show(accountId)).usage.recalls_per_month?.used).toBe(1)
})

test('an answer to what was just searched for is counted, but no second entry of the activity', async () => {
  await using running = await startService()
  const { service, accountId } = running
  const principal = { ...(await service.authenticate(running.key)), person: { id: 'person_1', name: 'Ada' } }
  await running.upload('The lamps are delivered on Friday.')
  await service.explore.recall(principal, { text: 'lamps on Friday' })
  await service.explore.ask(principal, { text: 'lamps on Friday' })
  await service.explore.ask(principal, { text: 'When are the lamps delivered?' })
  const entries = async () => {
    const rows = await service.activity.page({ accountId, personId: 'person_1', role: 'owner' }, { limit: 100 })
    return rows.flatMap(({ entry }) => ('text' in entry ? [`${entry.kind}: ${entry.text}`] : []))
  }
  await until(async () => (await entries()).length > 1)
  expect(await entries()).toEqual(['ask: When are the lamps delivered?', 'recall: lamps on Friday'])
  expect((await service.billing.show(accountId)).usage.asks_per_month?.used).toBe(2)
})

describe('a connector that shares its source type with others', () => {
  const text = 'What is the gazebo budget?'
  beforeAll(async () => {
    const page = async (itemId: string, connector: string) => {
      const body = new TextEncoder().encode(`The gazebo budget of ${itemId} is nine hundred euros.`)
      const upload = {
        body,
        fileName: 'page.md',
        userName: 'Ada',
        itemId,
        sourceType: 'technical_docs',
        connector,
      } as const
      await running.service.memorize(principal, upload)
    }
    await page('notes', 'notion')
    await page('wiki', 'confluence')
    await until(async () => (await recall({ text })).results.length === 2)
  })

  test('is named by its results, and can be chosen', async () => {
    const { results, connectors } = await recall({ text })
    expect(results.map(({ connector }) => connector?.title).sort()).toEqual(['Confluence', 'Notion'])
    expect(connectors.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: 'confluence', title: 'Confluence', count: 1 },
      { id: 'notion', title: 'Notion', count: 1 },
    ])
    const chosen = await recall({ text, connector: 'notion' })
    expect(chosen.results.map(({ item_id }) => item_id)).toEqual(['notes'])
  })

  test('is named by the library, unless the source type says it', async () => {
    const sources = ['technical_docs', 'slack'] as const
    const { items } = await running.service.library.list(principal, { sources, sort: 'oldest', offset: 0, limit: 100 })
    const named = items.filter(({ connector }) => connector !== null)
    expect(named.map(({ item_id, connector }) => [item_id, connector])).toEqual([
      ['notes', 'Notion'],
      ['wiki', 'Confluence'],
    ])
    const wiki = await running.service.library.read(principal, { sourceType: 'technical_docs', itemId: 'wiki' })
    expect(wiki.connector).toBe('Confluence')
  })

  test('is understood in a question, unless it is to be a word like others', async () => {
    const asked = 'What is the gazebo budget in Notion?'
    const { results, understood } = await recall({ text: asked })
    expect(results.map(({ item_id }) => item_id)).toEqual(['notes'])
    expect(understood.connector).toEqual({ id: 'notion', title: 'Notion' })
    const ignoring = await recall({ text: asked, ignored: ['sources'] })
    expect(ignoring.understood.connector).toBeNull()
    expect(ignoring.results).toHaveLength(2)
  })
})
