import {
  type ActivityActor,
  type ActivityEntry,
  type ActivityKind,
  EVERYDAY_KINDS,
  QUESTION_KINDS,
} from '../domain/activity.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { RecentMap } from '../lib/recent-map.ts'
import type { ActivityQuery, ActivityRow, NewActivity } from '../store/activity/activity.ts'
import type { Store } from '../store/store.ts'
import type { LiveEvents } from './live-events.ts'
import type { Principal } from './principal.ts'

export interface ActivityViewer {
  readonly accountId: string
  readonly personId: string
  readonly role: 'owner' | 'member'
}

export interface ActivityOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Notified of new entries. */
  readonly live?: LiveEvents | undefined
  /** A text without its secrets. */
  readonly redact: (text: string) => string
  /** Retention of entries; 0: questions are not recorded at all, and the rest is kept for the default. */
  readonly days: number
  /** Retention of administrative entries. */
  readonly administrationDays: number
  readonly flushMs: number
}

/** Per account; older everyday entries are deleted. */
const MOST_ENTRIES = 50_000
const QUESTION_MAX_CHARACTERS = 300
const DAY_MS = 86_400_000
const PRUNE_EVERY_MS = 3_600_000
/** Entries kept in memory while none can be written; beyond it the oldest are dropped, everyday ones first. */
const MOST_PENDING = 10_000
/** Number of people whose last search is kept in memory. */
const MOST_SEARCHES = 1_000
/** As long as a page shows a search without repeating it. */
const SEARCHED_MS = 30 * 60_000

/** What happened in an account, and who did it. Entries are kept in memory and written every few seconds. */
export class Activity {
  readonly #options: ActivityOptions
  readonly #timer: NodeJS.Timeout
  #pending: NewActivity[] = []
  readonly #searches = new RecentMap<string, { readonly text: string | null; readonly at: number }>(MOST_SEARCHES)
  #writing: Promise<void> | undefined
  #prunedAt = Number.NEGATIVE_INFINITY

  constructor(options: ActivityOptions) {
    this.#options = options
    this.#timer = setInterval(() => {
      this.flush()
        .then(() => this.#prune())
        .catch((error: unknown) => this.#warn(error))
    }, options.flushMs)
    this.#timer.unref()
  }

