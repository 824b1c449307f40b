import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerSentence, AskedQuestion } from '../../../src/retrieval/answer/sentences/answer-sentence.ts'
import { dutyFirst } from '../../../src/retrieval/answer/sentences/asked-duty.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const NOTES: Readonly<Record<string, string>> = {
  Sunday: 'Walked up to Brennkollen with Jonas and the dog, waffles as always. Jonas has a new flat in Moss.',
  Monday: 'Aunt Solveig came by with her cat Pepper, who slept on the piano. The neighbors sold their boat.',
  Reading: 'I finished "The Causeway" by Brandt and loved every page. My next one is a book about tides.',
  Swimming:
    'The swimming course of Nora is not on 3 May as announced, but on Saturday, 9 May at 10:00 in the pool of Tøyen. Please bring the signed form and a towel to it.',
  Cafe: 'The parrot of Ruth is coco, and he is two years old.',
  Stray: 'The hamster of Ann is really a very old stray, Biscuit.',
  Office: 'The release branch is release/2026-11.',
  Ski: 'My ski instructor during the week in Davos was Beat Frei.',

  Hike: 'The hike starts at nine; signed forms and good shoes are needed for the hike. You should not bring dogs.',
}

describe('an answer from notes', () => {
  let memory: ToldMemory
  const ask = async (text: string) => (await memory.ask(text, 'Mira Holt')).text.split('\n')[0]

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      [
        ...Object.entries(NOTES).map(([title, text], i) => ({
          itemId: `note-${i}`,
          text,
          fileName: `${title}.txt`,
          contentType: 'text/plain',
          sourceType: 'text' as const,
        })),
        {
          itemId: 'manual',
          text: '# Tidepool\n\nThe program reads the table of the harbor now, and paints the map in the colors of the tide.',
          fileName: 'tidepool.md',
          contentType: 'text/markdown',
          sourceType: 'technical_docs' as const,
        },
      ],
    )
  })
  afterAll(() => memory.close())

  test('is none to a name that nobody told', async () => {
    expect(await ask("What is the name of Jonas's dog?")).toMatch(/no clear answer/)
  })

  test('is a name beside what has it', async () => {
    expect(await ask("What is the name of aunt Solveig's cat?")).toContain('her cat Pepper')
  })

  test('is what something that has a name is said to be, however it is written', async () => {
    expect(await ask("What is the name of Ruth's parrot?")).toContain('is coco')
    expect(await ask("What is the name of Ann's hamster?")).toContain('Biscuit')
    expect(await ask('What is the name of the release branch?')).toContain('release/2026-11')
    expect(await ask('What was the name of my ski instructor?')).toContain('Beat Frei')
  })

  test('is none from a manual to what the owner did', async () => {
    expect(await ask('What colors am I painting now?')).toMatch(/no clear answer/)
  })

  test('to what one has to do has its verb', async () => {
    expect(await ask('What do I have to bring to the swimming course?')).toMatch(/Please bring the signed form/)
    expect(await ask('When is the swimming course?')).toMatch(/9 May/)
  })

  test('to what one has to do is not what one must not do', async () => {
    expect(await ask('What do I have to bring to the hike?')).toMatch(/^“The hike starts at nine; signed forms/)
  })
})

const SAID = (text: string, score: number) =>
  ({ text, score, passage: 0, position: 0, features: { isQuestion: 0 } }) as AnswerSentence
const ASKED = (text: string) => ({ kind: 'other', text }) as AskedQuestion

test('only a sentence that is nearly as good, and denies nothing, is put first for its verb', () => {
  const question = ASKED('What do I have to bring to the hike?')
  const first = (text: string, score: number) =>
    dutyFirst([SAID('Good shoes are needed for the hike.', 8), SAID(text, score)], question)[0]?.text
  expect(first('Please bring the form.', 7.5)).toBe('Please bring the form.')
  expect(first('Please bring the form.', -3)).toMatch(/^Good shoes/)
  expect(first('You should not bring dogs.', 7.5)).toMatch(/^Good shoes/)
})

test('what somebody had to say is no duty', () => {
  const sentences = [SAID('The budget is too small.', 8), SAID('As they say, money talks.', 7.5)]
  expect(dutyFirst(sentences, ASKED('What did Ann have to say about the budget?'))).toBe(sentences)
})
