import { expect, test } from 'vitest'
import { ModelPause } from '../../../src/service/question-models.ts'
import { movableClock } from '../../contract/store-contract.ts'

test('a model that failed is left alone for 30 s, or as long as it says', () => {
  const clock = movableClock()
  const pause = new ModelPause(clock)
  expect(pause.reason).toBeUndefined()
  pause.begin('It is down.')
  clock.advance(29_999)
  expect(pause.reason).toBe('It is down.')
  clock.advance(1)
  expect(pause.reason).toBeUndefined()
  pause.begin('It has a limit.', 60)
  clock.advance(59_999)
  expect(pause.reason).toBe('It has a limit.')
  pause.end()
  expect(pause.reason).toBeUndefined()
})

test('a clock that is set back makes it no longer', () => {
  const clock = movableClock()
  const pause = new ModelPause(clock)
  pause.begin('It is down.')
  clock.advance(-86_400_000)
  expect(pause.reason).toBeUndefined()
})
