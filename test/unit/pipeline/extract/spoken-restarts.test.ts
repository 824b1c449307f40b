import { describe, expect, it } from 'vitest'
import { spokenSentences } from '../../../../src/pipeline/extract/speech/spoken-sentences.ts'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

describe('speech without false starts', () => {
  it.each([
    ['I think we just, we just take it.', 'I think we just take it.'],
    ['And we made, what, like two grand on the bar.', 'And we made about two grand on the bar.'],
    [
      'They want twelve hundred, which is, I mean, it is up from nine fifty.',
      'They want twelve hundred, it is up from nine fifty.',
    ],
    ["The date is, just so we're all on the same page, the date is November 14th.", 'The date is November 14th.'],
    ["I gotta file it by, what's that, the fifteenth.", 'I gotta file it by the fifteenth.'],
    ["We don't even have a Mac in the team, so.", "We don't even have a Mac in the team."],
  ])('%s', (spoken, fluent) => {
    expect(spokenSentences(spoken, true, true)).toEqual([fluent])
  })

  it.each(['I like two of them.', 'It looks like a hundred people came.', 'It was very, very good of Ann, and of Bo.'])(
    'keeps what is no false start when typed: %s',
    (typed) => {
      expect(spokenSentences(typed, true)).toEqual([typed])
    },
  )

  it('keeps a verb before a number when spoken', () => {
    expect(spokenSentences('I like two hundred of them.', true, true)).toEqual(['I like two hundred of them.'])
  })

  it('leaves fillers out of a dictated note', async () => {
    const note = 'Okay so, um, just got off the phone with Mum. She is, she is selling the house in Hove.'
    expect(await narrate(documentOf('note', [[note, { type: 'paragraph' }]]))).toContain(
      'Just got off the phone with Mum. She is selling the house in Hove.',
    )
  })
})

describe('who one sentence of a message addresses', () => {
  it('is who was asked', async () => {
    const told = await narrate(
      documentOf(
        'chat',
        turns(
          ['Mara Lindqvist', 'We ship version B on Monday. @Sofie can you talk to Jonas before that?'],
          ['Sofie Lund', 'I told him already'],
          ['Ben Haas', 'Then the banner can go on 12 March.'],
        ),
      ),
    )
    expect(told).toContain('I asked Sofie Lund to talk to Jonas before that.')
  })

  it('is me where it has my name', async () => {
    const told = await narrate(
      documentOf(
        'chat',
        turns(
          ['Ben Haas', 'The banner is ready for 12 March. @Mara please check the wording.'],
          ['Sofie Lund', 'The colours are those of 2025'],
        ),
        { participants: ['Ben Haas', 'Sofie Lund', 'Mara Lindqvist'] },
      ),
    )
    expect(told).toContain('Ben asked me to check the wording.')
  })
})

describe('a notification of a message', () => {
  it('is told as that of its sender', async () => {
    const { memories } = await extractFrom(
      documentOf(
        'chat',
        turns(
          ['Amazon', 'Delivered: your package with a kettle'],
          ['Slack', 'Bridget Nolan: can you look at the deck before 3?'],
          ['Delta', 'DL 418 to Atlanta now departs at 5:50 PM'],
        ),
        { title: 'Notifications, 4 March 2026' },
      ),
    )
    expect(memories.map(({ content }) => content.narrative)).toContain(
      'On 4 March 2026 on Slack, Bridget Nolan asked me to look at the deck before 3.',
    )
  })
})
