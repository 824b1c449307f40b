import { describe, expect, test } from 'vitest'
import { holds, plain } from '../../eval/home/mark-answer.ts'
import type { OwnQuestion } from '../../eval/home/questions.ts'
import { LANGUAGE_LIVES, LIVES, type Life, lifeQuestions, lifeUploads } from '../../eval/lives/lives.ts'

function lifeItems(life: Life): Map<string, string> {
  return new Map(lifeUploads(life).map(({ itemId, body }) => [itemId!, new TextDecoder().decode(body)]))
}

/** The questions of both halves, or all where a life has no halves. */
function allQuestions(life: Life): OwnQuestion[] {
  return [...lifeQuestions(life), ...(life.hasHeldBackHalf ? lifeQuestions(life, 'final-2') : [])]
}

describe.each([...LIVES, ...LANGUAGE_LIVES])('the made-up life of $owner', (life) => {
  const items = lifeItems(life)
  const questions = allQuestions(life)

  test('has items with an id of their own', () => {
    expect(items.size).toBe(lifeUploads(life).length)
  })

  test('is asked questions of its own each', () => {
    expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length)
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
  })

  test('names items as evidence for every answer, and none where there is no answer', () => {
    for (const { id, answer, evidence } of questions) {
      expect([id, evidence.length > 0]).toEqual([id, answer !== undefined])
      expect(evidence.filter((item) => !items.has(item))).toEqual([])
    }
  })

  test('holds every answer in words in its evidence', () => {
    const missing = questions.flatMap(({ id, answer = [], evidence }) => {
      const text = plain(evidence.map((item) => items.get(item)).join('\n'))
      const inWords = answer.filter((group) => !group.includes('@') && !/^(?:yes|no)$/.test(group))
      return inWords.filter((group) => !holds(text, group)).map((group) => `${id}: ${group}`)
    })
    expect(missing).toEqual([])
  })
})

test.each(LIVES)('the life of $owner has twenty questions without an answer', (life) => {
  const asked = lifeQuestions(life).filter(({ kind }) => kind !== 'undecided')
  expect(asked.filter(({ answer }) => answer === undefined)).toHaveLength(20)
})

test.each(LANGUAGE_LIVES)('a third of each half of the questions to $owner has no answer', (life) => {
  for (const half of ['dev', 'final-2'] as const) {
    const questions = lifeQuestions(life, half)
    expect(questions.filter(({ answer }) => answer === undefined)).toHaveLength(questions.length / 3)
  }
  expect(lifeQuestions(life)).toHaveLength(lifeQuestions(life, 'final-2').length)
})
