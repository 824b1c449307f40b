import { expect, test } from 'vitest'
import { holdsKind } from '../../../src/retrieval/answer-kind.ts'

test.each(['since 2019', 'since 5pm', 'since 12 May', 'since last year'])('“%s” is a time and no reason', (words) => {
  expect(holdsKind('reason', `The shop has been open ${words}.`, 0)).toBe(false)
})

test('what follows “since” may be a reason', () => {
  expect(holdsKind('reason', 'We took the bus since it rained.', 0)).toBe(true)
})
