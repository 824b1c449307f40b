import { describe, expect, it } from 'vitest'
import { documentOf, extractFrom, fileOf, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const AT = { start: new Date('2026-11-15T18:00:00Z'), precision: 'minute' } as const
type Said = readonly [string, string]

/** The first memory of a chat or meeting. */
async function told(kind: 'chat' | 'transcript', ...said: readonly Said[]) {
  const { memories } = await extractFrom(documentOf(kind, turns(...said)))
  return { headline: '', narrative: '', ...memories[0]?.content }
}

function mailed(author: string, text: string): Promise<string> {
  const meta = { author, participants: [author, ME], title: 'November', when: AT }
  return narrate(documentOf('email', [[text, { type: 'paragraph' }]], meta), fileOf({ sourceType: 'email' }))
}

describe('a request to one of several people', () => {
  it('is made to whoever takes it on', async () => {
    const { narrative } = await told(
      'transcript',
      ['Gwen Hale', 'Zettle charges 1.7 percent from January'],
      [ME, 'Can you write to them?'],
      ['Gwen Hale', "I'll do it this afternoon"],
      ['Femi Adeyemi', 'We have nine applications for the job'],
    )
    expect(narrative).toContain('I asked Gwen to write to them. Gwen promised to do it this afternoon')
  })

  it.each([
    ['Could you send the invoice to Marks, Zoe?', "I'll be on a plane until Friday."],
    ['Could you send the invoice to Marks?', "I'll be on a plane until Friday."],
    ['Could you send the invoice to Marks?', "I can't, my mail is down"],
    ['Could you send the invoice to Marks?', "So I'll start with the roof"],
  ])('is not made to who speaks next: %s %s', async (request, next) => {
    const { narrative } = await told('transcript', [ME, request], ['Ben', next], ['Zoe', 'The yard is free on 3 May'])
    expect(narrative).not.toContain('asked Ben')
  })

  it('is made to nobody in particular if it stands behind news for all', async () => {
    const { narrative } = await told(
      'transcript',
      [ME, 'The yard is free on eleven Saturdays until April. Can you tell the market?'],
      ['Gwen Hale', "I'll do it this afternoon"],
      ['Femi Adeyemi', 'We have nine applications for the job'],
    )
    expect(narrative).not.toContain('I told Gwen')
  })
})

describe('a promise', () => {
  it.each([
    ['Will watch it over the weekend.', 'Femi promised to watch it over the weekend'],
    ['sure, will do by Wednesday', 'Femi promised to do it by Wednesday'],
    ['Will send the plan to Gwen', 'Femi promised to send the plan to Gwen'],
  ])('needs no "I": %s', async (promise, expected) => {
    const { narrative } = await told(
      'chat',
      ['Femi', 'The booking page shows sold-out slots again'],
      [ME, 'The grant was approved for twelve courses'],
      ['Femi', promise],
    )
    expect(narrative).toContain(expected)
  })

  it.each([
    'Will the plan be ready by Wednesday?',
    'Will be late on Wednesday',
    'The sofa has been shipped. Will arrive on Monday.',
    'The doctor gave me new tablets. Will help with the pain by tomorrow.',
    'The nurse has the results. Will call you tomorrow',
    'Heavy rain today. Will stop by three.',
    'Will read the contract and found two mistakes',
    'Will called the plumber and paid 80 pounds',
    'Will put the shelves up in the hallway yesterday',
    'Will send the invoice and called the bank on Monday',
  ])('is none: %s', async (words) => {
    const said = await told('chat', ['Femi', words], [ME, 'The grant was approved for twelve courses'])
    expect(`${said.headline} ${said.narrative}`).not.toMatch(/promised|would/)
  })
})

describe('what somebody is doing next', () => {
  it.each([
    ["I'm moving to Cardiff in March", 'Dev is moving to Cardiff in March'],
    ["I'm leaving the choir in two weeks", 'Dev is leaving the choir in two weeks'],
  ])('is ahead: %s', async (words, expected) => {
    const { headline, narrative } = await told('chat', ['Dev', words], [ME, 'The grant was approved for June'])
    expect(`${headline} ${narrative}`).not.toContain('was moving')
    expect(`${headline} ${narrative}`).not.toContain('was leaving')
    expect(headline).toContain(expected)
  })
})

describe('small talk of a meeting', () => {
  it('has no yes to whether everybody can hear', async () => {
    const { narrative } = await told(
      'transcript',
      ['Gwen Hale', 'Okay, can everybody hear me? Great.'],
      [ME, 'Yep.'],
      ['Gwen Hale', 'The card terminal costs 1.7 percent from January'],
    )
    expect(narrative).toContain('1.7 percent')
    expect(narrative).not.toContain('said yes')
  })

  it.each(["Um, I have to run, I've got the dentist.", 'I should get going now', "Sorry, I've got to jump off"])(
    'has no leave-taking: %s',
    async (words) => {
      const { narrative } = await told(
        'transcript',
        ['Gwen Hale', words],
        [ME, 'The card terminal costs 1.7 percent from January'],
      )
      expect(narrative).toContain('1.7 percent')
      expect(narrative).not.toMatch(/dentist|going|jump/)
    },
  )

  it.each([
    ['I have to go to Leeds for the audit', 'Leeds'],
    ['I need to go for a biopsy', 'biopsy'],
    ['I have to go for an MRI', 'MRI'],
    ['We should go for the cheaper quote', 'cheaper quote'],
    ['We should go for the train', 'train'],
  ])('leaves where somebody has to go: %s', async (words, expected) => {
    const { narrative } = await told('transcript', ['Gwen Hale', words], [ME, 'The clinic is on the 3rd floor'])
    expect(narrative).toContain(expected)
  })
})

describe('a letter', () => {
  it('tells what it asks besides what it says', async () => {
    const narrative = await mailed(
      'Hodan Warsame',
      'Most of them have never sat on a bike, and five need a female instructor, otherwise their husbands will not agree.\n\nWould Sunday mornings be possible? On Saturdays most have the school run.\n\nWarm regards\nHodan',
    )
    expect(narrative).toContain('Hodan asked me: "Would Sunday mornings be possible?"')
  })

  it('is told to its end', async () => {
    const news = Array.from(
      { length: 7 },
      (_, i) => `They will operate on bed ${i + 2} on ${i + 1} December, and then it is free for ten days.`,
    )
    const narrative = await mailed('Petra Novak', `${news.join(' ')} We need 12 chairs for the wedding on 19 December.`)
    expect(narrative).toContain('12 chairs')
  })

  it('has the day of an appointment that somebody had', async () => {
    const narrative = await mailed('Petra Novak', 'Dad had his appointment at the clinic on Thursday. He walks again.')
    expect(narrative).toContain('on Thursday (12 November 2026)')
  })
})

describe('a request within a message', () => {
  it('is made to whom it names, apart from the promise behind it', async () => {
    const { narrative } = await told(
      'chat',
      [ME, 'We need a press release about the greenway'],
      ['Ade', "Happy to. Rhian can you draft something by Friday and I'll get the others to look at it on Monday"],
      ['Rhian', 'The bridge is a separate bid'],
    )
    expect(narrative).toContain('Ade asked Rhian to draft something by Friday (6 March 2026).')
    expect(narrative).toContain('Ade promised to get the others to look at it on Monday')
  })

  it.each([
    'Mara can you ask if Tom and I can stay with you on Friday?',
    "Mara can you tell Ben that the van is full and I'll walk on Friday?",
  ])('stays whole where the rest belongs to it: %s', async (words) => {
    const { narrative } = await told('chat', ['Femi', words], [ME, 'The bridge is a separate bid'])
    expect(narrative).not.toMatch(/if Tom\.|is full\.|could stay|promised/)
    expect(narrative).toContain('on Friday')
  })

  it('is told apart from the promise behind it at the start of a message too', async () => {
    const { narrative } = await told(
      'chat',
      ['Femi', "Can you draft the letter by Friday and I'll show it to the board on Monday"],
      [ME, 'The bridge is a separate bid'],
    )
    expect(narrative).toContain('Femi asked me to draft the letter by Friday (6 March 2026).')
    expect(narrative).toContain('Femi promised to show it to the board on Monday')
  })

  it('may be about what I did', async () => {
    const { narrative } = await told(
      'transcript',
      ['Ade', 'I raised it with highways. Mara, could you send me the count you did in October?'],
      [ME, 'It was 412 bikes on one morning'],
      ['Rhian', 'The bridge is a separate bid'],
    )
    expect(narrative).toContain('Ade asked me to send them the count I did in October')
  })
})

describe('an answer in another message', () => {
  it('is none if the first one already was', async () => {
    const { narrative } = await told(
      'chat',
      ['Lucie', 'Basile a de la fièvre, je ne peux pas venir à la réunion de 10h'],
      [ME, 'On reporte à jeudi 14h ?'],
      ['Lucie', 'Parfait merci'],
      ['Lucie', "J'ai signé pour le local rue de Strasbourg !"],
    )
    expect(narrative).toContain("J'ai signé pour le local")
    expect(narrative).not.toContain('answered')
  })
})

describe('a Japanese letter', () => {
  it('does not tell who wrote it twice', async () => {
    const narrative = await mailed(
      '田中 美咲',
      '京都フレームの田中です。\n\nご注文のフレーム2本は12月10日に発送いたします。担当は12月15日に伺う吉村です。',
    )
    expect(narrative).not.toContain('田中です')
    expect(narrative).toContain('担当は12月15日に伺う吉村です')
  })
})
