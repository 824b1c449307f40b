import { sql } from 'kysely'
import type { Log } from '../../lib/log.ts'
import type { Db } from '../schema.ts'

const SAMPLE_MS = 1_000

/** Enough for a lag of some minutes to the second; longer lags are reported less exactly. */
const MOST_SAMPLES = 600

/** A position in what the main server has written, read at or after this time. */
interface Sample {
  readonly position: number
  /** From `performance.now()`. */
  readonly at: number
}

export interface ReplicaLagOptions {
  readonly primary: Db
  readonly replica: Db
  /** A replica that is further behind is left out. */
  readonly mostLagMs: number
  readonly log: Log
}

/**
 * Measures how far a replica is behind by comparing what the main server wrote with what the replica has replayed. A replica
 * cannot tell itself: one that receives nothing has replayed all that it received.
 */
export class ReplicaLag {
  readonly #options: ReplicaLagOptions
  /** What the replica has not replayed yet, oldest first. */
  #samples: Sample[] = []
  /** The replica has everything that was written by this time. */
  #replayedAt = Number.NEGATIVE_INFINITY
  /** When each account was last heard to have changed, until the replica has that. */
  readonly #changedAt = new Map<string, number>()
  /** When any account may have changed. */
  #allChangedAt = Number.NEGATIVE_INFINITY
  #wasUsed = true
  readonly #startedAt = performance.now()
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: ReplicaLagOptions) {
    this.#options = options
  }

  /** Resolves after the first comparison, which fails without an error; others follow every second. */
  async start(): Promise<void> {
    await this.#compare()
    if (this.#stopped) return
    this.#timer = setTimeout(() => void this.start(), SAMPLE_MS).unref()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** Whether the replica was within the limit at the last comparison, and comparisons go on. */
  get isUsable(): boolean {
    return performance.now() - this.#replayedAt <= this.#options.mostLagMs + SAMPLE_MS
  }

  /** Something of the account was committed; `undefined`: of any account, possibly. */
  noteChange(accountId: string | undefined): void {
    if (accountId === undefined) this.#allChangedAt = performance.now()
    else this.#changedAt.set(accountId, performance.now())
  }

  /** Whether the replica has what the account is known to have changed, by the position that was written after it. */
  hasReplayed(accountId: string): boolean {
    return Math.max(this.#allChangedAt, this.#changedAt.get(accountId) ?? Number.NEGATIVE_INFINITY) <= this.#replayedAt
  }

  /** `undefined`: the replica has not shown yet that it follows this server. */
  get lagMs(): number | undefined {
    if (this.#replayedAt === Number.NEGATIVE_INFINITY) return undefined
    const [oldest] = this.#samples
    return oldest === undefined ? 0 : Math.round(performance.now() - oldest.at)
  }

  async #compare(): Promise<void> {
    const { primary, replica, log } = this.#options
    try {
      const at = performance.now()
      this.#note({ position: await writtenPosition(primary), at })
      const replayed = await replayedPosition(replica)
      while (this.#samples[0] !== undefined && this.#samples[0].position <= replayed) {
        this.#replayedAt = this.#samples.shift()?.at ?? this.#replayedAt
      }
      for (const [accountId, at] of this.#changedAt) if (at <= this.#replayedAt) this.#changedAt.delete(accountId)
    } catch (error) {
      log.debug({ err: error }, 'the lag of the replica could not be measured')
    }
    this.#report()
  }

  #note(sample: Sample): void {
    // Nothing was written since the last one.
    if (this.#samples.at(-1)?.position === sample.position) return
    this.#samples.push(sample)
    if (this.#samples.length > MOST_SAMPLES) this.#samples = this.#samples.filter((_, index) => index % 2 === 0)
  }

  #report(): void {
    const { isUsable } = this
    const { log, mostLagMs } = this.#options
    // After the start, it has as long to show that it follows as it may be behind.
    const isStarting = performance.now() - this.#startedAt <= mostLagMs
    if (this.#stopped || isUsable === this.#wasUsed || (!isUsable && isStarting)) return
    if (!isUsable) {
      log.warn({ lagMs: this.lagMs }, 'the replica is too far behind; recall uses the main server')
    } else log.info('the replica has caught up')
    this.#wasUsed = isUsable
  }
}

async function writtenPosition(primary: Db): Promise<number> {
  const { rows } = await sql<{ position: number }>`select pg_current_wal_lsn() - '0/0'::pg_lsn as position`.execute(
    primary,
  )
  return rows[0]?.position ?? Number.POSITIVE_INFINITY
}

/** Before everything, when the server is none that replays. */
async function replayedPosition(replica: Db): Promise<number> {
  const { rows } = await sql<{ position: number | null }>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() - '0/0'::pg_lsn end as position`.execute(replica)
  return rows[0]?.position ?? Number.NEGATIVE_INFINITY
}
