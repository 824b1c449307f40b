import { AppError } from '../domain/errors.ts'
import type { Scope } from '../domain/scope.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { BlobOptions } from './bodies/bodies.ts'
import type { ChangeNotifications } from './change-notifications.ts'
import type { CompiledStatements } from './compiled-statements.ts'
import type { MemoryEdit } from './edits/edits.ts'
import type { CandidateSource, SqlEngine } from './engine.ts'
import { sourceRestriction } from './items/item-rows.ts'
import type { ReadCache } from './read-cache.ts'
import type { Db } from './schema.ts'
import type { Spaces } from './spaces/spaces.ts'
import type { Store, StoreCapabilities } from './store.ts'
import type { WriteCommandRunner } from './write-commands.ts'

/** Source of candidates and ranking features. */
export interface Searched {
  readonly db: Db
  readonly candidates: CandidateSource
}

/** What an engine provides; `createStore` builds the store from it. */
export interface EngineParts {
  readonly capabilities: StoreCapabilities
  readonly engine: SqlEngine
  /** Reads the latest commit. */
  readonly db: Db
  readonly commands: WriteCommandRunner
  /** Where the account is searched now. */
  searchOn(accountId: string): Searched
  readonly notifications: ChangeNotifications
  readonly clock: Clock
  readonly log: Log
  /** Internal key of an account, which never changes. */
  accountKey(accountId: string): Promise<number | undefined>
  readonly activeSpace: Spaces['active']
  /** Changes with every commit; absent where asking for it costs as much as reading again. */
  readonly state?: () => number
  /** Measures the duration of write commands. */
  readonly telemetry?: Telemetry | undefined
  /** Absent: all uploads are stored in the database. */
  readonly bodies?: BlobOptions | undefined
  /** Absent: the engine keeps nothing in this process. */
  readonly stats?: Store['engineStats']
  readonly changeMark: Store['changeMark']
  readonly check: Store['check']
  readonly backup: Store['backup']
  readonly pageProblems: Store['pageProblems']
  /** Begins what the engine does in the background, in processes with the worker; `close` ends it. */
  readonly beginUpkeep?: () => void
  /** Closes connections and threads; call it when nothing runs any more. */
  close(): Promise<void>
}

/** The account and sources that bound each read. */
export interface AccountReader {
  readonly db: Db
  readonly engine: SqlEngine
  readonly accountKey: number
  readonly scope: Scope
  readonly kept: ReadCache
  readonly statements: CompiledStatements
  /** Milliseconds since the epoch. */
  readonly now: number
}

type AccountParts = Pick<EngineParts, 'db' | 'engine' | 'commands' | 'clock' | 'accountKey'> & {
  readonly kept: ReadCache
  readonly statements: CompiledStatements
}

/** One account, restricted to a scope. */
export class ScopedAccount {
  readonly scope: Scope
  readonly commands: WriteCommandRunner
  readonly #parts: AccountParts
  #edits: Promise<readonly MemoryEdit[]> | undefined
  #hidesAny: Promise<boolean> | undefined

  constructor(parts: AccountParts, scope: Scope) {
    this.scope = scope
    this.commands = parts.commands
    this.#parts = parts
  }

  /** The result of `read`, or `absent` when the account does not exist. */
  async read<Result, Absent>(
    read: (account: AccountReader) => Promise<Result>,
    absent: Absent,
  ): Promise<Result | Absent> {
    const { db, engine, clock, kept, statements } = this.#parts
    const accountKey = await this.#parts.accountKey(this.scope.accountId)
    if (accountKey === undefined) return absent
    return read({ db, engine, accountKey, scope: this.scope, kept, statements, now: clock().getTime() })
  }

  /**
   * The edits: where nothing is kept between commits, those at the first call, because one request asks for them before
   * and after each of its reads.
   */
  editsOf(read: () => Promise<readonly MemoryEdit[]>, kept: ReadCache): Promise<readonly MemoryEdit[]> {
    if (kept.isKeeping) return read()
    if (this.#edits === undefined) {
      this.#edits = read()
      this.#edits.catch(() => this.forgetEdits())
    }
    return this.#edits
  }

  /** Whether any memory is hidden, at the first call: every read asks, and of nearly all accounts none is. */
  hidesAny(edits: () => Promise<readonly MemoryEdit[]>): Promise<boolean> {
    if (this.#hidesAny === undefined) {
      this.#hidesAny = edits().then((found) => found.some(({ kind }) => kind === 'hide'))
      this.#hidesAny.catch(() => this.forgetEdits())
    }
    return this.#hidesAny
  }

  /** After a change of the edits. */
  forgetEdits(): void {
    this.#edits = undefined
    this.#hidesAny = undefined
  }

  /** @throws AppError `forbidden` with this message, unless the scope has all sources */
  requireAllSources(sentence: string): void {
    if (sourceRestriction(this.scope) !== 'all') throw new AppError('forbidden', sentence)
  }
}
