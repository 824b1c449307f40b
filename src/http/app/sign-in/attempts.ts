import { createHash } from 'node:crypto'
import { AppError } from '../../../domain/errors.ts'
import { loginKey } from '../../../domain/identifiers.ts'
import { clientNetwork } from '../../../lib/network-address.ts'
import { RecentMap } from '../../../lib/recent-map.ts'
import type { PeopleUseCases } from '../../../service/people.ts'

/** Wrong passwords before the first wait, and the longest wait; it doubles with each failure. */
const LIMITS = {
  /** For a login from one network. */
  pair: { free: 5, longestMs: 300_000 },
  network: { free: 20, longestMs: 300_000 },
  /**
   * For a login from all networks. Shorter, and not for networks that somebody has signed in from, so that nobody can
   * be locked out by others.
   */
  login: { free: 50, longestMs: 30_000 },
} as const
/** Networks that somebody signed in from through this process. */
const MOST_KNOWN = 10_000
/** Refused because too many attempts are being checked. */
const IN_FLIGHT_WAIT_MS = 1_000

export interface Attempts {
  /**
   * Checks a password. Failures are counted for all processes. When a wait begins during a check, its result is not
   * reported, so that neither concurrent attempts nor many processes can bypass the limit.
   * @param address of the client
   * @param isRight performs the check
   * @throws AppError `rate_limited`, even for a correct one
   */
  judge(login: string, address: string, isRight: () => Promise<boolean>): Promise<boolean>
}

type FailedSignIns = PeopleUseCases['failedSignIns']
type Counted = ReturnType<typeof counted>

/** Increasing waits after wrong passwords, per login and per network. */
export function createAttempts(failed: FailedSignIns): Attempts {
  const inFlight = createInFlight()
  const signedInFrom = new RecentMap<string, true>(MOST_KNOWN)
  return {
    async judge(givenLogin, address, isRight) {
      const [login, network] = [loginKey(givenLogin), clientNetwork(address)]
      const pair = counted('pair', `${network} ${login}`)
      const all = [pair, counted('network', network), counted('login', login)]
      const limiting = signedInFrom.has(pair.name) ? all.slice(0, 2) : all
      using turn = inFlight.enter(limiting)
      const stats = await failed.stats(limiting)
      // Checked first, so that refused attempts leave no entries that could push out others.
      refuse(Math.max(0, ...stats.map(({ waitMs }) => waitMs)))
      const isCrowded = ({ name, free }: Counted, at: number) =>
        turn.ahead(name) > 0 && (stats[at]?.failures ?? 0) + turn.ahead(name) >= free
      if (limiting.some(isCrowded)) refuse(IN_FLIGHT_WAIT_MS)
      const wasRight = await isRight()
      refuse(wasRight ? await forgive(failed, limiting, pair) : await failed.count(limiting))
      if (wasRight) signedInFrom.set(pair.name, true)
      return wasRight
    },
  }
}

/**
 * Writes nothing if there are no failures to clear.
 * @returns the wait, because other attempts failed meanwhile
 */
async function forgive(failed: FailedSignIns, limiting: readonly Counted[], pair: Counted): Promise<number> {
  const stats = await failed.stats(limiting)
  const isContested = stats.some(({ failures }, at) => failures >= (limiting[at]?.free ?? 0))
  if (isContested || (stats[0]?.failures ?? 0) > 0) return failed.forgive(limiting, pair.hash)
  return 0
}

function counted(kind: keyof typeof LIMITS, whose: string) {
  const name = `${kind} ${whose}`
  return { kind, name, hash: new Uint8Array(createHash('sha256').update(name).digest()), ...LIMITS[kind] }
}

/** Checks in progress. */
function createInFlight() {
  const running = new Map<string, number>()
  return {
    /** In the order in which they came. */
    enter(limiting: readonly Counted[]) {
      const before = new Map(limiting.map(({ name }) => [name, running.get(name) ?? 0]))
      for (const [name, count] of before) running.set(name, count + 1)
      return {
        ahead: (name: string) => before.get(name) ?? 0,
        [Symbol.dispose]() {
          for (const { name } of limiting) {
            const left = (running.get(name) ?? 1) - 1
            if (left === 0) running.delete(name)
            else running.set(name, left)
          }
        },
      }
    },
  }
}

function refuse(waitMs: number): void {
  if (waitMs <= 0) return
  const seconds = Math.ceil(waitMs / 1_000)
  const wait =
    seconds < 90 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`
  throw new AppError('rate_limited', `Too many attempts. Wait ${wait}, then try again.`, {
    retryAfterSeconds: seconds,
  })
}

/** Failures of one person, by one sign-in method: the first, and then one a minute. */
const AGAIN_MS = 60_000
const MOST_NOTED = 10_000

/** Decides which sign-in failures are recorded, where nothing else limits their number. */
export class FailureNotes {
  readonly #notedAt = new RecentMap<string, number>(MOST_NOTED)
  readonly #now: () => number

  /** @param now in milliseconds, of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether this one is recorded; if so, further ones are not for a while. */
  take(personId: string, way: string): boolean {
    const key = `${way} ${personId}`
    const now = this.#now()
    const last = this.#notedAt.get(key)
    if (last !== undefined && now - last < AGAIN_MS) return false
    this.#notedAt.set(key, now)
    return true
  }
}
