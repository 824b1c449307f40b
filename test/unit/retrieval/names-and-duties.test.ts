import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const NOTES: Readonly<Record<string, string>> = {
  Sunday: 'Walked up to Brennkollen with Jonas and the dog, waffles as always. Jonas has a new flat in Moss.',
  Monday: 'Aunt Solveig came by with her cat Pepper, who slept on the piano. The neighbors sold their boat.',
  Reading: 'I finished "The Causeway" by Brandt and loved every page. My next one is a book about tides.',
  Swimming:
    'The swimming course of Nora is not on 3 May as announced, but on Saturday, 9 May at 10:00 in the pool of Tøyen. Please bring the signed form and a towel to it.',
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

  test('is none from a manual to what the owner did', async () => {
    expect(await ask('What colors am I painting now?')).toMatch(/no clear answer/)
  })

  test('to what one has to do has its verb', async () => {
    expect(await ask('What do I have to bring to the swimming course?')).toMatch(/Please bring the signed form/)
    expect(await ask('When is the swimming course?')).toMatch(/9 May/)
  })
})
