import { describe, expect, it } from 'vitest'
import { parse } from '../../../../src/pipeline/parse/parse.ts'
import { sourceFile } from '../parse/parse-source-file.ts'
import { extractFrom } from './extract-document-builder.ts'

/** The only memory of a Markdown file. */
async function memoryOf(text: string) {
  const document = await parse.run(sourceFile(text, { fileName: 'file.md', contentType: 'text/markdown' }))
  const { memories } = await extractFrom(document)
  expect(memories).toHaveLength(1)
  return memories[0]!.content
}

const FACTS = 'The insurance costs £900 from 1 January. Gwen orders 40 chairs until 20 November.'

describe('a note under a heading', () => {
  it.each([
    'Call with Mrs Bevan',
    'Gespräch mit Jonas (Messe)',
    'Visite chez Lucie, Nantes',
    'Llamada con Marta',
    'Notes from the meeting with Ann',
    '健二さんとの打ち合わせ',
    'My diary',
    'Call with the bank',
    'Diary, 3 March 2026',
    'Journal - Lisbon',
    'Tagebuch vom 3. März',
  ])('is one that I wrote: %s', async (title) => {
    const { narrative } = await memoryOf(`# ${title}\n\n${FACTS}`)
    expect(narrative).toContain(`I noted in "${title}": "The insurance`)
  })

  it.each([
    'Visit Wales',
    'Call for papers',
    'Call to action',
    'Trip planning guide',
    'Conversation design',
    'Visit to a small planet',
    'Journal of Sleep Research',
    'Diary of a Young Girl',
  ])('is a document if it is not about a talk or days of mine: %s', async (title) => {
    const { narrative } = await memoryOf(`# ${title}\n\n${FACTS}`)
    expect(narrative).toContain(`From my document "${title}"`)
  })

  it.each(['Diary', 'November', 'March 2026'])('has no headline that begins with: %s', async (title) => {
    const { headline } = await memoryOf(`# ${title}\n\n${FACTS}`)
    expect(headline).not.toContain(`${title}:`)
    expect(headline).toMatch(/insurance|chairs/)
  })
})

describe('minutes', () => {
  it.each([
    'Board meeting – 3 November 2026',
    'Protokoll der Sitzung vom 3. November',
    'Minutes of the choir',
    'Sitzungsprotokoll 3. November',
    'Council minutes',
    'Compte rendu du comité',
    '議事録 11月3日',
  ])('are what was said there: %s', async (title) => {
    const { narrative } = await memoryOf(`# ${title}\n\n${FACTS}`)
    expect(narrative).toContain(`From the minutes "${title}": "The insurance`)
  })

  it.each([
    'Board meeting agenda',
    'Cake in 20 minutes',
    'How to run a team meeting',
    'Team meeting rules',
    'Das MQTT-Protokoll',
    'Twenty minutes a day',
  ])('are something else than: %s', async (title) => {
    const { narrative } = await memoryOf(`# ${title}\n\n${FACTS}`)
    expect(narrative).toContain(`From my document "${title}"`)
  })
})
