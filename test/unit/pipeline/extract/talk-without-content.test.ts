import { describe, expect, it } from 'vitest'
import { isChatter } from '../../../../src/pipeline/extract/salience.ts'
import { isAssistantRemark } from '../../../../src/pipeline/extract/small-talk/assistant-remarks.ts'
import { isCourtesy } from '../../../../src/pipeline/extract/small-talk/courtesies.ts'
import { isPromotion } from '../../../../src/pipeline/extract/small-talk/promotions.ts'
import { documentOf, extractFrom, turns } from './extract-document-builder.ts'

describe('praise by an assistant', () => {
  it.each([
    "You're very welcome, Mr. Lei",
    "It sounds like you've made a great start",
    'You want to compare two cars, is that correct?',
    "That's a great question!",
    'This is crucial.',
  ])('is no fact: %s', (sentence) => {
    expect(isAssistantRemark(sentence)).toBe(true)
  })

  it.each([
    'Based on your request, I booked the 9:15 train to Bern.',
    'Based on your description, the rash is most likely shingles.',
    'Your blood test shows low iron.',
    'Your log shows a memory leak in the parser.',
    "I'm sorry, the shop is closed on Mondays.",
    'Congratulations, your visa was approved.',
    'It looks like you are running Node 18, which is too old.',
    'You want to run npm ci before the build.',
    'It appears that you paid invoice 4471 twice.',
    'Remember that you have a dentist appointment on Tuesday.',
    'Looking forward to your visit at the clinic on Friday.',
    'Your flight leaves at 9:15',
    'It is crucial to keep the wound dry.',
    'This is normal for 3 days',
  ])('is not what it states: %s', (sentence) => {
    expect(isAssistantRemark(sentence)).toBe(false)
  })
})

describe('a courtesy', () => {
  it.each([
    "I'll reach out if I need anything.",
    'What about you, Kevin?',
    "I'd like to thank the member for his question.",
    'That means so much to me!',
    'Enjoy the rest of your day!',
  ])('is no fact: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(true)
  })

  it.each([
    'This means everything must be out of the flat by Friday',
    'That means so much of the budget is gone',
    "I'd like to thank Ben for lending us his car",
    'I appreciate the help of Ben with the roof',
    "I'll keep going and call the bank tomorrow",
    'Enjoy the flat, the key is under the mat',
  ])('is not what begins like one: %s', (sentence) => {
    expect(isChatter(sentence) || isCourtesy(sentence)).toBe(false)
  })
})

describe('advertising', () => {
  it('is recognized, but not about my own order', () => {
    expect(isPromotion("Today's special: tomatoes as low as 1.99. Order now")).toBe(true)
    expect(isPromotion('Your order 4471 of the special offer has shipped')).toBe(false)
  })

  it.each([
    'Gate has been updated to B22',
    'School: pick-up time has been updated to 14:30',
    'Mom is back from the hospital',
    'Power is back in your street',
    'We recommend that you boil tap water until Thursday',
    'we like the second draft, send it to print on Monday',
    "Don't miss the dentist at 9",
    'Temperatures as low as 3 degrees tonight',
  ])('is no notification about something else: %s', (text) => {
    expect(isPromotion(text)).toBe(false)
  })

  it('is nothing that a person writes', async () => {
    const document = documentOf(
      'chat',
      turns(
        ['WhatsApp', 'Bridget Nolan: The ferry is on sale this week, shall I book for 4 May?'],
        ['Corner Shop', 'The kettle is on sale this week until 4 May, for 19.99'],
      ),
      { title: 'Notifications, 4 March 2026' },
    )
    const { memories } = await extractFrom(document)
    const told = memories.map(({ content }) => content.narrative).join(' ')
    expect(told).toContain('ferry')
    expect(told).not.toContain('kettle')
  })
})
