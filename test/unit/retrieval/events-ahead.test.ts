import { expect, onTestFinished, test } from 'vitest'
import { eventCalendar } from '../../../src/connector/event-calendar.ts'
import { openToldMemory } from '../../lib/told-memory.ts'

/** The answer to a question of 24 November about one event. */
async function answer(day: string, question: string) {
  const at = new Date(`${day}T14:30:00Z`)
  const body = eventCalendar({ uid: 'roof', summary: 'Roof inspection', description: 'With Omar Said', start: { at } })
  const text = new TextDecoder().decode(body)
  const item = {
    itemId: 'roof',
    fileName: 'roof.ics',
    contentType: 'text/calendar',
    sourceType: 'calendar',
    text,
  } as const
  const memory = await openToldMemory([], [item])
  try {
    return await memory.ask(question, 'Edda Holm')
  } finally {
    await memory.close()
  }
}

test('an event that is still ahead answers no question about how it was', async () => {
  const { abstained, response } = await answer('2026-12-03', 'How did the roof inspection go?')
  expect(abstained).toBe(true)
  expect(response).toContain('3 December 2026')
})

test('an event that is ahead answers when it is', async () => {
  expect((await answer('2026-12-03', 'When is the roof inspection?')).response).toContain('3 December 2026')
})

test('an event that is over is what is known of it', async () => {
  expect((await answer('2026-11-03', 'How did the roof inspection go?')).abstained).toBe(false)
})

test('an event that is ahead answers what is known before it', async () => {
  expect((await answer('2026-12-03', 'Who was coming to the roof inspection?')).response).toContain('Omar Said')
})

/** The text of a calendar with whole days, by their titles. */
function calendarOf(events: Readonly<Record<string, string>>): string {
  const lines = Object.entries(events).flatMap(([summary, day]) => [
    ...['BEGIN:VEVENT', `UID:${day}`, `SUMMARY:${summary}`, `DTSTART;VALUE=DATE:${day}`, 'END:VEVENT'],
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

const CALENDAR = {
  itemId: 'all',
  fileName: 'all.ics',
  contentType: 'text/calendar',
  sourceType: 'calendar',
} as const

test('the events beside one that is found in a file are not found with it', async () => {
  const text = calendarOf({ 'School board': '20261201', 'Haul out Second Wind': '20261207', Outpatients: '20261209' })
  const yard = 'The yard asks 1,392 dollars for the haul out with two coats.'
  const memory = await openToldMemory(
    [],
    [
      { ...CALENDAR, text },
      { itemId: 'yard', fileName: 'yard.txt', text: yard },
    ],
  )
  onTestFinished(() => memory.close())
  const { response } = await memory.ask('What is known about the haul out?')
  expect(response).toContain('Haul out Second Wind')
  expect(response).not.toMatch(/School board|Outpatients/)
})

test("somebody else's birthday answers no question about one", async () => {
  const memory = await openToldMemory([], [{ ...CALENDAR, text: calendarOf({ "Mama's birthday": '20261130' }) }])
  onTestFinished(() => memory.close())
  expect((await memory.ask("When is Papa's birthday?")).abstained).toBe(true)
  expect((await memory.ask("When is Mama's birthday?")).response).toContain('30 November 2026')
})

test('the parts of one event are found together', async () => {
  const walk = 'We meet at the station and walk. Bring warm clothes and good shoes for the hill. '.repeat(12)
  const text = calendarOf({ 'Team offsite': '20261201', Dentist: '20261209' }).replace(
    'SUMMARY:Team offsite',
    `SUMMARY:Team offsite\r\nDESCRIPTION:${walk}The wifi password is otter77. ${'Lunch is at noon by the lake. '.repeat(20)}`,
  )
  const home = { itemId: 'home', fileName: 'home.txt', text: 'The wifi password at home is heron11.' }
  const memory = await openToldMemory([], [{ ...CALENDAR, text }, home])
  onTestFinished(() => memory.close())
  expect((await memory.ask('What is the wifi password at the team offsite?')).response).toContain('otter77')
})
