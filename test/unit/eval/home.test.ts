import { describe, expect, test } from 'vitest'
import { homeUploads } from '../../eval/home/home-uploads.ts'
import { holds, plain } from '../../eval/home/mark-answer.ts'
import { homeQuestions } from '../../eval/home/questions.ts'

const items = new Map(homeUploads().map(({ itemId, body }) => [itemId!, new TextDecoder().decode(body)]))
const [dev, final] = [homeQuestions('dev'), homeQuestions('final-2')] as const
const questions = [...dev, ...final]

describe('the made-up home', () => {
  test('has items with an id of their own', () => {
    expect(items.size).toBe(homeUploads().length)
    expect(items.size).toBeGreaterThan(150)
  })

  test('is asked questions of its own each, a third of them without an answer', () => {
    expect(new Set(questions.map(({ text }) => text)).size).toBe(210)
    expect(dev.filter(({ answer }) => answer === undefined)).toHaveLength(50)
    expect(final.filter(({ answer }) => answer === undefined)).toHaveLength(20)
  })

  test('is held back questions for yes or no and for lists', () => {
    expect(final.filter(({ kind }) => kind === 'yes-no')).toHaveLength(11)
    expect(final.filter(({ kind }) => kind === 'list')).toHaveLength(10)
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
