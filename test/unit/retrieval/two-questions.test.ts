import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joinAnswers } from '../../../src/retrieval/answer/two-answers.ts'
import { twoQuestions } from '../../../src/retrieval/question/two-questions.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

test.each([
  [
    "When was Camille's wedding and why was it moved?",
    "When was Camille's wedding?",
    "why was Camille's wedding moved?",
  ],
  ['when does Carla come and for how long', 'when does Carla come?', 'for how long does Carla come?'],
  [
    'Where does Craig work now and where did he work before?',
    'Where does Craig work now?',
    'where did Craig work before?',
  ],
  ['Which choir do I sing in and when does it rehearse?', 'Which choir do I sing in?', 'when does the choir rehearse?'],
])('%s are two questions', (text, first, second) => expect(twoQuestions(text)).toEqual([first, second]))

test.each([
  'What did Ann say about when to come and what to bring?',
  'What did Tom and Ann buy?',
  'Where and what does Kevin study?',
])('%s is one question', (text) => expect(twoQuestions(text)).toBeUndefined())

test('numbers that are quoted stay as they were written', () => {
  const answer = (line: string, quote: string) => ({
    response: `${line}\n\n[1] a note`,
    text: line,
    abstained: false,
    citations: [{ itemId: 'note', sourceType: 'text' as const, quote }],
  })
  const first = answer('“The rule [1] holds.” [1]', 'The rule [1] holds.')
  const second = answer('“See [1] and [2].” [1]', 'See [1] and [2].')
  expect(joinAnswers([first, second], ['Which rule holds?', 'What should I see?'])?.response).toBe(
    '“The rule [1] holds.” [1]\n“See [1] and [2].” [2]\n\n[1] a note\n[2] a note',
  )
})

describe('an answer to two questions', () => {
  let memory: ToldMemory
  beforeAll(async () => {
    memory = await openToldMemory(
      [
        {
          form: 'mail',
          at: '2026-05-02T09:00Z',
          title: 'Wedding',
          speaker: 'Camille',
          text: 'The wedding is on 26 September at three.',
        },
        { form: 'note', at: '2026-05-03T09:00Z', text: 'Rehearsals of the choir are on Tuesdays at half past seven.' },
        { form: 'note', at: '2026-05-04T09:00Z', text: 'I sing in the Harbour Choir since May.' },
      ],
      [],
    )
  })
  afterAll(() => memory.close())

  test('has a line and its source for each', async () => {
    const { text, response, citations } = await memory.ask(
      'Which choir do I sing in and when is the wedding?',
      'Marit Sand',
    )
    expect(text.split('\n')).toHaveLength(2)
    expect(text).toMatch(/^“I sing in the Harbour Choir.*\[1\].*\n.*Camille.*26 September.*\[2\]/)
    expect(response).toMatch(/\n\[1\] .*\n\[2\] .*“Wedding”/)
    expect(citations.map(({ quote }) => quote)).toEqual([
      expect.stringContaining('Harbour'),
      expect.stringContaining('26 September'),
    ])
  })

  test('says which of them has none', async () => {
    const { text, abstained } = await memory.ask(
      'When is the wedding and who bakes the cake for the wedding?',
      'Marit Sand',
    )
    expect(abstained).toBe(false)
    expect(text).toMatch(/26 September/)
  })
})
