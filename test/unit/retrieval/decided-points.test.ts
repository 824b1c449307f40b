import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const minutes = (itemId: string, title: string, text: string) => ({
  itemId,
  text: `---\ntitle: ${title}\nwhen: 2026-10-26\n---\n\n${text}`,
  fileName: `${itemId}.md`,
  contentType: 'text/markdown',
  sourceType: 'google_meets' as const,
})

describe('what a meeting decided', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      [
        minutes(
          'kickoff',
          'Kick-off Mill Garden',
          'Ravi Menon: We need the north gate free for the fire brigade.\n\nFemke Bos: Then the pallets go to the east side.\n\nDecisions:\n\n- Drip line instead of sprinklers\n- No pond\n- Working hours 7:30 to 16:00\n\nOpen: who removes the old sandbox?\n',
        ),
        minutes('review', 'Review with the crew', 'Ravi Menon: The crane was late again.\n\nFemke Bos: I call them.\n'),
      ],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tess Moreau')
  const FOUND_ALL =
    /^Found 3 in “Kick-off Mill Garden”: “Drip line instead of sprinklers; No pond; Working hours 7:30 to 16:00” \[1\]\n/

  test.each([
    'What did we decide at the Mill Garden kick-off?',
    'Which decisions were made at the Mill Garden kick-off?',
  ])('is the list in its minutes: %s', async (question) => {
    const { response, abstained } = await ask(question)
    expect(response).toMatch(FOUND_ALL)
    expect(abstained).toBe(false)
  })

  test('is only the point about what is asked for', async () => {
    expect((await ask('What did we decide about sprinklers at the Mill Garden kick-off?')).response).not.toMatch(
      /No pond/,
    )
  })

  test.each([
    'What did we decide at the review with the crew?',
    'What did we decide about the fountain at the kick-off?',
  ])('is no list where the minutes have none, or say nothing of it: %s', async (question) =>
    expect((await ask(question)).response).not.toMatch(/^Found 3/),
  )
})
