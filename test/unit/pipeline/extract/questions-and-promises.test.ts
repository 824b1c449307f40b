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

  it.each(['Will the plan be ready by Wednesday?', 'Will be late on Wednesday'])('is none: %s', async (words) => {
    const { narrative } = await told('chat', ['Femi', words], [ME, 'The grant was approved for twelve courses'])
    expect(narrative).not.toContain('promised')
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

  it('tells where somebody has to go', async () => {
    const { narrative } = await told(
      'transcript',
      ['Gwen Hale', 'I have to go to Leeds for the audit'],
      [ME, 'In March?'],
    )
    expect(narrative).toContain('Leeds')
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
