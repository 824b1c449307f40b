import { describe, expect, test } from 'vitest'
import { holds, plain } from '../../eval/home/mark-answer.ts'
import { LIVES, lifeQuestions, lifeUploads } from '../../eval/lives/lives.ts'

describe.each(LIVES)('the made-up life of $owner', (life) => {
  const uploads = lifeUploads(life)
  const items = new Map(uploads.map(({ itemId, body }) => [itemId!, new TextDecoder().decode(body)]))
  const questions = lifeQuestions(life.name)

  test('has items with an id of their own', () => {
    expect(items.size).toBe(uploads.length)
  })

  test('is asked questions of its own each, nearly a third of them without an answer', () => {
    expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length)
    const asked = questions.filter(({ kind }) => kind !== 'undecided')
    expect(asked.filter(({ answer }) => answer === undefined)).toHaveLength(20)
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
