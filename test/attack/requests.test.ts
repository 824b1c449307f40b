import { test } from 'vitest'
import { expectNoFailure } from './expect-no-failure.ts'
import { requests } from './requests.ts'

test('hostile requests are answered, each with its reason, and none of them shows what is of another account', () =>
  expectNoFailure(requests, 1_500, 20))
