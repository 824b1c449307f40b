import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../lib/log.ts'
import type { ChangeNotifications, NotificationRelay } from '../change-notifications.ts'
import { NOTICE_SILENCE } from './connections.ts'

const CHANNEL = 'recalld'
/** Notifications are collected for this long, because each NOTIFY takes a lock that all commits of the server share. */
const GATHER_MS = 25
/** A notification can hold 8,000 bytes. */
const MOST_ACCOUNTS = 100
/** A query this often detects a connection that was cut silently. */
const BEAT_MS = 20_000
const ANSWER_MS = 5_000
const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 10_000
/** Time limit for the last notifications and the disconnect. */
const FAREWELL_MS = 1_000

/** Owns its socket, because `pg` waits for the server when it ends a connection. */
interface Line {
  readonly client: pg.Client
  readonly socket: Socket
}

interface Notice {
  readonly from: string
  readonly work: boolean
  readonly accounts: readonly string[]
}

/**
 * Exchanges notifications about waiting work and changed accounts with the other processes on the database. They are hints:
 * readers that must be sure also poll, and a reconnect wakes everybody.
 */
export class NotificationChannel implements NotificationRelay {
  readonly #url: string
  readonly #notifications: ChangeNotifications
  readonly #log: Log
  readonly #self = randomUUID()
  readonly #accounts = new Set<string>()
  #work = false
  /** The latest connection; it may still be opening. */
  #line: Line | undefined
  /** Set while it listens. */
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined
  #asking: Promise<boolean> | undefined
  #retry: NodeJS.Timeout | undefined
  #failures = 0
  #closed = false

  constructor(url: string, notifications: ChangeNotifications, log: Log) {
    this.#url = url
    this.#notifications = notifications
    this.#log = log
  }

  /** Resolves when it listens, or when the first attempt failed and the next one is scheduled. */
  async open(): Promise<void> {
    if (this.#closed) return
    const socket = new Socket()
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'recalld news',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      stream: () => socket,
    })
    const line = { client, socket }
    this.#line = line
    client.on('error', (error) => this.#lost(line, error))
    client.on('end', () => this.#lost(line, new Error('the connection ended')))
    client.on('notification', ({ payload }) => this.#hear(payload))
    try {
      await client.connect()
      await client.query(`${NOTICE_SILENCE}; listen ${CHANNEL}`)
    } catch (error) {
      this.#lost(line, error)
      return
    }
    if (this.#line !== line || this.#closed) return
    this.#client = client
    this.#beat ??= setInterval(() => void this.#ask('select 1'), BEAT_MS).unref()
    // Publish the notifications from the time without a connection.
    if (this.#hasNews) this.#plan()
    // Notifications may have been missed while it was disconnected.
    if (this.#failures > 0) {
      this.#notifications.heardOfWork()
      this.#notifications.heardOfItems(undefined)
    }
    this.#failures = 0
  }

  work(): void {
    this.#work = true
    this.#plan()
  }

  items(accountId: string): void {
    this.#accounts.add(accountId)
    this.#plan()
  }

  /** Sends pending notifications if the connection is free. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearInterval(this.#beat)
    clearTimeout(this.#retry)
    const line = this.#line
    if (line === undefined) return
    await Promise.race([this.#farewell(), delay(FAREWELL_MS, undefined, { ref: false })])
    line.socket.destroy()
  }

  async #farewell(): Promise<void> {
    const client = this.#client
    if (client === undefined) return
    try {
      let isAnswered = (await this.#asking) ?? true
      while (isAnswered && this.#hasNews) isAnswered = await this.#send()
      await client.end()
    } catch (error) {
      this.#log.debug({ err: error }, 'the notification channel was closed')
    }
  }

  #plan(): void {
    if (this.#closed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // Otherwise sent after the reconnect or the running statement.
      if (this.#client !== undefined && this.#asking === undefined) void this.#send()
    }, GATHER_MS)
  }

  async #send(): Promise<boolean> {
    const accounts = [...this.#accounts].slice(0, MOST_ACCOUNTS)
    for (const accountId of accounts) this.#accounts.delete(accountId)
    const notice: Notice = { from: this.#self, work: this.#work, accounts }
    this.#work = false
    const isSent = await this.#ask('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(notice)])
    if (isSent) return true
    // They may have been delivered; sending them twice is harmless.
    for (const accountId of accounts) this.#accounts.add(accountId)
    this.#work ||= notice.work
    return false
  }

  get #hasNews(): boolean {
    return this.#work || this.#accounts.size > 0
  }

  /** Runs one statement at a time. @returns false when it failed and the connection was dropped */
  #ask(statement: string, values: readonly string[] = []): Promise<boolean> {
    const line = this.#line
    if (this.#client === undefined || line === undefined || this.#asking !== undefined) return Promise.resolve(false)
    const asking = line.client.query(statement, [...values]).then(
      () => {
        this.#asking = undefined
        if (this.#hasNews) this.#plan()
        return true
      },
      (error: unknown) => {
        this.#asking = undefined
        this.#lost(line, error)
        return false
      },
    )
    this.#asking = asking
    return asking
  }

  #hear(payload: string | undefined): void {
    const notice = readNotice(payload)
    if (notice === undefined || notice.from === this.#self) return
    for (const accountId of notice.accounts) this.#notifications.heardOfItems(accountId)
    if (notice.work) this.#notifications.heardOfWork()
  }

  #lost({ client, socket }: Line, error: unknown): void {
    if (this.#closed || this.#line?.client !== client) return
    this.#line = undefined
    this.#client = undefined
    this.#failures += 1
    if (this.#failures === 1) this.#log.warn({ err: error }, 'the notification channel to other processes was lost')
    // Its later events don't concern the next connection.
    client.removeAllListeners()
    client.on('error', () => undefined)
    socket.destroy()
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures)
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      void this.open()
    }, wait)
    this.#retry.unref()
  }
}

/** Anyone who can write to the database can send any payload. */
function readNotice(payload: string | undefined): Notice | undefined {
  try {
    const value: unknown = JSON.parse(payload ?? '')
    if (typeof value !== 'object' || value === null || !('from' in value) || !('accounts' in value)) return undefined
    const accounts = Array.isArray(value.accounts) ? value.accounts.filter((id) => typeof id === 'string') : []
    return { from: String(value.from), work: 'work' in value && value.work === true, accounts }
  } catch {
    return undefined
  }
}
