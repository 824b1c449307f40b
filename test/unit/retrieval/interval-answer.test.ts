import { describe, expect, it } from 'vitest'
import { askedInterval, intervalText } from '../../../src/retrieval/answer/forms/interval-answer.ts'

describe('a question of the time between two events', () => {
  it.each([
    [
      'How long between the offer and the installation of the pump?',
      'the offer of the pump',
      'the installation of the pump',
    ],
    ['How many weeks passed between Maria adopting Coco and Shadow?', 'Maria adopting Coco', 'Maria adopting Shadow'],
    ['How many days after moving in did we buy the sofa?', 'moving in', 'we buy the sofa'],
    ['How long did it take from the order to the delivery?', 'the order', 'the delivery'],
    ['How long between painting and sanding, and selling the boat?', 'painting and sanding', 'selling the boat'],
  ])('names both: %s', (question, first, second) => {
    expect(askedInterval(question)).toMatchObject({ first, second })
  })

  it.each(['How long was the service down?', 'What is the difference between A and B?', 'When did we move?'])(
    'is none: %s',
    (question) => {
      expect(askedInterval(question)).toBeUndefined()
    },
  )

  it('is told in the unit that is asked for, and in days', () => {
    expect(intervalText(13, 'days')).toBe('13 days')
    expect(intervalText(14, 'weeks')).toBe('2 weeks (14 days)')
    expect(intervalText(11, 'weeks')).toBe('About 2 weeks (11 days)')
    expect(intervalText(121, undefined)).toBe('About 4 months (121 days)')
    expect(intervalText(1, undefined)).toBe('1 day')
    expect(intervalText(0, 'days')).toBe('The same day (0 days)')
  })
})
