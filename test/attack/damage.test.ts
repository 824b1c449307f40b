import { test } from 'vitest'
import { damage } from './damage.ts'
import { expectNoFailure } from './expect-no-failure.ts'

test('damaged files are noticed: no wrong bytes, no new account, a sentence that says what is wrong', () =>
  expectNoFailure(damage, 5, 25))
