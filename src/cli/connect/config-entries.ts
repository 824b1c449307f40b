import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type ConnectionChange, findConnectionEntry, writeConnectionEntries } from '../../config/connection-entry.ts'
import { commentedConfig } from '../../config/documents.ts'
import { prepareHome } from '../../config/home-folder.ts'
import { SETTINGS } from '../../config.ts'
import type { EntryNews, SyncTarget } from '../../connections/sync-service.ts'
import { AppError, needsThePerson } from '../../domain/errors.ts'
import { writePrivateFile } from '../../lib/files.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'

/** What a check said of a connection that was written to config.yaml. */
export interface CheckedEntry {
  readonly target: SyncTarget
  /** For people; absent when it could not be checked. */
  readonly account?: string
  readonly warnings: readonly string[]
  /** Why it is not in config.yaml: a connection that cannot work would be reported as a problem for ever. */
  readonly refusal?: string
}

/** Makes config.yaml, with every setting as a comment, where there is none. */
export function prepareConfig({ home, config }: { readonly home: string; readonly config: string }): void {
  prepareHome(home)
  if (!existsSync(config)) writePrivateFile(config, commentedConfig(SETTINGS))
}

/** What files held before this command wrote them. */
export interface Snapshot {
  /** To be called after each writing. */
  written(): void
  /** `false`: somebody else has written one of them meanwhile, so all stay as they are. */
  putBack(): boolean
}

export function snapshot(files: readonly string[]): Snapshot {
  const places = files.map((file) => (existsSync(file) ? realpathSync(file) : file))
  const contents = () => places.map((place) => (existsSync(place) ? readFileSync(place, 'utf8') : undefined))
  const before = contents()
  let after = before
  return {
    written() {
      after = contents()
    },
    putBack() {
      if (!isDeepStrictEqual(contents(), after)) return false
      for (const [index, place] of places.entries()) {
        const content = before[index]
        if (content === undefined) rmSync(place, { force: true })
        else writePrivateFile(place, content)
      }
      after = before
      return true
    },
  }
}

/** What of this config.yaml has not yet; `undefined` when it has all. Settings are only added, never changed. */
export function newsOf(file: string, { ref, settings }: ConnectionChange): ConnectionChange | undefined {
  const existing = findConnectionEntry(file, ref)
  if (existing === undefined) return { ref, settings }
  const added = Object.entries(settings).filter(([key]) => !(key in existing))
  return added.length === 0 ? undefined : { ref, settings: Object.fromEntries(added) }
}

/** What writing it to this config.yaml makes of a connection; `undefined` when that has all of it. */
export function entryNews(file: string, change: ConnectionChange): EntryNews | undefined {
  if (newsOf(file, change) === undefined) return undefined
  return findConnectionEntry(file, change.ref) === undefined ? 'source_connected' : 'source_changed'
}

interface Checks {
  readonly stop: AbortSignal
  /** What is told as activity of a target, unless it is refused. */
  readonly news: ReadonlyMap<SyncTarget, EntryNews>
}

/**
 * Asks the source whose account it is. When it cannot be reached, the first run will tell.
 *
 * @throws AppError `invalid` when `stop` aborts
 */
export async function checkEntries(
  targets: readonly SyncTarget[],
  context: Context,
  { stop, news }: Checks,
): Promise<readonly CheckedEntry[]> {
  // config.yaml is read when a desk is opened.
  await using desk = await context.sync()
  const checked: CheckedEntry[] = []
  for (const target of targets) {
    try {
      checked.push({ target, ...(await desk.check(target, stop)) })
    } catch (error) {
      if (stop.aborted) throw new AppError('invalid', 'Stopped; config.yaml is as it was.')
      const sentence = failureSentence(error)
      if (needsThePerson(error)) checked.push({ target, warnings: [], refusal: sentence })
      else {
        const warning = `It could not be checked now: ${sentence} It is stored, and the first run checks it again.`
        checked.push({ target, warnings: [warning] })
      }
    }
  }
  for (const { target, refusal } of checked) {
    const kind = news.get(target)
    if (kind !== undefined && refusal === undefined) await desk.note(target, kind)
  }
  return checked
}

export interface ConnectedEntries {
  readonly checked: readonly CheckedEntry[]
  /** Whether config.yaml says anything that it did not say before. */
  readonly isChanged: boolean
}

/** Writes connections and checks them; those that the source or a setting refuses are not there afterwards. */
export async function connectEntries(
  changes: readonly ConnectionChange[],
  /** Settings of other connections, which stay whatever the checks say. */
  others: readonly ConnectionChange[],
  context: Context,
  stop: AbortSignal,
): Promise<ConnectedEntries> {
  const files = context.home()
  const before = snapshot([files.config])
  const write = (wanted: readonly ConnectionChange[]): boolean => {
    if (wanted.length === 0) return false
    prepareConfig(files)
    const news = wanted.flatMap((change) => newsOf(files.config, change) ?? [])
    if (news.length > 0) writeConnectionEntries(files.config, news)
    before.written()
    return news.length > 0
  }
  const kinds = changes.map((change) => [change.ref, entryNews(files.config, change)] as const)
  const news = new Map(kinds.flatMap(([ref, kind]) => (kind === undefined ? [] : [[ref, kind] as const])))
  const isChanged = write([...others, ...changes])
  const targets = changes.map(({ ref }) => ref)
  const checked = await checkEntries(targets, context, { stop, news }).catch((error: unknown) => {
    before.putBack()
    throw error
  })
  const isRefused = (ref: SyncTarget) => checked.some(({ target, refusal }) => target === ref && refusal !== undefined)
  if (!targets.some(isRefused)) return { checked, isChanged }
  if (!before.putBack()) return { checked: checked.map(staying), isChanged }
  return { checked, isChanged: write([...others, ...changes.filter(({ ref }) => !isRefused(ref))]) }
}

/** What somebody else wrote meanwhile counts for more than what is left over. */
function staying(entry: CheckedEntry): CheckedEntry {
  if (entry.refusal === undefined) return entry
  const { connector, name } = entry.target
  const remedy = `config.yaml was changed meanwhile, so ${connector}/${name} still stands there: take it out`
  return { ...entry, refusal: `${entry.refusal} But ${remedy}.` }
}
