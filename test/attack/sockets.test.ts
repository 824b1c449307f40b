import { test } from 'vitest'
import { expectNoFailure } from './expect-no-failure.ts'
import { sockets } from './sockets.ts'

test('slow, silent and many connections neither end the process nor keep others from being answered', () =>
  expectNoFailure(sockets, 8, 25))
