import { stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { openPromise } from 'yauzl'
import type { SourceMachine } from '../../src/connector/connector.ts'
import { withoutTilde, withTilde } from './agent-folders.ts'

/**
 * A sentence for each export of which nothing can be read.
 * @param given as the settings name them
 * @param files that hold something, by their names
 */
export async function unreadExports(
  given: readonly string[],
  files: readonly { readonly path: string }[],
  machine: SourceMachine,
): Promise<string[]> {
  const found = [...new Set(files.map(({ path }) => path))]
  const warnings: string[] = []
  for (const path of found)
    if (isArchive(path) && (await archiveProblem(path)) === 'encrypted')
      warnings.push(lockedExport(withTilde(path, machine)))
  for (const path of given.map((one) => withoutTilde(one, machine))) {
    const folder = path.endsWith(sep) ? path : `${path}${sep}`
    if (!found.some((one) => one === path || one.startsWith(folder)))
      warnings.push(await unknownExport(path, withTilde(path, machine)))
  }
  return warnings
}

async function unknownExport(path: string, title: string): Promise<string> {
  if (isArchive(path) && (await stat(path)).isDirectory())
    return `${title} is a folder, not a ZIP file, and holds no export that recalld knows. Check paths.`
  const problem = isArchive(path) ? await archiveProblem(path) : undefined
  if (problem === 'encrypted') return lockedExport(title)
  if (typeof problem === 'object') return `${title} can't be read (${problem.refused}). Allow recalld to read it.`
  if (problem === 'damaged') return `${title} is damaged or incomplete. Download it again.`
  if (problem === 'nested')
    return `${title} holds other ZIP files, so it was not read. Unpack it, and set paths to the unpacked folder.`
  return `${title} holds no export that recalld knows. Check paths.`
}

function lockedExport(title: string): string {
  return `${title} has a password, so it was not read. Unpack it, and set paths to the unpacked folder.`
}

function isArchive(path: string): boolean {
  return /\.zip$/i.test(path)
}

/** Why nothing is read of an archive; `refused`: the error code of the file system. */
type ArchiveProblem = 'encrypted' | 'nested' | 'damaged' | { readonly refused: string }

async function archiveProblem(path: string): Promise<ArchiveProblem | undefined> {
  try {
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
    try {
      let isNested = false
      for await (const entry of zip.eachEntry()) {
        if (entry.isEncrypted()) return 'encrypted'
        isNested ||= isArchive(entry.fileName)
      }
      return isNested ? 'nested' : undefined
    } finally {
      zip.close()
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // Errors of the format have no code.
    return 'code' in error ? { refused: String(error.code) } : 'damaged'
  }
}
