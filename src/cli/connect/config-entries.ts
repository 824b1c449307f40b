import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type ConnectionChange, findConnectionEntry, writeConnectionEntries } from '../../config/connection-entry.ts'
import { commentedConfig } from '../../config/documents.ts'
import { prepareHome } from '../../config/home-folder.ts'
import { SETTINGS } from '../../config.ts'
import type { EntryChangeKind, SyncTarget } from '../../connections/sync-service.ts'
import { AppError, needsThePerson } from '../../domain/errors.ts'
import { writePrivateFile } from '../../lib/files.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { messages } from './messages.ts'

/** The result of checking a connection that was written to config.yaml. */
export interface CheckedEntry {
  readonly target: SyncTarget
  /** Display name; absent when it could not be checked. */
  readonly account?: string
  readonly warnings: readonly string[]
  /** Why it is not in config.yaml: a connection that can't work would be reported as a problem forever. */
  readonly refusal?: string
}

/** Creates config.yaml, with every setting as a comment, if there is none. */
export function prepareConfig({ home, config }: { readonly home: string; readonly config: string }): void {
  prepareHome(home)
  if (!existsSync(config)) writePrivateFile(config, commentedConfig(SETTINGS))
}

/** The previous contents of files that this command wrote. */
export interface Snapshot {
  /** To be called after each writing. */
  written(): void
  /** `false`: someone else changed one of them in the meantime, so all stay unchanged. */
  putBack(): boolean
}

export function snapshot(files: readonly string[]): Snapshot {
  const paths = files.map((file) => (existsSync(file) ? realpathSync(file) : file))
  const contents = () => paths.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined))
  const before = contents()
  let after = before
  return {
    written() {
      after = contents()
    },
    putBack() {
      if (!isDeepStrictEqual(contents(), after)) return false
      for (const [index, path] of paths.entries()) {
        const content = before[index]
        if (content === undefined) rmSync(path, { force: true })
        else writePrivateFile(path, content)
      }
      after = before
      return true
    },
  }
}

/** The settings that config.yaml lacks; `undefined` when it has all of them. Settings are only added, never changed. */
export function missingSettings(file: string, { ref, settings }: ConnectionChange): ConnectionChange | undefined {
  const existing = findConnectionEntry(file, ref)
  if (existing === undefined) return { ref, settings }
  const added = Object.entries(settings).filter(([key]) => !(key in existing))
  return added.length === 0 ? undefined : { ref, settings: Object.fromEntries(added) }
}

/** Whether writing the change adds or changes a connection; `undefined` when config.yaml has all of it. */
export function entryChangeKind(file: string, change: ConnectionChange): EntryChangeKind | undefined {
  if (missingSettings(file, change) === undefined) return undefined
  return findConnectionEntry(file, change.ref) === undefined ? 'source_connected' : 'source_changed'
}

interface Checks {
  readonly stop: AbortSignal
  /** The activity to note for a target, unless it is refused. */
  readonly news: ReadonlyMap<SyncTarget, EntryChangeKind>
}

/**
 * Checks the account of the source. If it can't be reached, the first run checks it.
 * @throws AppError `invalid` when `stop` aborts
 */
export async function checkEntries(
  targets: readonly SyncTarget[],
  context: Context,
  { stop, news }: Checks,
): Promise<readonly CheckedEntry[]> {
  // Opening the service reads config.yaml again.
  await using service = await context.sync()
  const checked: CheckedEntry[] = []
  for (const target of targets) {
    try {
      checked.push({ target, ...(await service.check(target, stop)) })
    } catch (error) {
      if (stop.aborted) throw new AppError('invalid', messages.configUnchanged)
      const sentence = failureSentence(error)
      if (needsThePerson(error)) checked.push({ target, warnings: [], refusal: sentence })
      else {
        checked.push({ target, warnings: [messages.notChecked(sentence)] })
      }
    }
  }
  for (const { target, refusal } of checked) {
    const kind = news.get(target)
    if (kind !== undefined && refusal === undefined) await service.note(target, kind)
  }
  return checked
}

export interface ConnectedEntries {
  readonly checked: readonly CheckedEntry[]
  /** Whether config.yaml was changed. */
  readonly isChanged: boolean
}

/** Writes connections and checks them; removes those that the source or a setting refuses. */
export async function connectEntries(
  changes: readonly ConnectionChange[],
  /** Settings of other connections, kept whatever the checks find. */
  others: readonly ConnectionChange[],
  context: Context,
  stop: AbortSignal,
): Promise<ConnectedEntries> {
  const files = context.home()
  const before = snapshot([files.config])
  const write = (wanted: readonly ConnectionChange[]): boolean => {
    if (wanted.length === 0) return false
    prepareConfig(files)
    const news = wanted.flatMap((change) => missingSettings(files.config, change) ?? [])
    if (news.length > 0) writeConnectionEntries(files.config, news)
    before.written()
    return news.length > 0
  }
  const kinds = changes.map((change) => [change.ref, entryChangeKind(files.config, change)] as const)
  const news = new Map(kinds.flatMap(([ref, kind]) => (kind === undefined ? [] : [[ref, kind] as const])))
  const isChanged = write([...others, ...changes])
  const targets = changes.map(({ ref }) => ref)
  const checked = await checkEntries(targets, context, { stop, news }).catch((error: unknown) => {
    before.putBack()
    throw error
  })
  const isRefused = (ref: SyncTarget) => checked.some(({ target, refusal }) => target === ref && refusal !== undefined)
  if (!targets.some(isRefused)) return { checked, isChanged }
  if (!before.putBack()) return { checked: checked.map(withLeftover), isChanged }
  return { checked, isChanged: write([...others, ...changes.filter(({ ref }) => !isRefused(ref))]) }
}

/** A change by someone else is kept, even though a refused connection stays in the file. */
function withLeftover(entry: CheckedEntry): CheckedEntry {
  if (entry.refusal === undefined) return entry
  const { connector, name } = entry.target
  return { ...entry, refusal: messages.stillInConfig(entry.refusal, `${connector}/${name}`) }
}
