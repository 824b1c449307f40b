import { test } from 'vitest'
import { bombs } from './bombs.ts'
import { expectNoFailure } from './expect-no-failure.ts'

test(
  'small files that cost much end as ready or failed, while the service answers others',
  () => expectNoFailure(bombs, 7, 25),
  600_000,
)
