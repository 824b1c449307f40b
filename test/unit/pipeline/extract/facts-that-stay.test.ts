import { describe, expect, it } from 'vitest'
import { findNamedDays } from '../../../../src/lib/dates/named-days.ts'
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
    expect(await told([ME, 'How much would it cost?'], ['Bob', 'No idea.'])).toBe(
      'On 4 March 2026, I asked Bob how much it would cost. Bob told me: "No idea."',
    )
  })

  it.each([
    [
      'Who has the keys?',
      'Sorry, that was for Nina.',
      'On 4 March 2026, I asked Bob who has the keys. Bob told me: "Sorry, that was for Nina."',
    ],
    [
      'When does the train leave?',
      'Ann is sick.',
      'On 4 March 2026, I asked Bob when the train leaves. Bob told me that Ann is sick.',
    ],
    [
      'How is your mother?',
      'Different topic: lunch at one in the canteen.',
      'On 4 March 2026, I asked Bob how their mother is. Bob told me: "Different topic: lunch at one in the canteen."',
    ],
    ['Who has the keys?', 'Ann, at the shop.', 'On 4 March 2026, I asked Bob who has the keys ("Ann, at the shop").'],
  ])('is told with "%s" only if it is of the kind that was asked for: %s', async (question, answer, narrative) => {
    expect(await told([ME, question], ['Bob', answer])).toBe(narrative)
  })

  it.each([
    [
      'Red one or blue one?',
      'Love the blue',
      'On 4 March 2026, Bob answered my question "Red one or blue one?": "Love the blue."',
    ],
    [
      'Did you reach the doctor?',
      'Tried again, no answer',
      'On 4 March 2026, I asked Bob whether they reached the doctor ("Tried again, no answer").',
    ],
    [
      'Hast du jemanden erreicht?',
      'Keiner dran',
      'On 4 March 2026, Bob answered my question "Hast du jemanden erreicht?": "Keiner dran."',
    ],
  ])('stays though it is a set phrase: %s %s', async (question, answer, narrative) => {
    expect(await told([ME, question], ['Bob', answer])).toBe(narrative)
  })

  it('that suits either day stays', async () => {
    expect(await told([ME, 'Tuesday or Thursday?'], ['Bob', 'Either works for me'])).toMatch(
      /: "Either works for me\."$/,
    )
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

  it('not is not told as over', async () => {
    expect(await told(['Bob', "I'm not coming."], [ME, 'Oh no'])).toBe(
      "On 4 March 2026, Bob told me that they're not coming.",
    )
  })
})

describe('"we" in a chat of two', () => {
  it.each([
    [
      'How was it?',
      'We should have sold the car in May, but we kept it.',
      'Bob told me that they should have sold the car in May, but they kept it.',
    ],
    ['Our team lost.', 'We moved to Leeds in May.', 'Bob told me that they moved to Leeds in May.'],
  ])('is the other without me after "%s" and in "%s"', async (mine, theirs, narrative) => {
    expect(await told([ME, mine], ['Bob', theirs])).toContain(narrative)
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
    ['I moved to St. Gallen in May with my wife.', 'Bob moved to St. Gallen in May with their wife'],
    ['I met Prof. Klein on Monday and he hired me.', 'Bob met Prof. Klein on Monday and he hired them'],
    ['I saw Dr. Mills. I have a broken rib.', 'Bob saw Dr. Mills'],
    ['My sister and my brother are in Oslo.', 'Bob said that their sister and their brother are in Oslo'],
    ['The best thing is the price, 300 euros.', 'The best thing is the price, 300 euros'],
    ["You won't believe what happened: nothing.", "You won't believe what happened: nothing"],
    ['package.json is at 4.7.1 and the changelog is done.', 'package.json is at 4.7.1 and the changelog is done'],
  ])('of "%s" tells the fact of the speaker by name', async (said, headline) => {
    expect(await headlines(['Bob', said])).toEqual([headline])
  })

  it('is the fact of a mail that goes on with the words of its subject', async () => {
    const said = 'Dear Mara, we are sorry to inform you that your application was rejected.'
    const mail = documentOf('email', [[said, { type: 'paragraph', speaker: 'Acme' }]], { title: 'Your application' })
    const { memories } = await extractFrom(mail)
    expect(memories.map(({ content }) => content.headline)).toEqual(['Your application was rejected'])
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
    ['I quit today\nI told my boss on Monday that I leave in March.\n'],
    ['Ann owes me 40 euros\nShe said that she pays it back next Friday after work.\n'],
    ['Call the dentist on Monday\nThe crown is loose and it hurts at night.\n'],
    ['The boiler broke again\nThe plumber comes on Friday with a new pump.\n'],
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
    ['We meet on the 9th or 10 march past.', ['2026-11-09']],
    ['On the 6th and 7 may follow.', ['2026-11-06']],
    ['We can fit it on the 9th or on Friday.', ['2026-11-09', '2026-11-06']],
  ])('has the month that the next one names: %s', (text, days) => {
    expect(daysIn(text).toSorted()).toEqual([...days].toSorted())
  })

  it('has the month behind "of" in lower case too', () => {
    expect(daysIn('We can fit it on the 9th or the 10th of may.')).toContain('2026-05-09')
  })

  it('on which somebody was sent to is not in the past', () => {
    expect(daysIn('She sent me for an MRI on the 9th.')).toEqual(['2026-11-09'])
    expect(daysIn('I was booked in for a scan on the 9th.')).toEqual(['2026-11-09'])
    expect(daysIn('The scan was rescheduled for the 9th.')).toEqual(['2026-11-09'])
    expect(daysIn('She saw me on the 2nd.')).toEqual(['2026-11-02'])
  })

  it.each([
    ['The couch was moved to the cellar on the 9th.', '2026-10-09'],
    ['The police booked him for speeding on the 9th.', '2026-10-09'],
    ['We signed for the house on the 9th.', '2026-10-09'],
    ['The parcel was sent to Leeds on the 22nd.', '2026-10-22'],
    ['The dentist sent me the bill for the crown on the 22nd.', '2026-10-22'],
    ['The refund was put to my card on the 12th.', '2026-10-12'],
    ['I was signed off for two weeks on the 20th.', '2026-10-20'],
  ])('of what is over is in the past, whatever was sent, moved or booked: %s', (text, day) => {
    expect(daysIn(text)).toEqual([day])
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
    expect(narrative).toBe(
      'On 4 March 2026, Bob asked me not to eat before the blood test. I told Bob: "Only water for me."',
    )
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
  it.each([
    ['I never touch the database in tests.', 'It said that it never touches the database in tests.'],
    ['I first check the cache in src/cart.ts.', 'It said that it first checks the cache in src/cart.ts.'],
    ['I quickly scan the folder for lock files.', 'It said that it quickly scans the folder for lock files.'],
    ['I always retry three times before I give up.', 'It answered: "I always retry three times before I give up."'],
  ])('changes no adverb, and is quoted with an unknown verb: %s', async (answer, narrative) => {
    const session = documentOf('agent', [
      ['The test in src/cart.ts fails at midnight.', { type: 'turn', role: 'user' }],
      [answer, { type: 'turn', role: 'assistant' }],
    ])
    expect(await narrate(session, { sourceType: 'claude_code' })).toContain(narrative)
  })
})
