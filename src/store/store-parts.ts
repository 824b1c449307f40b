import { AppError } from '../domain/errors.ts'
import type { Scope } from '../domain/scope.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { BlobOptions } from './bodies/bodies.ts'
import type { ChangeNotifications } from './change-notifications.ts'
import type { CandidateSource, SqlEngine } from './engine.ts'
import { sourceRestriction } from './items/item-rows.ts'
import type { Db } from './schema.ts'
import type { Spaces } from './spaces/spaces.ts'
import type { Store, StoreCapabilities } from './store.ts'
import type { WriteCommandRunner } from './write-commands.ts'

/** What an engine brings; `createStore` makes the rest of it. */
export interface EngineParts {
  readonly capabilities: StoreCapabilities
  readonly engine: SqlEngine
  /** Reads what was committed last. */
  readonly db: Db
  /** Reads candidates and what ranks them; may lag behind. */
  readonly searched: Db
  readonly commands: WriteCommandRunner
  readonly candidates: CandidateSource
  readonly notifications: ChangeNotifications
  readonly clock: Clock
  readonly log: Log
  /** Internal key of an account, which it keeps for life. */
  accountKey(accountId: string): Promise<number | undefined>
  readonly activeSpace: Spaces['active']
  /** Measures how long each write command takes. */
  readonly telemetry?: Telemetry | undefined
  /** Absent: all bytes of uploads are in the database. */
  readonly bodies?: BlobOptions | undefined
  /** Absent: it holds nothing in this process. */
  readonly stats?: Store['engineStats']
  readonly changeMark: Store['changeMark']
  readonly check: Store['check']
  readonly backup: Store['backup']
  readonly pageProblems: Store['pageProblems']
  /** Closes connections and threads; nothing runs any more. */
  close(): Promise<void>
}

/** What each read of one account is bound to. */
export interface AccountReader {
  readonly db: Db
  readonly engine: SqlEngine
  readonly accountKey: number
  readonly scope: Scope
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** One account, as far as a scope goes. */
export class ScopedAccount {
  readonly scope: Scope
  readonly commands: WriteCommandRunner
  readonly #parts: Pick<EngineParts, 'db' | 'engine' | 'commands' | 'clock' | 'accountKey'>

  constructor(parts: Pick<EngineParts, 'db' | 'engine' | 'commands' | 'clock' | 'accountKey'>, scope: Scope) {
    this.scope = scope
    this.commands = parts.commands
    this.#parts = parts
  }

  /** What `read` returns, or `absent` when there is no such account. */
  async read<Result, Absent>(
    read: (account: AccountReader) => Promise<Result>,
    absent: Absent,
  ): Promise<Result | Absent> {
    const { db, engine, clock } = this.#parts
    const accountKey = await this.#parts.accountKey(this.scope.accountId)
    if (accountKey === undefined) return absent
    return read({ db, engine, accountKey, scope: this.scope, now: clock().getTime() })
  }

  /** @throws AppError `forbidden`, with this sentence, unless the scope has all sources */
  requireAllSources(sentence: string): void {
    if (sourceRestriction(this.scope) !== 'all') throw new AppError('forbidden', sentence)
  }
}
