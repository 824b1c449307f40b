import { expect, test } from 'vitest'
import { type Attempts, createAttempts } from '../../src/app-api/sign-in/attempts.ts'
import { AppError } from '../../src/domain/errors.ts'

function attemptsAt() {
  let now = 0
  const attempts = createAttempts(() => new Date(now))
  return {
    attempts,
    pass(ms: number) {
      now += ms
    },
  }
}

/** How many of so many wrong passwords were looked at. */
function guess(attempts: Attempts, times: number, login: (at: number) => string, address: (at: number) => string) {
  const counted = Array.from({ length: times }, (_, at) => {
    try {
      attempts.begin(login(at), address(at))
      return true
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return false
      throw error
    }
  })
  return counted.filter(Boolean).length
}

test('nobody is locked out by whoever guesses their password from elsewhere', () => {
  const { attempts } = attemptsAt()
  expect(
    guess(
      attempts,
      100,
      () => 'ada',
      () => '203.0.113.9',
    ),
  ).toBe(5)
  expect(() => attempts.begin('ada', '198.51.100.1')).not.toThrow()
})

test('guesses from everywhere are slowed too, but not for who has signed in from where they are', () => {
  const { attempts, pass } = attemptsAt()
  attempts.begin('ada', '198.51.100.1')()
  expect(
    guess(
      attempts,
      1_000,
      () => 'ada',
      (at) => `203.0.113.${at % 250}`,
    ),
  ).toBe(50)
  expect(() => attempts.begin('Ada', '198.51.100.2')).toThrow('too many attempts')
  expect(() => attempts.begin('Ada', '198.51.100.1')).not.toThrow()
  pass(30_001)
  expect(() => attempts.begin('ada', '198.51.100.2')).not.toThrow()
})

test('all addresses of one IPv6 network are one', () => {
  const { attempts } = attemptsAt()
  expect(
    guess(
      attempts,
      100,
      () => 'ada',
      (at) => `2001:db8:1:2::${at.toString(16)}`,
    ),
  ).toBe(5)
  expect(
    guess(
      attempts,
      100,
      (at) => `login-${at}`,
      (at) => `2001:db8:1:2:ffff::${at.toString(16)}`,
    ),
  ).toBe(15)
})

test('what is refused makes nothing forgotten', () => {
  const { attempts } = attemptsAt()
  expect(
    guess(
      attempts,
      20,
      () => 'ada',
      () => '203.0.113.9',
    ),
  ).toBe(5)
  guess(
    attempts,
    30_000,
    (at) => `login-${at}`,
    () => '198.51.100.7',
  )
  expect(() => attempts.begin('ada', '203.0.113.9')).toThrow('too many attempts')
})

test('a right password forgives the wrong ones of its login, and of its network only itself', () => {
  const { attempts } = attemptsAt()
  guess(
    attempts,
    19,
    (at) => `login-${at}`,
    () => '203.0.113.9',
  )
  attempts.begin('ada', '203.0.113.9')()
  attempts.begin('ada', '203.0.113.9')
  expect(() => attempts.begin('bob', '203.0.113.9')).toThrow('too many attempts')
})

test('a right password does not excuse what was guessed while it was looked at', () => {
  const { attempts } = attemptsAt()
  const right = attempts.begin('mallory', '203.0.113.9')
  guess(
    attempts,
    20,
    (at) => `login-${at}`,
    () => '203.0.113.9',
  )
  right()
  expect(() => attempts.begin('ada', '203.0.113.9')).toThrow('too many attempts')
})
