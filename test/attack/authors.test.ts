import { test } from 'vitest'
import { authors } from './authors.ts'
import { expectNoFailure } from './expect-no-failure.ts'

test('what an author writes stays inside fences, and reaches no terminal as a control character', () =>
  expectNoFailure(authors, 24, 25))
