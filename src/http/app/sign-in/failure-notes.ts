import { RecentMap } from '../../../lib/recent-map.ts'

/** Of one person, by one way to sign in: the first, and then one in a minute. */
const AGAIN_MS = 60_000
const MOST_KNOWN = 10_000

/** Which failures to sign in are written down, where nothing else limits how many there are. */
export class FailureNotes {
  readonly #notedAt = new RecentMap<string, number>(MOST_KNOWN)
  readonly #now: () => number

  /** @param now in milliseconds, of a clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether this one is; if so, the next ones for a while are not. */
  take(personId: string, way: string): boolean {
    const key = `${way} ${personId}`
    const now = this.#now()
    const last = this.#notedAt.get(key)
    if (last !== undefined && now - last < AGAIN_MS) return false
    this.#notedAt.set(key, now)
    return true
  }
}
