import { expect, test } from 'vitest'
import { createPasswords } from '../../../../src/http/app/sign-in/passwords.ts'

test('a flood of passwords is turned away, and does not keep those that wait from being looked at', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('correct horse battery', 'ada')
  const flood = Array.from({ length: 200 }, (_, at) =>
    passwords.isRight(at === 0 ? 'correct horse battery' : 'x', hash),
  )
  const answers = await Promise.allSettled(flood)
  expect(answers[0]).toMatchObject({ status: 'fulfilled', value: true })
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(98)
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } })
  expect(await passwords.isRight('correct horse battery', hash)).toBe(true)
})
