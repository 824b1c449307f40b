import { describe, expect, test } from 'vitest'
import { chosenRules } from '../../../src/web/pages/sources/chosen-rules.ts'

const CHOICES = ['ada/notes', 'acme/shop', 'acme/docs', 'initech/store'].map((value) => {
  const [group = ''] = value.split('/')
  return { value, group, group_value: `${group}/*` }
})
const ALL = CHOICES.map(({ value }) => value)

const rules = (chosen: readonly string[], before?: unknown) => chosenRules(CHOICES, new Set(chosen), before)

describe('the setting for what a person has chosen', () => {
  test('is the default when everything is chosen', () => {
    expect(rules(ALL)).toBeNull()
    expect(rules(ALL, ['acme/*'])).toBeNull()
  })

  test('names a whole group by its pattern, and parts of one by their names', () => {
    expect(rules(['ada/notes', 'acme/shop', 'acme/docs'])).toEqual(['ada/*', 'acme/*'])
    expect(rules(['acme/docs', 'initech/store'])).toEqual(['acme/docs', 'initech/*'])
  })

  test('is empty when nothing is chosen', () => {
    expect(rules([])).toEqual([])
  })

  test('keeps names and patterns of nothing in the list, and replaces patterns and listed names', () => {
    expect(rules(['acme/docs'], ['strange/thing', 'away/*', 'acme/s*', 'ACME/Shop', 'ada/*'])).toEqual([
      'acme/docs',
      'strange/thing',
      'away/*',
    ])
    expect(rules(ALL, ['strange/thing'])).toEqual(['ada/*', 'acme/*', 'initech/*', 'strange/thing'])
  })
})
