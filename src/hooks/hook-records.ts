import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEvent } from '../hosts/host.ts'
import { isAbsent, writePrivateFile } from '../lib/files.ts'

/** What a session was shown, so that no passage is shown twice. */
export interface SessionRecord {
  /** Prompts so far. */
  readonly prompts: number
  /** Ids of the passages shown. */
  readonly seen: readonly string[]
}

/** One hook call that showed passages. */
export interface ShownRecord {
  readonly at: string
  readonly event: HookEvent
  readonly host: string
  readonly session: string
  readonly folder: string
  /** Absent at session start. */
  readonly probability?: number
  readonly tokens: number
  readonly ms: number
  readonly passages: readonly { readonly source: string; readonly item_id: string; readonly title?: string }[]
}

/** A larger log is rotated; one previous log is kept. */
const MOST_LOG_BYTES = 1_000_000
/** Records of sessions that were not continued for this long are deleted. */
const SESSION_DAYS = 30
const DAY_MS = 86_400_000
const MOST_SEEN = 500

/** Records of the hooks, in a folder of the home. Contain ids and titles, never prompts. */
export class HookRecords {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  session(id: string): SessionRecord {
    try {
      const read: unknown = JSON.parse(readFileSync(this.#sessionFile(id), 'utf8'))
      if (isSession(read)) return read
    } catch (error) {
      if (!isAbsent(error) && !(error instanceof SyntaxError)) throw error
    }
    return { prompts: 0, seen: [] }
  }

  keepSession(id: string, { prompts, seen }: SessionRecord): void {
    const file = this.#sessionFile(id)
    const isNew = !existsSync(file)
    mkdirSync(join(this.#folder, 'sessions'), { recursive: true, mode: 0o700 })
    writePrivateFile(file, JSON.stringify({ prompts, seen: seen.slice(-MOST_SEEN) }))
    if (isNew) this.#forgetOldSessions()
  }

  note(shown: ShownRecord): void {
    const log = this.#log
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MOST_LOG_BYTES) renameSync(log, `${log}.1`)
    appendFileSync(log, `${JSON.stringify(shown)}\n`, { mode: 0o600 })
  }

  /** Newest first. */
  shown(most: number): ShownRecord[] {
    const lines = [`${this.#log}.1`, this.#log].flatMap((file) =>
      existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [],
    )
    // A killed process may have written only half of its last line.
    return lines
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .slice(-most)
      .reverse()
      .map((line): ShownRecord => JSON.parse(line))
  }

  get #log(): string {
    return join(this.#folder, 'shown.jsonl')
  }

  /** The host chooses the id, so it can't be used as a file name. */
  #sessionFile(id: string): string {
    const name = createHash('sha256').update(id).digest('hex').slice(0, 32)
    return join(this.#folder, 'sessions', `${name}.json`)
  }

  #forgetOldSessions(): void {
    const oldest = Date.now() - SESSION_DAYS * DAY_MS
    for (const name of readdirSync(join(this.#folder, 'sessions'))) {
      const file = join(this.#folder, 'sessions', name)
      if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest) rmSync(file, { force: true })
    }
  }
}

function isSession(value: unknown): value is SessionRecord {
  if (typeof value !== 'object' || value === null) return false
  const { prompts, seen } = value as Readonly<Record<string, unknown>>
  return Number.isInteger(prompts) && Array.isArray(seen) && seen.every((id) => typeof id === 'string')
}
