import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { filesOfOtherParts, LONG_FILES } from '../../lib/long-files.ts'

const PARTS = ['1/8', '2/8', '3/8', '4/8', '5/8', '6/8', '7/8', '8/8']

describe('the parts of a run', () => {
  test.each([...LONG_FILES.keys()])('%s is a file of them', (file) => {
    expect(existsSync(packagePath(file))).toBe(true)
  })

  test('together run every long file, most of them once', () => {
    const runsOf = (file: string) => PARTS.filter((part) => !filesOfOtherParts(part).includes(file)).length
    const runs = Map.groupBy(LONG_FILES.keys(), runsOf)
    expect([...runs.keys()].toSorted()).toEqual([1, PARTS.length])
    expect(runs.get(1)!.length).toBeGreaterThan(LONG_FILES.size / 2)
  })

  test('leave out nothing where no part is named', () => {
    expect(filesOfOtherParts('')).toEqual([])
  })

  test.each(['9/8', '0/8', 'all', '2'])('%s is none', (part) => {
    expect(() => filesOfOtherParts(part)).toThrow(/RECALLD_TEST_PART/)
  })
})
