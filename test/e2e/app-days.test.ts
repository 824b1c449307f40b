import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anniversaries, DayList } from '../../src/http/app/schemas/days.ts'
import type { ItemFacts } from '../../src/http/app/schemas/library.ts'
import type { Profile, SubjectList, SubjectPage } from '../../src/http/app/schemas/subjects.ts'
import { type AppVisit, appVisit } from '../lib/app-visit.ts'
import { until } from '../lib/until.ts'

const MEETING = `---
title: Harbour weekly
when: 2026-03-04 10:00 to 2026-03-04 10:30
participants: [Ada Stone, Priya Raman]
---

Ada Stone [2026-03-04 10:00]: We decided to move the ferry launch to 24 March.

Priya Raman [2026-03-04 10:02]: I will send the new plan to the harbour office on Friday.
`

let app: AppVisit
beforeAll(async () => {
  app = await appVisit()
  await upload('meeting', MEETING)
  await upload('note', '---\ndate: 2026-03-04\n---\n# Keel\n\nThe keel is painted in blue, and it dries overnight.')
  await upload('night', NIGHT)
  await upload('older', '---\ndate: 2025-03-04\n---\n# Mast\n\nThe mast came by lorry and weighs 900 kg.')
  await upload('later', '---\ndate: 2026-03-09\n---\n# Sail\n\nThe sail was cut from 40 square metres of canvas.')
})
afterAll(() => app[Symbol.asyncDispose]())

async function upload(itemId: string, text: string): Promise<void> {
  await app.running.upload(text, { itemId })
  await until(async () => (await app.get<ItemFacts>(`/library/text/${itemId}`)).status === 'ready')
}
const NIGHT = `---
title: Night watch
when: 2026-04-02 00:00
---

Ada Stone [2026-04-02 00:00]: The harbour light went out and came back by itself.
`

const days = (from: string, to: string) => app.get<DayList>(`/days?from=${from}&to=${to}`)

describe('the days of an account', () => {
  test('list what happened, by item, with the words of the source and the nearest other days', async () => {
    const list = await days('2026-03-04', '2026-03-04')
    expect(list).toMatchObject({ previous: '2025-03-04', next: '2026-03-09', is_complete: true })
    expect(list.days.map(({ day }) => day)).toEqual(['2026-03-04'])
    const entries = new Map(list.days[0]?.entries.map((entry) => [entry.item_id, entry]))
    expect([...entries.keys()].sort()).toEqual(['meeting', 'note'])
    expect(entries.get('meeting')).toMatchObject({
      source: 'text',
      people: expect.arrayContaining(['Ada Stone', 'Priya Raman']),
    })
    expect(entries.get('note')).toMatchObject({ title: 'Keel', words: expect.stringContaining('painted in blue') })
  })

  test('are in order over a longer time, and empty ones are left out', async () => {
    const list = await days('2026-03-01', '2026-03-31')
    expect(list.days.map(({ day }) => day)).toEqual(['2026-03-04', '2026-03-09'])
    expect(await days('2026-03-05', '2026-03-08')).toMatchObject({
      days: [],
      previous: '2026-03-04',
      next: '2026-03-09',
    })
  })

  test('tell whether the time of day is known, also at midnight', async () => {
    const hasTime = async (day: string) =>
      new Map((await days(day, day)).days[0]?.entries.map((entry) => [entry.item_id, entry.has_time]))
    expect(await hasTime('2026-03-04')).toEqual(
      new Map([
        ['meeting', true],
        ['note', false],
      ]),
    )
    expect(await hasTime('2026-04-02')).toEqual(new Map([['night', true]]))
  })

  test('have anniversaries in earlier years', async () => {
    const { days: found } = await app.get<Anniversaries>('/days/anniversaries?day=2026-03-04')
    expect(found).toMatchObject([{ day: '2025-03-04', entries: [{ item_id: 'older', title: 'Mast' }] }])
    expect(await app.get<Anniversaries>('/days/anniversaries?day=2028-02-29')).toEqual({ days: [] })
  })

  test.each([
    ['from=2026-02-30&to=2026-03-04', 'from'],
    ['from=2026-03-04&to=2026-03-03', 'to'],
    ['from=2026-01-01&to=2026-12-31', 'to'],
    ['from=yesterday&to=2026-03-03', 'from'],
  ])('refuse %s, naming the field %s', async (query, field) => {
    const refused = await app.call(`/days?${query}`)
    expect([refused.status, refused.body.errors]).toEqual([400, [expect.objectContaining({ field })]])
  })

  test('show nothing of another account', async () => {
    const { accountId } = await app.service.accounts.create({ name: 'Elsewhere', userName: 'Else' })
    const stranger = await app.personFor({ role: 'owner', accountId })
    expect(await stranger.get('/days?from=2026-03-04&to=2026-03-04')).toMatchObject({
      days: [],
      previous: null,
      next: null,
    })
  })
})

describe('people in the app', () => {
  test('are listed and have a page with cited statements', async () => {
    const { subjects } = await app.get<SubjectList>('/subjects/person')
    expect(subjects.map(({ name }) => name)).toContain('Priya Raman')
    const page = await app.get<SubjectPage>('/subjects/person/Priya%20Raman')
    const statements = [...page.their_promises, ...page.decisions, ...page.facts]
    expect(statements).toContainEqual({
      text: expect.stringContaining('new plan'),
      citations: [expect.objectContaining({ custom_id: 'meeting_memory_0' })],
    })
    const unknown = await app.call('/subjects/person/Nobody')
    expect(unknown.status).toBe(404)
    expect((await app.call('/subjects/animal')).status).toBe(400)
  })

  test('are found by a part of their name', async () => {
    const named = async (name: string) => (await app.get<SubjectList>(`/subjects/person?name=${name}`)).subjects
    expect((await named('RAMA')).map(({ name }) => name)).toEqual(['Priya Raman'])
    expect(await named('nobody')).toEqual([])
  })

  test('of the account are in its profile', async () => {
    const { people } = await app.get<Profile>('/profile')
    expect(people.map(({ name }) => name)).toContain('Priya Raman')
  })
})
