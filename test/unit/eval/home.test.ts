import { describe, expect, test } from 'vitest'
import { homeUploads } from '../../eval/home/home-uploads.ts'
import { holds, plain } from '../../eval/home/mark-answer.ts'
import { homeQuestions } from '../../eval/home/questions.ts'

const items = new Map(homeUploads().map(({ itemId, body }) => [itemId!, new TextDecoder().decode(body)]))
const halves = [homeQuestions('dev'), homeQuestions('final')] as const
const questions = halves.flat()

describe('the made-up home', () => {
  test('has items with an id of their own', () => {
    expect(items.size).toBe(homeUploads().length)
    expect(items.size).toBeGreaterThan(150)
  })

  test('is asked 150 questions, a third of them without an answer', () => {
    expect(new Set(questions.map(({ text }) => text)).size).toBe(150)
    expect(questions.filter(({ answer }) => answer === undefined)).toHaveLength(50)
  })

  test('has as many questions of each kind in both halves', () => {
    const [dev, final] = halves.map((half) => half.map(({ kind }) => kind).sort())
    expect(dev).toEqual(final)
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
      return answer.filter((group) => !group.includes('@') && !holds(text, group)).map((group) => `${id}: ${group}`)
    })
    expect(missing).toEqual([])
  })
})
