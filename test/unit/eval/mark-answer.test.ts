import { describe, expect, test } from 'vitest'
import { firstSentence } from '../../eval/answer-text.ts'
import { HOME_OWNER } from '../../eval/home/home-uploads.ts'
import { markOwnAnswer } from '../../eval/home/mark-answer.ts'
import type { OwnQuestion } from '../../eval/home/questions.ts'

const POOL: OwnQuestion = {
  id: 'pool',
  kind: 'current',
  text: 'What is the pool size now?',
  answer: ['45'],
  outdated: ['60'],
  evidence: ['chat'],
}
const DEMO = { ...POOL, kind: 'when', answer: ['@2026-03-10'], date: '2026-03-10', speaker: 'Lars Bakken' }
const marks = (response: string, question: OwnQuestion = POOL) => markOwnAnswer(question, HOME_OWNER, { response })

describe('an answer', () => {
  test('is right when it holds a form of every group as a whole word', () => {
    expect(marks('Lars: “It is 45 now.” [1]')).toMatchObject({ right: true, first: true, current: true })
    expect(marks('Lars: “It is 145, at 10:45, for 0.45.” [1]')).toMatchObject({ right: false })
    const fee = { ...POOL, answer: ['4,780', 'five years|5 years'] }
    expect(marks('You pay 4 780 kr for 5 years.', fee)).toMatchObject({ right: true })
    expect(marks('You pay 4,780 kr.', fee)).toMatchObject({ right: false })
  })

  test('is right in the first line, but not in the first sentence, when the second sentence has the answer', () => {
    expect(marks('Lars: “I looked. It is 45 now.” [1]')).toMatchObject({ first: true, sentence: false, current: true })
  })

  test('is not right in the first line when the answer stands further below', () => {
    expect(marks('Lars: “It was 60.” [1]\nMira: “It is 45 now.” [2]')).toMatchObject({
      right: true,
      first: false,
      current: false,
      outdated: true,
    })
  })

  test('is not right by the list of its sources', () => {
    expect(marks('Lars: “See there.” [1]\n\n[1] “Pool of 45”, slack, 21 April 2026')).toMatchObject({ right: false })
  })

  test('is never right when the service abstains', () => {
    const abstained = markOwnAnswer(POOL, HOME_OWNER, { response: 'The closest is: “45” [1]', abstained: true })
    expect(abstained).toMatchObject({ abstained: true, right: false, first: false })
  })

  test.each(['10 March', 'March 10th', '10 Mar 2026', '2026-03-10', 'Tuesday, 10 March 2026, 13:00'])(
    'has the right date with %s',
    (date) => {
      expect(marks(`Lars Bakken (${date}): “Then.” [1]`, DEMO)).toMatchObject({ date: true, speaker: true })
    },
  )

  test.each([
    '10. März 2026',
    'Di 10.3.2026',
    '10 mars',
    '10 de marzo de 2026',
    '10/03/2026',
    '2026年3月10日',
    '3月10号',
  ])('has the right date in another language with %s', (date) => {
    expect(marks(`Lars Bakken (${date}): “Then.” [1]`, DEMO)).toMatchObject({ date: true })
  })

  test('is right in a language that writes no spaces, but not within a longer number', () => {
    const fee = { ...POOL, answer: ['4,780', '大阪'] }
    expect(marks('料金は4,780円で、大阪に送る。', fee)).toMatchObject({ right: true })
    expect(marks('料金は14,780円で、大阪に送る。', fee)).toMatchObject({ right: false })
  })

  test.each(['10 de marzo de 2025', '2025年3月10日', '3月1日', '10.3.2025', '10 mai'])(
    'has a wrong date in another language with %s',
    (date) => {
      expect(marks(`Lars Bakken (${date}): “Then.” [1]`, DEMO)).toMatchObject({ date: false })
    },
  )

  test.each(['10 March 2025', '1 March', '10 May', 'March 2026', '2026-03-11'])('has a wrong date with %s', (date) => {
    expect(marks(`Lars Halvorsen (${date}): “Then.” [1]`, DEMO)).toMatchObject({ date: false, speaker: false })
  })
})

test.each([
  ['Mira: “One. Two.” [1]', 'Mira: “One.'],
  ['Mira: “Dr. Nygaard has 1.34 kr. Two.” [1]', 'Mira: “Dr. Nygaard has 1.34 kr.'],
  [
    'Mira: “Is it tomorrow?” [1] (“tomorrow” is 14 February 2026)\nEva: “No.” [2]',
    'Mira: “Is it tomorrow?” [1] (“tomorrow” is 14 February 2026)',
  ],
  ['“Only words” [1]\n\n[1] “Title”, text', '“Only words” [1]'],
  ['由美：「部品代込みだった。次は来年。」 [1]', '由美：「部品代込みだった。'],
])('the first sentence of %s', (response, sentence) => {
  expect(firstSentence(response)).toBe(sentence)
})
