import { expect, test } from 'vitest'
import { topicInPlace } from '../../../src/retrieval/question/topic-first.ts'
import { openToldMemory } from '../../lib/told-memory.ts'

test.each([
  ['Xmas do - what date is it now?', 'what date is Xmas do now?'],
  ['the boat: when does it go back in', 'when does the boat go back in?'],
  ["Study session at Anita's – which day did we settle on?", "which day did we settle on, study session at Anita's?"],
])('a topic before its question stands in its place: %s', (question, read) => {
  expect(topicInPlace(question)).toBe(read)
})

test.each([
  'What did Ann say: is it on?',
  'When is the semi-final?',
  'Claude, what is new?',
  'How do I run npm test -- --watch?',
  'Tell me - when is it due?',
  'Is it the 10:30 or the 11:30?',
])('any other question stays as it is: %s', (question) => {
  expect(topicInPlace(question)).toBe(question)
})

test('what holds since a day may have been said before it', async () => {
  const text = '# Pills of Mum\n\nDonepezil: 5 mg until 15 November, 10 mg from 16 November.\n'
  const item = { itemId: 'p', fileName: 'p.md', contentType: 'text/markdown', sourceType: 'text', text } as const
  const memory = await openToldMemory([], [item])
  try {
    const { response } = await memory.ask("What's Mum's donepezil dose since 16 November 2026?", 'Edda Holm')
    expect(response).toContain('10 mg')
  } finally {
    await memory.close()
  }
})

test.each([
  ['Which airline is Heather flying with?', "I'm flying up on 4 December", 'Booked with Air Chatham, up on 4 December'],
])('a flight names no airline: %s', async (question, without, named) => {
  const ask = async (words: string) => {
    const text = `---\ntitle: "family"\n---\nHeather [2026-11-15 09:00]: ${words}\n`
    const item = { itemId: 'f', fileName: 'f.md', contentType: 'text/markdown', sourceType: 'slack', text } as const
    const memory = await openToldMemory([], [item])
    try {
      return await memory.ask(question, 'Edda Holm')
    } finally {
      await memory.close()
    }
  }
  expect((await ask(without)).abstained).toBe(true)
  expect((await ask(named)).response).toContain('Air Chatham')
})

test('a topic with the signs of a replacement is kept', () => {
  expect(topicInPlace('Micro$$oft deal - when was it signed?')).toBe('when was micro$$oft deal signed?')
})
