import { AppError } from '../../domain/errors.ts'
import { loginKey } from '../../domain/login-key.ts'
import { clientNetwork } from '../../kit/client-network.ts'
import type { Clock } from '../../kit/clock.ts'

/** Wrong passwords before anybody has to wait, and the longest wait; it doubles with each one. */
const LIMITS = {
  /** Of a login, from one network. */
  pair: { free: 5, longestMs: 300_000 },
  network: { free: 20, longestMs: 300_000 },
  /** From everywhere. Shorter, and not for networks that somebody has signed in from: or all could lock out anybody. */
  login: { free: 50, longestMs: 30_000 },
} as const
const FIRST_WAIT_MS = 1_000
const FORGOTTEN_AFTER_MS = 3_600_000
/** Of each kind that are remembered; whoever tried longest ago is forgotten first. */
const MOST = 10_000

export interface Attempts {
  /**
   * Counts an attempt before it is known how it ends, so that many at once are no way around.
   *
   * @param address that it comes from
   * @returns to be called when the password was right
   * @throws AppError `rate_limited`
   */
  begin(login: string, address: string): () => void
}

interface Counter {
  waitMs(key: string, now: number): number
  /** @returns takes this one back */
  count(key: string, now: number): () => void
  forget(key: string): void
}

/** Growing waits after wrong passwords, per login and per network. */
export function createAttempts(clock: Clock): Attempts {
  const pairs = createCounter(LIMITS.pair)
  const networks = createCounter(LIMITS.network)
  const logins = createCounter(LIMITS.login)
  const signedInFrom = new Set<string>()
  return {
    begin(givenLogin, address) {
      const now = clock().getTime()
      const [login, network] = [loginKey(givenLogin), clientNetwork(address)]
      const pair = `${network} ${login}`
      const isKnown = signedInFrom.has(pair)
      // Looked at first: what is refused leaves nothing behind that could push others out.
      const wait = Math.max(
        pairs.waitMs(pair, now),
        networks.waitMs(network, now),
        isKnown ? 0 : logins.waitMs(login, now),
      )
      if (wait > 0) throw tooMany(wait)
      pairs.count(pair, now)
      // A right password of one's own is no licence to guess others.
      const takeBack = [networks.count(network, now), ...(isKnown ? [] : [logins.count(login, now)])]
      return () => {
        pairs.forget(pair)
        for (const undo of takeBack) undo()
        signedInFrom.delete(pair)
        signedInFrom.add(pair)
        for (const oldest of signedInFrom) {
          if (signedInFrom.size <= MOST) break
          signedInFrom.delete(oldest)
        }
      }
    },
  }
}

function createCounter({ free, longestMs }: { readonly free: number; readonly longestMs: number }): Counter {
  const records = new Map<string, { failures: number; notBefore: number; lastAt: number }>()
  const known = (key: string, now: number) => {
    const record = records.get(key)
    return record === undefined || now - record.lastAt > FORGOTTEN_AFTER_MS ? undefined : record
  }
  return {
    waitMs: (key, now) => (known(key, now)?.notBefore ?? 0) - now,
    count(key, now) {
      const record = known(key, now) ?? { failures: 0, notBefore: 0, lastAt: now }
      const { notBefore } = record
      records.delete(key)
      records.set(key, record)
      for (const oldest of records.keys()) {
        if (records.size <= MOST) break
        records.delete(oldest)
      }
      record.failures += 1
      record.lastAt = now
      const over = record.failures - free
      if (over >= 0) record.notBefore = now + Math.min(longestMs, FIRST_WAIT_MS * 2 ** over)
      const { notBefore: own } = record
      return () => {
        record.failures -= 1
        // Unless others were wrong meanwhile.
        if (record.notBefore === own) record.notBefore = notBefore
      }
    },
    forget: (key) => void records.delete(key),
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
