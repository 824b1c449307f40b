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

test('the events beside one that is found in a file are not found with it', async () => {
  const event = (uid: string, summary: string, day: string) =>
    ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${summary}`, `DTSTART:${day}T080000Z`, 'END:VEVENT'].join('\r\n')
  const events = [
    event('a', 'School board', '20261201'),
    event('b', 'Haul out Second Wind', '20261207'),
    event('c', 'Outpatients', '20261209'),
  ]
  const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('\r\n')}\r\nEND:VCALENDAR\r\n`
  const item = { fileName: 'all.ics', contentType: 'text/calendar', sourceType: 'calendar' } as const
  const memory = await openToldMemory(
    [],
    [
      { ...item, itemId: 'all', text },
      { itemId: 'yard', fileName: 'yard.txt', text: 'The yard asks 1,392 dollars for the haul out with two coats.' },
    ],
  )
  onTestFinished(() => memory.close())
  const { response } = await memory.ask('What is known about the haul out?')
  expect(response).toContain('Haul out Second Wind')
  expect(response).not.toMatch(/School board|Outpatients/)
})
