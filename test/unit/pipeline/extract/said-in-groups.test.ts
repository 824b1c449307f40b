import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../../../src/lib/sentences.ts'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const chat = async (...said: (readonly [string, string])[]) => {
  const { memories } = await extractFrom(documentOf('chat', turns(...said)))
  return memories.map(({ content }) => content.narrative).join(' ')
}

describe('a promise in a group', () => {
  it('is made to whom it answers if it is about what is theirs', async () => {
    const narrative = await chat(
      ['Agnes', "I'm still without a clinic on Thursday"],
      [ME, "I'll do your clinic"],
      ['Jess', 'The lift is broken until Monday'],
    )
    expect(narrative).toContain("I promised to do Agnes's clinic")
  })

  it('is made to all of us otherwise', async () => {
    const narrative = await chat(
      ['Agnes', 'The registrar wants the numbers of May'],
      ['Jess', "I'll send you both the numbers on Thursday"],
      [ME, 'The lift is broken until Monday'],
    )
    expect(narrative).toContain('Jess promised to send us both the numbers on Thursday')
  })

  it('is agreed to with more than one word', async () => {
    const narrative = await chat(
      ['Agnes', "I'll do Sunday the 8th if somebody takes my night on the 14th"],
      ['Jess', "Deal! You're a lifesaver"],
      [ME, 'Then the rota of 14 March is complete'],
    )
    expect(narrative).toContain('Jess agreed.')
  })
})

describe('a chat', () => {
  it('tells the condition of a yes', async () => {
    const narrative = await chat(
      ['Jess', 'can Dan stay over on Friday? his parents are away'],
      [ME, 'Only if you both revise'],
    )
    expect(narrative).toContain(
      'I answered Jess\'s question "Can Dan stay over on Friday (6 March 2026)?": "Only if you both',
    )
  })

  it('tells the news behind the name of a parent', async () => {
    const narrative = await chat(
      ['Jess', 'mum i got the job at the surf shop!!'],
      [ME, 'When do you start on the 9th?'],
    )
    expect(narrative).toContain('Jess got the job at the surf shop')
  })

  it('keeps the titles of names', async () => {
    const narrative = await chat(['Jess', 'Mrs Adeyemi is induced on 9 March'], [ME, 'I told Mrs Adeyemi on the 3rd'])
    expect(narrative).toContain('that Mrs Adeyemi is induced')
  })

  it('knows that a Saturday after next is not the next one', async () => {
    const narrative = await chat(['Jess', 'I start at the shop on Saturday after next'], [ME, 'On the 14th then'])
    expect(narrative).toContain('Saturday after next (14 March 2026)')
  })

  it('leaves open whether a day that was offered is over', async () => {
    const narrative = await chat(['Jess', 'Agnes offered Saturday, and the 9th as well'], [ME, 'I take the 9th'])
    expect(narrative).not.toContain('Saturday (')
  })
})

it('a sentence ends behind a verb with an apostrophe', () => {
  expect(sentencesOf("I can't. My phone is too old.")).toEqual(["I can't.", 'My phone is too old.'])
  expect(sentencesOf('He met J. Smith. Then he left.')).toEqual(['He met J. Smith.', 'Then he left.'])
})

it('an issue says in which versions it was fixed', async () => {
  const document = documentOf(
    'issue',
    [
      ['Shifts that end after midnight are missing in the export.', { type: 'turn', speaker: 'lenak' }],
      ['Fixed in #214 and released as 3.2.1 and 3.1.9.', { type: 'turn', speaker: 'tomasz-w' }],
    ],
    { title: 'Export drops night shifts', author: 'lenak' },
  )
  expect(await narrate(document)).toContain('tomasz-w wrote that it was fixed in #214 and released as 3.2.1 and 3.1.9.')
})
