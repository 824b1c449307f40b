import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { type ConnectionChange, findConnectionEntry, writeConnectionEntries } from '../config/connection-entry.ts'
import { commentedConfig } from '../config/documents.ts'
import { prepareHome } from '../config/home-folder.ts'
import { writePrivateFile } from '../config/private-file.ts'
import { SETTINGS } from '../config.ts'
import type { Context } from './context.ts'
import { failureSentence } from './failure.ts'
import type { SyncTarget } from './sync-contract.ts'
import { needsThePerson } from './sync-report.ts'

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

/** What these files hold now; to be called when that is to be put back. */
export function snapshot(files: readonly string[]): () => void {
  const contents = files.map((file) => {
    const place = existsSync(file) ? realpathSync(file) : file
    return { place, content: existsSync(place) ? readFileSync(place, 'utf8') : undefined }
  })
  return () => {
    for (const { place, content } of contents) {
      if (content === undefined) rmSync(place, { force: true })
      else writePrivateFile(place, content)
    }
  }
}

/** Whether config.yaml has not all of this yet. Settings are only added, never changed. */
export function isNews(file: string, { ref, settings }: ConnectionChange): boolean {
  const existing = findConnectionEntry(file, ref)
  return existing === undefined || Object.keys(settings).some((key) => !(key in existing))
}

/** Asks the source whose account it is. When it cannot be reached, the first run will tell. */
export async function checkEntries(targets: readonly SyncTarget[], context: Context): Promise<readonly CheckedEntry[]> {
  // config.yaml is read when a desk is opened.
  await using desk = await context.sync()
  const checked: CheckedEntry[] = []
  for (const target of targets) {
    try {
      checked.push({ target, ...(await desk.check(target)) })
    } catch (error) {
      const sentence = failureSentence(error)
      if (needsThePerson(error)) checked.push({ target, warnings: [], refusal: sentence })
      else {
        const warning = `It could not be checked now: ${sentence} It is stored, and the first run checks it again.`
        checked.push({ target, warnings: [warning] })
      }
    }
  }
  return checked
}

/** Writes connections and checks them; those that the source or a setting refuses are not there afterwards. */
export async function connectEntries(
  changes: readonly ConnectionChange[],
  /** Settings of other connections, which stay whatever the checks say. */
  others: readonly ConnectionChange[],
  context: Context,
): Promise<readonly CheckedEntry[]> {
  const files = context.home()
  const putBack = snapshot([files.config])
  prepareConfig(files)
  const write = (wanted: readonly ConnectionChange[]) => {
    const news = wanted.filter((change) => isNews(files.config, change))
    if (news.length > 0) writeConnectionEntries(files.config, news)
  }
  write([...others, ...changes])
  const targets = changes.map(({ ref }) => ref)
  const checked = await checkEntries(targets, context).catch((error: unknown) => {
    putBack()
    throw error
  })
  const isRefused = ({ ref }: ConnectionChange) =>
    checked.some(({ target, refusal }) => target === ref && refusal !== undefined)
  if (changes.some(isRefused)) {
    putBack()
    const rest = [...others, ...changes.filter((change) => !isRefused(change))]
    if (rest.length > 0) prepareConfig(files)
    write(rest)
  }
  return checked
}
