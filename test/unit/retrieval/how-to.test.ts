import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const NOTES = {
  'Bleeding the radiators': `Do this every October, before the heating goes on.

1. Switch the pump off and wait until the water is cold.
2. Start with the radiator next to the boiler.
3. Open the valve until water comes out.
`,
  'Sourdough bread': `Feed the starter the evening before. Mix 500 g of flour with 350 g of water, and fold it four times.

## Baking

Forty minutes at 230 degrees, with a bowl of water below.
`,
  'Tidepool handbook': `Tidepool keeps the calendar of the harbour.

## Moving to another server

Stop it first.

\`\`\`sh
tidepool export harbour.tar   # everything but the log
tidepool server start
\`\`\`
`,
  'Descaling the kettle': 'Last done in May, by Piet. The kettle stood outside overnight.',
  Kitchen: 'Q: How do I descale the kettle?\nA: Boil half a litre of vinegar in it, and rinse it twice.',
  'Home and car': `The insurance is renewed in March.

## Pumpkin soup

Roast the pumpkin for 40 minutes, then blend it with coconut milk.
`,
  Brakes:
    'The brakes of the cargo bike were changed in May. The pump of the bike is in the shed, the valve is a narrow one.',
}

describe('an answer to how something is done', () => {
  let memory: ToldMemory
  const ask = async (text: string) => (await memory.ask(text, 'Tess Moreau')).response

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      Object.entries(NOTES).map(([title, body], i) => ({
        itemId: `note-${i}`,
        text: `# ${title}\n\n${body}`,
        fileName: `${title}.md`,
        contentType: 'text/markdown',
        sourceType: 'technical_docs' as const,
      })),
    )
  })
  afterAll(() => memory.close())

  test('is the numbered steps of the note with that title, and no other note', async () => {
    const response = await ask('How do I bleed the radiators?')
    expect(response).toMatch(/^In “Bleeding the radiators”: “Switch the pump off .* Open the valve until water comes/)
    expect(response).not.toContain('cargo bike')
  })

  test('is how a note without steps begins', async () => {
    expect(await ask('How do you make sourdough bread?')).toMatch(
      /^In “Sourdough bread”: “Feed the starter the evening before\./,
    )
  })

  test('is the command of the section with that heading', async () => {
    expect(await ask('How do I move Tidepool to another server?')).toMatch(/^In “Tidepool handbook”: “tidepool export/)
  })

  test('is what somebody answered to the same question before', async () => {
    const response = await ask('How do I descale the kettle?')
    expect(response).toContain('Boil half a litre of vinegar')
    expect(response).not.toMatch(/^In “/)
  })

  test('is a section of a note about other things, whose title is only cited', async () => {
    expect(await ask('How do I make pumpkin soup?')).toMatch(/^“Roast the pumpkin for 40 minutes/)
  })

  test('is not made of a note about something else', async () => {
    expect(await ask('How do I bleed the brakes?')).not.toMatch(/^In “/)
  })
})
