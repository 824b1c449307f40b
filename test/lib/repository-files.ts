import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { packagePath } from '../../src/lib/files.ts'

const NOT_OURS = new Set(['node_modules', 'dist', '.git', 'coverage', 'generated', '.tmp'])

/** Files of the checkout whose path from its root matches. */
export function repositoryFiles(pattern: RegExp): { path: string; source: string }[] {
  const root = packagePath('.')
  return filesBelow(root)
    .map((file) => relative(root, file).split(sep).join('/'))
    .filter((path) => pattern.test(path))
    .sort()
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
