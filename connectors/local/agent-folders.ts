import { createHash } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceAccount, SourceMachine } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'

/** Where desktop programs keep their data: `~/.config`, `~/Library/Application Support` or `%APPDATA%`. */
export function applicationData({ platform, userHome, env }: SourceMachine): string {
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || join(userHome, 'AppData', 'Roaming')
  return env.XDG_CONFIG_HOME || join(userHome, '.config')
}

/** A path of the configuration, without `~`. */
export function withoutTilde(path: string, { userHome }: SourceMachine): string {
  return /^~(?:[/\\]|$)/.test(path) ? join(userHome, path.slice(1)) : path
}

/** For display: the home folder is shown as `~`. */
export function withTilde(path: string, { userHome }: SourceMachine): string {
  if (path === userHome) return '~'
  return path.startsWith(userHome) && /[/\\]/.test(path[userHome.length] ?? '')
    ? `~${path.slice(userHome.length)}`
    : path
}

/**
 * The existing folders of a tool, without duplicates, in the order of `candidates`.
 *
 * @throws SourceError `reconfigure` when there is none, with all candidates
 */
export async function presentFolders(
  tool: string,
  candidates: readonly string[],
  machine: SourceMachine,
): Promise<string[]> {
  const present = new Set<string>()
  for (const folder of candidates) {
    const found = await stat(folder).catch((cause: unknown) => absent(folder, cause))
    if (found?.isDirectory()) present.add(await realpath(folder))
  }
  if (present.size > 0) return [...present]
  const looked = [...new Set(candidates)].map((folder) => withTilde(folder, machine)).join(', ')
  throw new SourceError(
    'reconfigure',
    `No ${tool} sessions were found on this machine (looked in ${looked}). Set path to their folder.`,
  )
}

/**
 * Identifies whose sessions these are by the home folder, so that a folder added by a later version of the tool changes
 * nothing; with `path`, by the first path.
 */
export async function folderAccount(
  folders: readonly string[],
  path: string | readonly string[] | undefined,
  machine: SourceMachine,
): Promise<SourceAccount> {
  const home = await realpath(machine.userHome).catch((cause: unknown) => absent(machine.userHome, cause))
  const folder = (path === undefined ? home : folders[0]) ?? machine.userHome
  const account = createHash('sha256').update(folder).digest('hex')
  return { account, title: folders.map((folder) => withTilde(folder, machine)).join(', ') }
}

/** `undefined` if it does not exist. @throws SourceError `reconfigure` for other errors */
export function absent(path: string, cause: unknown): undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
  throw new SourceError('reconfigure', `${path} can't be read (${code ?? 'unreadable'}).`, { cause })
}
