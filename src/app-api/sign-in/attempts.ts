import { AppError } from '../../domain/errors.ts'
import { loginKey } from '../../domain/login-key.ts'
import type { Clock } from '../../kit/clock.ts'

/** Wrong passwords before anybody has to wait; after them the wait doubles with each one. */
const FREE = { login: 5, address: 20 } as const
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 300_000
const FORGOTTEN_AFTER_MS = 3_600_000
/** Logins and addresses that are remembered; whoever tried longest ago is forgotten first. */
const MOST = 10_000

export interface Attempts {
  /**
   * Counts an attempt before it is known how it ends, so that many at once are no way around.
   *
   * @returns to be called when the password was right
   * @throws AppError `rate_limited`
   */
  begin(login: string, address: string): () => void
}

interface Record {
  failures: number
  notBefore: number
  lastAt: number
}

/** Growing waits after wrong passwords, per login and per address. */
export function createAttempts(clock: Clock): Attempts {
  const records = new Map<string, Record>()
  const recordOf = (key: string, now: number): Record => {
    const known = records.get(key)
    const record =
      known === undefined || now - known.lastAt > FORGOTTEN_AFTER_MS
        ? { failures: 0, notBefore: 0, lastAt: now }
        : known
    records.delete(key)
    records.set(key, record)
    for (const oldest of records.keys()) {
      if (records.size <= MOST) break
      records.delete(oldest)
    }
    return record
  }
  return {
    begin(login, address) {
      const now = clock().getTime()
      const loginName = `login ${loginKey(login)}`
      const tries = [
        { record: recordOf(loginName, now), free: FREE.login },
        { record: recordOf(`address ${address}`, now), free: FREE.address },
      ]
      const wait = Math.max(...tries.map(({ record }) => record.notBefore - now))
      if (wait > 0) throw tooMany(wait)
      const before = tries.map(({ record }) => ({ ...record }))
      for (const { record, free } of tries) {
        record.failures += 1
        record.lastAt = now
        const over = record.failures - free
        if (over >= 0) record.notBefore = now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** over)
      }
      return () => {
        records.delete(loginName)
        // Of the address only this attempt is forgiven: a right password of one's own is no licence to guess others.
        const [, address] = tries
        const failures = (address?.record.failures ?? 1) - 1
        if (address) Object.assign(address.record, { failures, notBefore: before[1]?.notBefore ?? 0 })
      }
    },
  }
}

function tooMany(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1_000)
  const wait =
    seconds < 90 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`
  return new AppError('rate_limited', `There were too many attempts. Wait ${wait}, then try again.`, {
    retryAfterSeconds: seconds,
  })
}
