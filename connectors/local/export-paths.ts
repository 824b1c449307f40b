import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SourceAccount, SourceMachine } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { absent, folderAccount, withoutTilde, withTilde } from './agent-folders.ts'

/**
 * The folders and files with exports, without `~`.
 * @throws SourceError `reconfigure` when one does not exist
 */
export async function exportPaths(given: readonly string[], machine: SourceMachine): Promise<string[]> {
  const paths = given.map((path) => withoutTilde(path, machine))
  for (const path of paths) {
    const found = await stat(path).catch((cause: unknown) => absent(path, cause))
    if (found?.isDirectory() || found?.isFile()) continue
    throw new SourceError('reconfigure', `There is no folder or file ${withTilde(path, machine)}. Check paths.`)
  }
  return paths
}

/**
 * Whose exports these are: with a folder first, by that folder; with a file first, by the connection, because files come
 * and go.
 */
export async function exportAccount(
  { name, paths: given }: { readonly name: string; readonly paths: readonly string[] },
  machine: SourceMachine,
): Promise<SourceAccount> {
  const paths = await exportPaths(given, machine)
  const kinds = await Promise.all(paths.map(async (path) => ({ path, isFile: (await stat(path)).isFile() })))
  if (kinds[0]?.isFile !== true) return folderAccount(paths, given, machine)
  const title = kinds.map(({ path, isFile }) => (isFile ? basename(path) : withTilde(path, machine))).join(', ')
  return { account: createHash('sha256').update(`files of ${name}`).digest('hex'), title }
}
