import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { answerKind, holdsKind } from '../../../src/retrieval/question/answer-kind.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const NOTES = [
  [
    '2026-10-05T18:00Z',
    'Ingmar is off with his knee, so Sanna opens the shop. The new kiln arrived, but its cable is too short. Walked to the pier with the dog. Grandma rang. She sold the caravan to neighbours for 3,200, more than she had hoped.',
  ],
  [
    '2026-10-12T18:00Z',
    'Orchestra: we play Nielsen after all instead of Grieg. The solo goes to Britta. I am a little relieved. The performance stays on 5 December in the town hall.',
  ],
  [
    '2026-10-13T09:00Z',
    'Parking permits are extended for at most nine months; after that the car has to be inspected.',
  ],
  [
    '2026-10-15T09:00Z',
    'Moved the server upgrade from Thursday to next Tuesday because Hedda is on leave. Signe fixed the flaky test. Hired Runar as a tester, he starts on 2 November.',
  ],
  ['2026-10-16T09:00Z', 'Finished "Salt Paths". Best novel this year.'],
  ['2026-10-17T09:00Z', 'Got a used moped from a man in Lidingö for 900 euros. The wheels of the moped need air.'],
  ['2026-10-18T09:00Z', 'Wheels of the moped replaced at Bergmans, 80 euros.'],
  ['2026-10-19T09:00Z', 'The canoe course of classes 4a and 4b begins on 7 June.'],
] as const
const CHAT = `---
title: "#cousins on 2026-10-14"
---
Freja Lind [2026-10-14 18:00]: They offered me the post in Visby

Tove Lind [2026-10-14 18:01]: The one at the library?

Freja Lind [2026-10-14 18:02]: Yes, head of the reading room. Start 1 March

Freja Lind [2026-10-14 18:05]: I take the ferry on Monday. Is it fast?

Tove Lind [2026-10-14 18:06]: Three hours
`

describe('a value is about what is asked', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      NOTES.map(([at, text]) => ({ form: 'note', at, text })),
      [{ itemId: 'cousins', text: CHAT, fileName: 'c.md', contentType: 'text/markdown', sourceType: 'slack' }],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tove Lind')

  test.each([
    ['the date of the same note, not only its first line', 'When is the orchestra performance?', '5 December'],
    ['a span in words', 'How long is a parking permit extended for?', 'at most nine months'],
    ['the sentence that is closer in every way', 'Where did I have the wheels of the moped replaced?', 'Bergmans'],
    ['a fragment with the sentence before it', 'Which novel was the best this year?', 'Salt Paths'],
    ['both days of a move', 'When is the server upgrade?', '15 October 2026 to 20 October 2026'],
    ['the date of somebody who spoke of the place before', 'When does Freja start in Visby?', 'Start 1 March'],
  ])('%s', async (_, question, words) => {
    const { response, abstained } = await ask(question)
    expect(abstained).toBe(false)
    expect(response.split('\n')[0]).toContain(words)
  })

  test.each([
    ['an amount of something else in the same note', 'How much did the new kiln cost?'],
    ['the reason of somebody else', 'Why did Signe leave?'],
    ['another class', 'When does the canoe course of class 5a begin?'],
  ])('%s is no answer', async (_, question) => {
    expect((await ask(question)).abstained).toBe(true)
  })

  test('a day of another sentence is not explained', async () => {
    expect((await ask('When does Runar start?')).response).not.toContain('Thursday to next Tuesday” is')
  })

  test('a statement is not quoted with the reply to a question that follows it', async () => {
    const [first] = (await ask('When does Freja take the ferry?')).response.split('\n')
    expect(first).toContain('on Monday')
    expect(first).not.toContain('Three hours')
  })
})

test('a decision is about what the question names, not about whatever somebody chose', async () => {
  const meeting = readFileSync(packagePath('samples/google_meets/checkout-weekly-3-march.md'), 'utf8')
  const guide = readFileSync(packagePath('docs/mcp/README.md'), 'utf8')
  const told = await openToldMemory(
    [],
    [
      { itemId: 'weekly', text: meeting, fileName: 'w.md', contentType: 'text/markdown', sourceType: 'google_meets' },
      { itemId: 'guide', text: guide, fileName: 'g.md', contentType: 'text/markdown', sourceType: 'technical_docs' },
    ],
  )
  const { response } = await told.ask('Which database did we choose and why?', 'Mara Lindqvist')
  await told.close()
  expect(response.split('\n')[0]).toContain('PostgreSQL')
})

describe('what else the words of a question can mean', () => {
  test.each([
    ['Ines moved to Leipzig last spring.', 'Where does Ines live?', 'Leipzig'],
    ['Lena teaches at the Waldorf school in Kiel.', 'Where is Lena employed?', 'Kiel'],
    ['The bridge is closed for six weeks.', 'How long is the bridge closed?', 'six weeks'],
    ['The table is reserved for two hours.', 'How long is the table reserved?', 'two hours'],
    [
      'Dentist today. Root canal, upper left. I was nervous. The music helped. It went well. Bill: 380 euros.',
      'How much was the dentist?',
      '380',
    ],
    ['Google Photos stopped because the storage on the Samsung was full.', 'Why did Google Photos stop?', 'storage'],
  ])('%s answers: %s', async (text, question, words) => {
    const told = await openToldMemory([{ form: 'note', at: '2026-10-05T18:00Z', text }], [])
    const { response, abstained } = await told.ask(question, 'Tove Lind')
    await told.close()
    expect(abstained).toBe(false)
    expect(response).toContain(words)
  })

  test.each([
    ['Yoga is 18 until 20 on Mondays.', 'How much is the yoga course?'],
    ['The bus is 45 from the station, so walk.', 'How much is the bus?'],
  ])('%s does not answer: %s', async (text, question) => {
    const told = await openToldMemory([{ form: 'note', at: '2026-10-05T18:00Z', text }], [])
    const { abstained } = await told.ask(question, 'Tove Lind')
    await told.close()
    expect(abstained).toBe(true)
  })
})

test.each([
  ['How long is a permit extended for?', 'duration'],
  ['How long was the contract signed for?', 'duration'],
  ['How long is the range of the battery?', 'measure'],
  ['How long is the garden fence?', 'measure'],
  ['How long is the course?', 'extent'],
])('%s asks for %s', (question, kind) => expect(answerKind(question)).toBe(kind))

test.each([
  ['extent', 'The course takes six months.', true],
  ['extent', 'Your bike is two months old.', false],
  ['money', 'The small plan is 49 until 31 December and 59 from 1 January.', true],
] as const)('as %s: “%s” %s', (kind, text, holds) => expect(holdsKind(kind, text, 0)).toBe(holds))
