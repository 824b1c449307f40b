import { describe, expect, it } from 'vitest'
import { withoutConnective } from '../../../../src/pipeline/extract/headline/headline-words.ts'
import { withinProcessorTime } from '../../../lib/processor-time.ts'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const told = (...said: (readonly [string, string])[]) => narrate(documentOf('chat', turns(...said)))

describe('sentences that belong together', () => {
  it('are quoted together with the one between them, so that “him” follows who it is', async () => {
    expect(
      await told([
        'Ruth',
        'Deposit: 200 by 20 November. Speech by Uncle Bernd: 12 pages. I told him five minutes. From Jonas: 600.',
      ]),
    ).toMatch(/Bernd: 12 pages\. I told him five minutes\. From Jonas: 600\."$/)
  })

  it('a long reply about something else does not answer yes or no', async () => {
    const narrative = await told(
      ['Paola', 'Is the garage big enough for both cars?'],
      [ME, 'Boiler: 1,200 euros plus 300 for the pipes, and the plumber from Kessel GmbH on 4 May at 9:15.'],
    )
    expect(narrative).toBe(
      'On 4 March 2026, I told Paola: "Boiler: 1,200 euros plus 300 for the pipes, and the plumber from Kessel GmbH on 4 May at 9:15."',
    )
  })

  it('a quoted answer begins with its first sentence', async () => {
    const narrative = await told(
      [ME, '¿Es peligroso?'],
      ['Paola', 'Todavía aguanta seis meses, pero yo lo cambiaría. Son $31,000 con los dos cables.'],
    )
    expect(narrative).toContain('"Todavía aguanta seis meses, pero yo lo cambiaría. Son $31,000 con los dos cables."')
  })

  it('a message that repeats its sender is addressed to nobody', async () => {
    const narrative = await told(
      [ME, 'Me: I moved the meeting to 4 May.'],
      ['Lin', 'Lin: The garage is too small for 3 cars.'],
    )
    expect(narrative).not.toMatch(/Me:|told Lin|Lin:/)
  })
})

describe('headlines', () => {
  const headline = async (text: string) => {
    const { memories } = await extractFrom(documentOf('chat', turns(['Nina', text])))
    return memories[0]?.content.headline
  }

  it('are no introductory phrase', async () => {
    expect(
      await headline(
        'Despite the new coverage bar for the import module, every review would be argued about again by the two teams.',
      ),
    ).toMatch(/^Every review would be argued about again/)
  })

  it.each([
    'The landlord will not give back the deposit for the flat in Moss until the keys are returned to the office',
    'We do not deploy the billing service of the northern region on Fridays without two approvals from the team',
    'Without a signed contract for the flat in the old mill, the landlord can keep the whole deposit of both of us',
    'The warranty of the new boiler covers the pump and the pipes in the cellar only if Kessel checks it each year',
  ])('say where they are cut before a condition: %s', async (text) => {
    const written = await headline(text)
    expect(written).toMatch(/…$/)
    expect(text.startsWith(written?.replace(/…$/, '').replace(/^Nina: /, '') ?? '-')).toBe(true)
  })

  it.each([
    [
      'Liebe Eltern, der Laternenumzug findet um 17 Uhr am Spielplatz statt.',
      'Der Laternenumzug findet um 17 Uhr am Spielplatz statt',
    ],
    [
      'Mom, I went to the driving school and paid the fee of 40 euros.',
      'Nina went to the driving school and paid the fee of 40 euros',
    ],
  ])('begin behind the salutation: %s', async (text, expected) => {
    expect(await headline(text)).toBe(expected)
  })

  it.each(['a', 'a ', '你', ' ', ', ', 'a-'])('look for the salutation in linear time: 100 KB of %j', async (unit) => {
    const text = `dear ${unit.repeat(100_000 / unit.length)}`
    await withinProcessorTime(1, () => withoutConnective(text))
  })

  it('tell whom somebody asked', async () => {
    const { memories } = await extractFrom(
      documentOf(
        'chat',
        turns(
          ['Tom', '@Mara Lindqvist can you check the import of the supplier prices at noon?'],
          [ME, 'ok'],
          ['Eva', 'ok'],
        ),
      ),
    )
    expect(memories[0]?.content.headline).toBe('Tom asked me to check the import of the supplier prices at noon')
  })
})

describe('what somebody says to an assistant', () => {
  it('is a plan or an idea, never a promise or an offer', async () => {
    const narrative = await told(
      [ME, 'I will send the offer to the bakery on 4 May. I can bring the samples to the fair too.'],
      ['Assistant', 'The fair opens at 9:00 in hall 4.'],
    )
    expect(narrative).not.toMatch(/promised|offered/)
    expect(narrative).toContain('planned to send the offer')
  })
})
