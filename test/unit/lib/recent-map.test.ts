import { expect, test } from 'vitest'
import { RecentMap } from '../../../src/lib/recent-map.ts'

test('what was set longest ago is forgotten first, and setting again makes young', () => {
  const map = new RecentMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