  note(accountId: string, actor: ActivityActor, entry: ActivityEntry): void {
    const { clock, days } = this.#options
    if (days === 0 && isQuestion(entry.kind)) return
    this.#pending.push({ accountId, at: clock(), actor, entry })
    if (this.#pending.length > MOST_PENDING) this.#pending = withoutExcess(this.#pending)
  }

  /**
   * The same for a key or a signed-in person; for connectors, runs are recorded instead of calls. A person who has the
   * text answered that they searched for last has one entry.
   */
  noteOf(principal: Principal, entry: ActivityEntry): void {
    if (principal.isConnector || this.#isSearchedBy(principal, entry)) return
    this.note(principal.accountId, actorOf(principal), entry)
  }

  /** Whether an answer is to the last search of a person, which is an entry already. A search is found once. */
  #isSearchedBy({ accountId, person }: Principal, entry: ActivityEntry): boolean {
    if (person === undefined || (entry.kind !== 'recall' && entry.kind !== 'ask')) return false
    const now = this.#options.clock().getTime()
    const searcher = `${accountId} ${person.id}`
    const last = this.#searches.get(searcher)
    if (entry.kind === 'recall') this.#searches.set(searcher, { text: entry.text, at: now })
    else this.#searches.delete(searcher)
    return entry.kind === 'ask' && last?.text === entry.text && now - last.at < SEARCHED_MS
  }

  /** Newest first. Members see that others asked, but not what. */
  async page({ accountId, personId, role }: ActivityViewer, query: ActivityQuery): Promise<ActivityRow[]> {
    const rows = await this.#scoped(accountId).page(query)
    return role === 'owner' ? rows : rows.map((row) => withoutQuestion(row, personId))
  }

  actors(accountId: string): Promise<ActivityActor[]> {
    return this.#scoped(accountId).actors()
  }

  async flush(): Promise<void> {
    // A failed write is reported to its caller; its entries return to memory and are written by the next one.
    while (this.#writing !== undefined) await this.#writing.catch(() => undefined)
    if (this.#pending.length === 0) return
    this.#writing = this.#write()
    await this.#writing
  }

  /** Waits until administrative entries are written; a failure is logged, and retried later. */
  async recorded(): Promise<void> {
    try {
      await this.#writing
      if (this.#pending.some(({ entry }) => !isEveryday(entry.kind))) await this.flush()
    } catch (error) {
      this.#warn(error)
    }
  }

  /** Stops the timer and writes the remaining entries. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #write(): Promise<void> {
    const { store, live, redact } = this.#options
    const batch = mergeUploads(this.#pending).map((noted) => ({ ...noted, entry: presentable(noted.entry, redact) }))
    this.#pending = []
    try {
      await store.activity.add(batch)
    } catch (error) {
      this.#pending = withoutExcess([...batch, ...this.#pending])
      throw error
    } finally {
      this.#writing = undefined
    }
    for (const accountId of new Set(batch.map((noted) => noted.accountId)))
      live?.publish({ type: 'activity' }, accountId)
  }

  async #prune(): Promise<void> {
    const { store, clock, days, administrationDays } = this.#options
    const now = clock().getTime()
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return
    const since = new Date(now - (days || DEFAULT_LIMITS.activityDays) * DAY_MS)
    const administrationSince = new Date(now - administrationDays * DAY_MS)
    const before = this.#prunedAt
    // Now, so that another one doesn't begin while this one waits.
    this.#prunedAt = now
    try {
      await store.activity.prune({ since, administrationSince, most: MOST_ENTRIES, keepQuestions: days > 0 })
    } catch (error) {
      this.#prunedAt = before
      throw error
    }
  }

  #scoped(accountId: string) {
    return this.#options.store.scoped({ accountId, sources: 'all' }).activity
  }

  #warn(error: unknown): void {
    this.#options.log.warn({ err: error }, 'activity could not be written; retrying')
  }
}

/** The actor for actions without a key or a signed-in person. */
export const SERVER = { type: 'server' } as const satisfies ActivityActor

/** The owner of the key or the signed-in person, as activity names them. */
export function actorOf({ keyId, keyName, person }: Principal): ActivityActor {
  if (person !== undefined) return { type: 'person', ...person }
  return { type: 'key', id: keyId, ...(keyName !== undefined && { name: keyName }) }
}

/** Consecutive uploads of one actor to one source form one entry, at the position of the last. */
function mergeUploads(noted: readonly NewActivity[]): readonly NewActivity[] {
  const together = new Map<string, NewActivity>()
  for (const [index, one] of noted.entries()) {
    const { accountId, actor, entry } = one
    if (entry.kind !== 'upload') {
      together.set(String(index), one)
      continue
    }
    const id = JSON.stringify([accountId, actor, entry.source, entry.agent])
    const before = together.get(id)?.entry
    const count = entry.count + (before?.kind === 'upload' ? before.count : 0)
    together.delete(id)
    together.set(id, { ...one, entry: { ...entry, count } })
  }
  return [...together.values()]
}

/** Questions without secrets, and short. Idempotent. */
function presentable(entry: ActivityEntry, redact: (text: string) => string): ActivityEntry {
  if ((entry.kind !== 'recall' && entry.kind !== 'ask') || entry.text === null) return entry
  const characters = [...redact(entry.text)]
  const isLong = characters.length > QUESTION_MAX_CHARACTERS
  return isLong
    ? { ...entry, text: `${characters.slice(0, QUESTION_MAX_CHARACTERS - 1).join('')}…` }
    : { ...entry, text: characters.join('') }
}

function withoutQuestion(row: ActivityRow, personId: string): ActivityRow {
  const { actor, entry } = row
  if (actor.type === 'person' && actor.id === personId) return row
  if (entry.kind === 'shown') return { ...row, entry: { ...entry, items: [] } }
  if (entry.kind !== 'recall' && entry.kind !== 'ask') return row
  return { ...row, entry: { ...entry, text: null } }
}

function withoutExcess(noted: readonly NewActivity[]): NewActivity[] {
  let excess = noted.length - MOST_PENDING
  return noted.filter(({ entry }) => !(isEveryday(entry.kind) && excess-- > 0)).slice(-MOST_PENDING)
}

function isEveryday(kind: ActivityKind): boolean {
  return EVERYDAY_KINDS.some((one) => one === kind)
}

function isQuestion(kind: ActivityKind): boolean {
  return QUESTION_KINDS.some((one) => one === kind)
}
