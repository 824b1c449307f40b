import { describe, expect, it } from 'vitest'
import { findNamedDays } from '../../../../src/pipeline/dates/named-days.ts'
import { parse } from '../../../../src/pipeline/parse/parse.ts'
import { documentOf, extractFrom, fileOf, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const told = (...said: (readonly [string, string])[]) => narrate(documentOf('chat', turns(...said)))

async function headlines(...said: (readonly [string, string])[]): Promise<(string | undefined)[]> {
  const { memories } = await extractFrom(documentOf('chat', turns(...said)))
  return memories.map(({ content }) => content.headline)
}

describe('a short answer in its own words', () => {
  it('is told with the question that was asked in other words', async () => {
    expect(await told([ME, 'How much would it cost?'], ['Bob', 'About thirty pounds each, four of them.'])).toBe(
      'On 4 March 2026, I asked Bob how much it would cost ("About thirty pounds each, four of them").',
    )
  })

  it('leaves room for what else was said', async () => {
    expect(
      await told(
        [ME, 'How much would it cost?'],
        ['Bob', 'About thirty pounds each, four of them.'],
        ['Nina', 'The old one was stolen in May.'],
      ),
    ).toContain('how much it would cost (Bob: "About thirty pounds each, four of them")')
  })

  it('is left out if it answers nothing', async () => {
    expect(await told([ME, 'How much would it cost?'], ['Bob', 'No idea.'])).not.toContain('("No idea")')
  })
})

describe('what somebody will do', () => {
  it('is not told as if it had not happened', async () => {
    const narrative = await told(['Bob', 'I will wait at the old bridge until nine.'])
    expect(narrative).toContain('Bob said they would wait at the old bridge until nine.')
  })

  it('on a day ahead is not told as over', async () => {
    expect(await told(['Bob', "I'm flying home on Friday."])).toContain("Bob said that they're flying home on Friday")
  })
})

describe('a headline', () => {
  it.each([
    ['My brother has a van with a ramp.', "Bob's brother has a van with a ramp"],
    ['I could do Tuesday if somebody takes my Saturday.', 'Bob could do Tuesday if somebody takes their Saturday'],
    ["I'd like to ship the pump before Christmas.", 'Bob would like to ship the pump before Christmas'],
    ['My notice is four weeks, so January would work.', "Bob's notice is four weeks, so January would work"],
    ["You won't believe it, the council finally approved the extension.", 'The council finally approved the extension'],
    ["What's bad is that the refunds doubled in Germany.", 'The refunds doubled in Germany'],
    ['package.json is at 4.7.1 and the changelog is done.', 'package.json is at 4.7.1 and the changelog is done'],
  ])('of "%s" tells the fact of the speaker by name', async (said, headline) => {
    expect(await headlines(['Bob', said])).toEqual([headline])
  })

  it('of a meeting without a subject names the only other person', async () => {
    const event = documentOf('calendar', [['1:1', { type: 'paragraph' }]], {
      title: '1:1',
      when: { start: new Date('2026-03-04T09:00:00Z'), precision: 'minute' },
      participants: [ME, 'Imre Vad'],
    })
    const { memories } = await extractFrom(event)
    expect(memories[0]?.content.headline).toBe('1:1 with Imre Vad')
  })
})

describe('the first line of a note', () => {
  const titleOf = async (text: string) => {
    const file = fileOf({ body: new TextEncoder().encode(text), fileName: 'note.txt', contentType: 'text/plain' })
    return (await parse.run(file)).meta.title
  }

  it.each([
    [
      'Car service 28 Oct\nThe brakes passed. The front pads are at 3 mm and need doing in spring.\n',
      'Car service 28 Oct',
    ],
    ['Elternabend 3b\nKlassenfahrt vom 10. bis 14. Mai nach Rügen. Die Anzahlung ist 50 Euro.\n', 'Elternabend 3b'],
    ['Réunion syndic\nLe ravalement est voté, début en avril. Mme Perrin part.\n', 'Réunion syndic'],
  ])('is its title above sentences: %s', async (text, title) => {
    expect(await titleOf(text)).toBe(title)
  })

  it.each([
    ['Milk\nEggs\nBread\nButter\n'],
    ['The brakes passed and the\nfront pads are at 3 mm.\n'],
    ['We met Ann today at the station and talked about the\nHouse in Kent.\n'],
    ['Piano: Mrs. Abara\nShe wants us to buy book two of the series.\n'],
    ['Called Bob.\nHe comes on Friday with the van and his brother.\n'],
    ['one thing and\nAnother thing that follows is here.\n'],
  ])('is no title if it goes on or is an entry: %s', async (text) => {
    expect(await titleOf(text)).toBeUndefined()
  })
})

describe('the day of a month', () => {
  const daysIn = (text: string) =>
    findNamedDays(text, { at: new Date('2026-11-05T10:00:00Z'), timeZone: 'UTC' }).map(({ start }) =>
      start.toISOString().slice(0, 10),
    )

  it.each([
    ['We can fit it on the 9th or the 10th of December.', ['2026-12-09', '2026-12-10']],
    ['Geht es am 9. oder 10. Dezember?', ['2026-12-09', '2026-12-10']],
    ['We can fit it on the 9th or on Friday.', ['2026-11-09', '2026-11-06']],
  ])('has the month that the next one names: %s', (text, days) => {
    expect(daysIn(text).toSorted()).toEqual([...days].toSorted())
  })

  it('on which somebody was sent to is not in the past', () => {
    expect(daysIn('She sent me for an MRI on the 9th.')).toEqual(['2026-11-09'])
    expect(daysIn('She saw me on the 2nd.')).toEqual(['2026-11-02'])
  })
})

describe('several people in one memory', () => {
  it('are quoted behind their names after the first quotation', async () => {
    const narrative = await told(
      ['Nina', 'Logo in Figma, comments by Thursday please.'],
      ['Bob', 'Looks good, but fails contrast on white (3.1:1), deadline 12 May.'],
    )
    expect(narrative).toMatch(/Nina said: "Logo in Figma[^"]*" Bob: "Looks good, but fails contrast/)
  })

  it('tells what somebody was asked not to do', async () => {
    const narrative = await told(['Bob', 'Please do not eat before the blood test.'], [ME, 'Right, only water for me.'])
    expect(narrative).not.toContain('to do not')
  })
})

describe('what an agent said of itself', () => {
  it('is told of "it"', async () => {
    const session = documentOf('agent', [
      ['The test in src/cart.ts fails at midnight.', { type: 'turn', role: 'user' }],
      ['The coupon expires at midnight. I pass the time as a parameter now.', { type: 'turn', role: 'assistant' }],
    ])
    const narrative = await narrate(session, { sourceType: 'claude_code' })
    expect(narrative).toContain('it passes the time as a parameter now')
    expect(narrative).not.toContain('they')
  })
})
