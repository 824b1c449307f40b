import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../../domain/errors.ts'
import { loginKey } from '../../../domain/identifiers.ts'
import { Semaphore } from '../../../lib/semaphore.ts'

/** Argon2id as OWASP recommends: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Concurrent hashes: they share the threads that read files. */
const AT_ONCE = 2
/** More than can be done within a reasonable wait. */
const MOST_WAITING = 100
const LEAST_CHARACTERS = 10
const MOST_BYTES = 256
/** Common passwords of ten characters and more. */
const COMMON = new Set(
  `0123456789 0987654321 1111111111 1122334455 123123123123 1234512345 1234554321 12345678910 1234567890 123456789a
  1234567891 1234567899 147258369a 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 9876543210 aaaaaaaaaa a123456789 abc123456789
  abcd123456 abcdefghij adminadmin administrator asdfghjkl1 asdfghjkl; baseball123 changeme123 computer123 football123
  iloveyou12 iloveyou123 letmein123 letmeinnow liverpool1 manchester mypassword passw0rd123 password01 password10
  password11 password12 password123 password1234 password12345 passwordpassword princess123 q1w2e3r4t5 q1w2e3r4t5y6
  qazwsxedcr qwerty1234 qwerty12345 qwerty123456 qwertyuiop qwertyuiop1 qwertyuiop123 recalldrecalld sunshine123
  superman123 trustno1trustno1 welcome123 welcome1234 zaq12wsxcde3 zxcvbnm123`.split(/\s+/),
)

export interface Passwords {
  /** @throws AppError `invalid` for a weak password */
  hash(password: string, login: string): Promise<string>
  /** Takes the same time without a hash to compare. */
  isRight(password: string, passwordHash: string | undefined): Promise<boolean>
}

/** Hashes are computed on Node's threads; both calls reject with `unavailable` while too many wait. */
export function createPasswords(): Passwords {
  let nobodys: Promise<string> | undefined
  const permits = new Semaphore(AT_ONCE)
  const limited = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (permits.waiting < MOST_WAITING) return permits.run({}, work)
    throw new AppError('unavailable', 'Too many people are signing in. Try again in a moment.')
  }
  return {
    async hash(password, login) {
      checkPassword(password, login)
      return limited(() => hash(password.normalize('NFKC'), COST))
    },
    async isRight(password, passwordHash) {
      nobodys ??= hash(randomBytes(16), COST)
      const compared = passwordHash ?? (await nobodys)
      const isRight = await limited(() => verify(compared, clipped(password)))
      return isRight && passwordHash !== undefined
    },
  }
}

/** Longer input than any valid password is not hashed. */
function clipped(password: string): string {
  return password.normalize('NFKC').slice(0, MOST_BYTES)
}

function checkPassword(password: string, login: string): void {
  const problem = passwordProblem(password.normalize('NFKC'), login)
  if (problem !== undefined) throw new AppError('invalid', problem, { field: 'password' })
}

function passwordProblem(password: string, login: string): string | undefined {
  if ([...password].length < LEAST_CHARACTERS) return `The password must have at least ${LEAST_CHARACTERS} characters.`
  if (Buffer.byteLength(password) > MOST_BYTES) return `The password can have at most ${MOST_BYTES} bytes.`
  if (loginKey(password) === loginKey(login)) return 'The password must be different from your email or username.'
  if (COMMON.has(password.toLowerCase())) return 'This password is too common. Choose another one.'
  return undefined
}
