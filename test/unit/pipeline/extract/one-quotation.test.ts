import { describe, expect, it } from 'vitest'
import { withoutFillers } from '../../../../src/pipeline/extract/speech/spoken-fillers.ts'
import { documentOf, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const told = (...said: (readonly [string, string])[]) => narrate(documentOf('chat', turns(...said)))

describe('one quotation in a memory', () => {
  it('is the one with days, amounts and decisions', async () => {
    const narrative = await told(
      ['Nina', 'Whatever about the heating then?'],
      ['Tom', 'Ordered, 4,200 euros, comes on 12 October.'],
      [ME, 'Nice, a warm winter for the cats.'],
    )
    expect(narrative).toContain('"Ordered, 4,200 euros, comes on 12 October."')
    expect(narrative.match(/: "/g)).toHaveLength(1)
  })

  it('has the question that it answers in front of it', async () => {
    expect(await told(['Nina', 'Wann kommt die neue Heizung?'], ['Tom', 'Am 12. Oktober, sagt Herr Wulff.'])).toContain(
      'Tom answered Nina\'s question "Wann kommt die neue Heizung?": "Am 12. Oktober, sagt Herr Wulff."',
    )
  })

  it('was told to us where none of my own words are left', async () => {
    expect(
      await told(['Nina', 'Der Zug fährt am 3. Mai um 9:15 Uhr ab Gleis 4.'], ['Tom', 'Gut.'], [ME, 'ok']),
    ).toContain('Nina told us: "Der Zug fährt am 3. Mai um 9:15 Uhr ab Gleis 4."')
  })

  it('keeps the sentence that says whom it speaks of', async () => {
    const narrative = await told(
      ['Nina', 'Habe den Vermieter getroffen. Er will 900 Euro ab 1. Juni. Sonst nichts.'],
      [ME, 'Aha.'],
    )
    expect(narrative).toContain('"Habe den Vermieter getroffen. Er will 900 Euro ab 1. Juni.')
  })

  it('is not needed where all can be said in other words', async () => {
    expect(
      await told(
        ['Nina', 'Are you at home tonight?'],
        [ME, 'Yes, but the bell is broken.'],
        ['Nina', 'I will wait outside.'],
      ),
    ).toBe(
      'On 4 March 2026, Nina asked me whether I am at home tonight. I said yes, but that the bell is broken. Nina said they would wait outside.',
    )
  })
})

describe('spoken fillers', () => {
  it.each([
    ['It drops by, like, 25 millimetres.', 'It drops by 25 millimetres.'],
    ["They'll, um, they'll come on Friday.", "They'll come on Friday."],
    ['So um the gate is open.', 'So the gate is open.'],
    ['Er kommt um neun.', 'Er kommt um neun.', false],
    ['Und, ähm, das Tor ist offen.', 'Und das Tor ist offen.'],
    ['えっと、門は開いています。', '門は開いています。'],
    ['I like the umbrella.', 'I like the umbrella.'],
  ])('%s', (spoken, fluent, isEnglish = true) => {
    expect(withoutFillers(spoken, isEnglish)).toBe(fluent)
  })
})
