import {
  type ActivityActor,
  type ActivityEntry,
  type ActivityKind,
  EVERYDAY_KINDS,
  QUESTION_KINDS,
} from '../domain/activity.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { ActivityQuery, ActivityRow, NewActivity } from '../store/activity/activity.ts'
import type { Store } from '../store/store.ts'
import type { LiveEvents } from './live-events.ts'
import type { Principal } from './service.ts'

/** What happened in an account, and who did it. */
export interface Activity {
  /** Keeps it in memory; the store hears of it every few seconds, or when `recorded` is asked for. */
  note(accountId: string, actor: ActivityActor, entry: ActivityEntry): void
  /** The same for whoever holds a key or is signed in; of connectors, the runs are noted and not each call. */
  noteOf(principal: Principal, entry: ActivityEntry): void
  /** Newest first. What other people and agents asked is left out for members, who see only that they did. */
  page(viewer: ActivityViewer, query: ActivityQuery): Promise<ActivityRow[]>
  actors(accountId: string): Promise<ActivityActor[]>
  flush(): Promise<void>
  /** Waits until acts of administration are written, for whoever answers; what fails is logged, and tried again later. */
  recorded(): Promise<void>
  /** Stops the timer and writes what is left. */
  close(): Promise<void>
}

export interface ActivityViewer {
  readonly accountId: string
  readonly personId: string
  readonly role: 'owner' | 'member'
}

export interface ActivityOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Tells whoever looks at the account. */
  readonly live?: LiveEvents | undefined
  /** A text without its secrets. */
  readonly redact: (text: string) => string
  /** How long entries are kept; 0: questions are not recorded at all, and the rest as long as by default. */
  readonly days: number
  /** How long acts of administration are kept. */
  readonly administrationDays: number
  readonly flushMs: number
}

/** Of each account; older ones of every day go. */
const MOST_ENTRIES = 50_000
export const DEFAULT_ACTIVITY_DAYS = 90
export const DEFAULT_ADMINISTRATION_DAYS = 365
const QUESTION_MAX_CHARACTERS = 300
const DAY_MS = 86_400_000
const PRUNE_EVERY_MS = 3_600_000
/** While nothing can be written; what is older is lost then, of every day first. */
const MOST_PENDING = 10_000

export function createActivity(options: ActivityOptions): Activity {
  const { store, clock, log, live, days } = options
  const isRecorded = (kind: ActivityKind) => days > 0 || !isQuestion(kind)
  let pending: NewActivity[] = []
  let writing: Promise<void> | undefined
  let prunedAt = Number.NEGATIVE_INFINITY

  const write = async () => {
    const batch = togetherByActor(pending).map((noted) => ({
      ...noted,
      entry: presentable(noted.entry, options.redact),
    }))
    pending = []
    try {
      await store.activity.add(batch)
    } catch (error) {
      pending = withoutExcess([...batch, ...pending])
      throw error
    } finally {
      writing = undefined
    }
    for (const accountId of new Set(batch.map((noted) => noted.accountId)))
      live?.publish({ type: 'activity' }, accountId)
  }

  const flush = async (): Promise<void> => {
    // Whoever began that write hears of its failure; its entries are back in memory and go out with this one.
    while (writing !== undefined) await writing.catch(() => undefined)
    if (pending.length === 0) return
    writing = write()
    await writing
  }

  const prune = async () => {
    const now = clock().getTime()
    if (now - prunedAt < PRUNE_EVERY_MS) return
    const since = new Date(now - (days || DEFAULT_ACTIVITY_DAYS) * DAY_MS)
    const administrationSince = new Date(now - options.administrationDays * DAY_MS)
    await store.activity.prune({ since, administrationSince, most: MOST_ENTRIES, keepQuestions: days > 0 })
    prunedAt = now
  }

  const timer = setInterval(() => {
    flush()
      .then(prune)
      .catch((error: unknown) => log.warn({ err: error }, 'activity could not be written; trying again'))
  }, options.flushMs)
  timer.unref()

  const note: Activity['note'] = (accountId, actor, entry) => {
    if (!isRecorded(entry.kind)) return
    pending.push({ accountId, at: clock(), actor, entry })
    if (pending.length > MOST_PENDING) pending = withoutExcess(pending)
  }
  const scoped = (accountId: string) => store.scoped({ accountId, sources: 'all' }).activity

  return {
    note,
    noteOf(principal, entry) {
      if (!principal.isConnector) note(principal.accountId, actorOf(principal), entry)
    },
    async page(viewer, query) {
      const rows = await scoped(viewer.accountId).page(query)
      return viewer.role === 'owner' ? rows : rows.map((row) => withoutQuestion(row, viewer.personId))
    },
    actors: (accountId) => scoped(accountId).actors(),
    flush,
    async recorded() {
      try {
        await writing
        if (pending.some(({ entry }) => !isEveryday(entry.kind))) await flush()
      } catch (error) {
        log.warn({ err: error }, 'activity could not be written; trying again')
      }
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** What is done by no key and by nobody who is signed in. */
export const SERVER = { type: 'server' } as const satisfies ActivityActor

/** Whoever holds a key or is signed in, as activity names them. */
export function actorOf({ keyId, keyName, person }: Principal): ActivityActor {
  if (person !== undefined) return { type: 'person', ...person }
  return { type: 'key', id: keyId, ...(keyName !== undefined && { name: keyName }) }
}

/** Uploads of one actor to one source that came together are one entry, where the last of them is. */
function togetherByActor(noted: readonly NewActivity[]): readonly NewActivity[] {
  const together = new Map<string, NewActivity>()
  for (const [place, one] of noted.entries()) {
    const { accountId, actor, entry } = one
    if (entry.kind !== 'upload') {
      together.set(String(place), one)
      continue
    }
    const id = JSON.stringify([accountId, actor, entry.source])
    const before = together.get(id)?.entry
    const count = entry.count + (before?.kind === 'upload' ? before.count : 0)
    together.delete(id)
    together.set(id, { ...one, entry: { ...entry, count } })
  }
  return [...together.values()]
}

/** Questions without secrets, and short. Given its own result, it changes nothing. */
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
  if ((entry.kind !== 'recall' && entry.kind !== 'ask') || (actor.type === 'person' && actor.id === personId))
    return row
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
