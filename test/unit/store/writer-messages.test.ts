import { expect, test } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import { deserializeError, serializeError } from '../../../src/store/sqlite/writer-messages.ts'

/** As a message of a thread does. */
const crossed = (error: Error) => deserializeError(structuredClone(serializeError(error)))

test('an error of the writer thread keeps its code, sentence, field and advice', () => {
  const advice = { action: 'restore_backup' } as const
  expect(crossed(new AppError('conflict', 'It is gone.', { field: 'account', advice }))).toMatchObject({
    name: 'AppError',
    code: 'conflict',
    message: 'It is gone.',
    field: 'account',
    advice,
  })
})

test('a damaged database still recommends the doctor', () => {
  const damaged = Object.assign(new Error('database disk image is malformed'), { errcode: 11 })
  expect(crossed(damaged)).toMatchObject({ code: 'unavailable', advice: { action: 'run_doctor' } })
})

test('an unexpected error stays one', () => {
  const error = crossed(new TypeError('x is not a function'))
  expect(error).not.toBeInstanceOf(AppError)
  expect(error.message).toBe('x is not a function')
})
