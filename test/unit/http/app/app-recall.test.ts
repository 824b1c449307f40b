import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AskAnswer, FoundMemory, Overview, RecallAnswer } from '../../../../src/http/app/schemas/recall.ts'
import { APP_KEY_ID } from '../../../../src/http/app/viewer.ts'
import { type AppVisit, appVisit } from '../../../lib/app-visit.ts'

const NOTES = [
  ['plan', 'The database migration was planned with the whole team for the spring.'],
  ['done', 'We migrated all databases to the new cluster on Sunday night.'],
  ['garden', 'Planted tomatoes behind the house; the soil needs more compost.'],
] as const

/** More remarks about one thing than a first look takes, and one by somebody who says little of it. */
const CHAT = [
  ...Array.from(
    { length: 240 },
    (_, i) => `Tomas Berg: The coffee machine on floor ${i} needs coffee beans, the coffee is out again.`,
  ),
  'Noor Haddad: I brought some coffee from the market for everybody who starts early.',
].map(
  (line, i) =>
    `[2026-03-${String(2 + Math.floor(i / 60)).padStart(2, '0')} ${String(8 + (i % 12)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}] ${line}`,
)

let visit: AppVisit
beforeAll(async () => {
  visit = await appVisit({ settings: { timeZone: 'UTC' } })
  for (const [itemId, text] of NOTES) await visit.running.upload(text, { itemId })
  await visit.running.upload('---\nwhen: 2026-03-02T09:00:00Z\n---\nThe launch of the checkout is on Tuesday.', {
    itemId: 'launch-mail',
    source: 'email',
  })
  await visit.running.upload('---\nwhen: 2025-01-10T09:00:00Z\n---\nThe launch of the old checkout went badly.', {
    itemId: 'old-launch',
    source: 'calendar',
  })
  await visit.running.upload(`${CHAT.join('\n')}\n`, { itemId: 'kitchen', source: 'slack' })
})
afterAll(() => visit[Symbol.asyncDispose]())

const recall = (body: Record<string, unknown>) => visit.send<RecallAnswer>('POST', '/recall', body)
const ids = ({ results }: RecallAnswer) => results.map(({ item_id }) => item_id)
const sum = ({ why }: FoundMemory) => why.parts.reduce((total, { value }) => total + value, 0)
const wordsOf = ({ body, matches }: FoundMemory) => matches.body.map(([start, end]) => body!.slice(start, end))

describe('recall in the app', () => {
  test('says of what was replaced where that stands which holds now, also where two sources use one id', async () => {
    const mail = (when: string, text: string) => `---\nwhen: ${when}\ntitle: Observatory\n---\n${text}`
    const first = mail('2026-03-02T09:00:00Z', 'The observatory visit is on 12 March.')
    const second = mail('2026-03-05T09:00:00Z', 'The observatory visit moved to 19 March.')
    await visit.running.upload(first, { itemId: 'visit', source: 'email' })
    await visit.running.upload(second, { itemId: 'visit', source: 'slack' })
    const { results } = await recall({ text: 'When is the observatory visit?' })
    const old = results.find(({ item_id, source }) => item_id === 'visit' && source === 'email')!
    const now = results.find(({ item_id, source }) => item_id === 'visit' && source === 'slack')!
    expect(old.superseded_by).toMatchObject({ item_id: 'visit', source: 'slack', custom_id: now.custom_id })
    expect(now.supersedes).toMatchObject([{ item_id: 'visit', source: 'email', custom_id: old.custom_id }])
  })

  test('marks the words of the question in any form', async () => {
    const { results } = await recall({ text: 'migrating a database' })
    const done = results.find(({ item_id }) => item_id === 'done')!
    expect(wordsOf(done)).toEqual(['migrated', 'databases'])
  })

  test('says why: the parts of each score add up to it, and the words are those that it holds', async () => {
    const { results, understood } = await recall({ text: 'when was the database migration' })
    expect(results.length).toBeGreaterThan(1)
    for (const result of results) expect(sum(result)).toBeCloseTo(result.score, 5)
    const [best] = results
    expect(best!.why.parts[0]!.kind).toMatch(/^(words|meaning)$/)
    expect(best!.why.words).toMatchObject([
      { word: 'database', where: 'text' },
      { word: 'migration', where: 'text' },
    ])
    expect(understood.words.reduce((total, { weight }) => total + weight, 0)).toBeCloseTo(1, 5)
  })

  test('gives a time that is asked for its part', async () => {
    const { results, understood } = await recall({ text: 'launch of the checkout in March 2026' })
    expect(understood).toMatchObject({ since: '2026-03-01T00:00:00.000Z', until: '2026-04-01T00:00:00.000Z' })
    const partOfTime = (itemId: string) =>
      results.find(({ item_id }) => item_id === itemId)?.why.parts.find(({ kind }) => kind === 'time')?.value ?? 0
    expect(partOfTime('launch-mail')).toBeGreaterThan(0)
    expect(partOfTime('old-launch')).toBe(0)
  })

  test('gives a source that is named its part', async () => {
    const { results, understood } = await recall({ text: 'the launch of the checkout in my email' })
    expect(understood.sources).toEqual(['email', 'ms-outlook'])
    const [best] = results
    expect(best).toMatchObject({ item_id: 'launch-mail' })
    expect(best!.why.parts.find(({ kind }) => kind === 'source')!.value).toBeGreaterThan(0)
  })

  test('tells what it took a misspelt word for', async () => {
    const { understood, results } = await recall({ text: 'tomatos and compst' })
    expect(understood.words.find(({ word }) => word === 'compst')).toMatchObject({ taken_as: ['compost'] })
    expect(wordsOf(results.find(({ item_id }) => item_id === 'garden')!)).toContain('compost')
  })

  test('gives the time of what is told as an instant, and the item where it stands', async () => {
    const { results } = await recall({ text: 'the launch went badly' })
    expect(results[0]).toMatchObject({
      item_id: 'old-launch',
      source: 'calendar',
      at: '2025-01-10T09:00:00.000Z',
      custom_id: expect.stringMatching(/^old-launch_memory_\d+$/),
    })
  })

  test('finds only in the sources that are chosen, and counts where results are from', async () => {
    const all = await recall({ text: 'launch of the checkout' })
    expect(all.sources).toEqual(
      expect.arrayContaining([
        { source: 'email', count: 1 },
        { source: 'calendar', count: 1 },
      ]),
    )
    const some = await recall({ text: 'launch of the checkout', sources: ['email', 'slack'] })
    expect(ids(some)).toContain('launch-mail')
    expect(some.results.every(({ source }) => source === 'email' || source === 'slack')).toBe(true)
  })

  test('finds only what happened in the time that is chosen', async () => {
    const found = await recall({
      text: 'launch of the checkout',
      since: '2026-01-01T00:00:00Z',
      until: '2026-03-03T00:00:00Z',
    })
    expect(ids(found)).toContain('launch-mail')
    expect(ids(found)).not.toContain('old-launch')
  })

  test('finds what one person said behind hundreds of others who said more of it', async () => {
    const noor = await recall({ text: 'coffee machine beans', person: 'noor' })
    expect(noor.results.length).toBeGreaterThan(0)
    expect(noor.results.every(({ participants }) => participants.includes('Noor Haddad'))).toBe(true)
    expect(noor.people[0]).toMatchObject({ name: 'Noor Haddad' })
    for (const result of noor.results) expect(sum(result)).toBeCloseTo(result.score, 5)
    expect((await recall({ text: 'coffee', person: 'Nobody Atall' })).results).toEqual([])
  })

  test('says what is wrong with a question', async () => {
    const asked = async (body: Record<string, unknown>) => {
      const { status, body: answer } = await visit.call('/recall', { method: 'POST', body })
      return { status, detail: String(answer.detail) }
    }
    expect(await asked({})).toMatchObject({ status: 422, detail: expect.stringContaining('text') })
    expect(await asked({ text: '  ' })).toMatchObject({ status: 400, detail: expect.stringContaining('text') })
    expect(await asked({ text: 'x'.repeat(1_001) })).toMatchObject({
      status: 400,
      detail: expect.stringContaining('text'),
    })
    expect(await asked({ text: 'x', sources: ['myspace'] })).toMatchObject({
      status: 400,
      detail: expect.stringContaining('sources'),
    })
    expect(await asked({ text: 'x', limit: 101 })).toMatchObject({
      status: 400,
      detail: expect.stringContaining('limit'),
    })
    expect(await asked({ text: 'x', since: 'soonish' })).toMatchObject({
      status: 400,
      detail: expect.stringContaining('since'),
    })
    expect(await asked({ text: 'x', since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      detail: expect.stringContaining('since'),
    })
  })

  test('answers nobody who is not signed in', async () => {
    const stranger = visit.visitor()
    await stranger.session()
    for (const path of ['/recall', '/ask']) {
      expect((await stranger.call(path, { method: 'POST', body: { text: 'launch' } })).status).toBe(401)
    }
    expect((await stranger.call('/overview')).status).toBe(401)
  })

  test('shows people of another account nothing', async () => {
    const other = await visit.service.accounts.create({ name: 'Other', userName: 'Olga' })
    const olga = await visit.personFor({ role: 'owner', accountId: other.accountId })
    expect(await olga.send<RecallAnswer>('POST', '/recall', { text: 'launch of the checkout' })).toMatchObject({
      results: [],
      sources: [],
      people: [],
    })
    expect(await olga.get<Overview>('/overview')).toEqual({ items: 0, memories: 0, waiting: 0, failed: 0 })
  })

  test('is counted as what people do in the app', async () => {
    const count = async () => {
      const { counts } = await visit.service.usage.byDay({ account: visit.accountId, days: 1 })
      return counts.find(({ keyId, metric }) => keyId === APP_KEY_ID && metric === 'recall')?.count ?? 0
    }
    const before = await count()
    await recall({ text: 'launch' })
    expect(await count()).toBe(before + 1)
  })

  test('stops with 402 while billing is past due', async () => {
    await visit.service.billing.set({ account: visit.accountId, status: 'past_due' })
    try {
      for (const path of ['/recall', '/ask']) {
        const { status, body } = await visit.call(path, { method: 'POST', body: { text: 'launch' } })
        expect({ status, detail: body.detail }).toMatchObject({ status: 402, detail: expect.stringContaining('Usage') })
      }
    } finally {
      await visit.service.billing.set({ account: visit.accountId, status: 'active' })
    }
  })
})

describe('ask in the app', () => {
  test('cites the memory whose passage holds each quote, among the results of the same question', async () => {
    const text = 'What does the soil behind the house need?'
    const answer = await visit.send<AskAnswer>('POST', '/ask', { text })
    expect(answer).toMatchObject({
      abstained: false,
      notice: null,
      citations: [{ n: 1, item_id: 'garden', source: 'text' }],
    })
    expect(answer.response).toContain('[1]')
    expect(answer.response).not.toContain('\n[1] ')
    const { results } = await recall({ text })
    expect(results.map(({ custom_id }) => custom_id)).toContain(answer.citations[0]!.custom_id)
  })

  test('says that it found nothing', async () => {
    const answer = await visit.send<AskAnswer>('POST', '/ask', {
      text: 'Which violin did Bartholomew tune in Zanzibar?',
    })
    expect(answer.abstained).toBe(true)
  })
})

test('the overview counts what is held, what waits and what failed', async () => {
  const before = await visit.get<Overview>('/overview')
  expect(before).toMatchObject({ items: 8, waiting: 0, failed: 0 })
  expect(before.memories).toBeGreaterThanOrEqual(6)
})
