import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const INPUTS = [
  'src',
  'connectors',
  'test/contract/connector-testing.ts',
  'test/contract/connector-contract.ts',
  'test/lib/connector-context.ts',
  'package-lock.json',
  'scripts/build-program.js',
  'scripts/merge-chunks.js',
]
/** Built separately. */
const WEB_APP = join(root, 'src/web')

/** Whether what was built is at least as new as every source in this checkout. Takes about 10 ms. */
export function isBundleCurrent(built = 'dist/program/main.js') {
  const builtAt = statSync(join(root, built), { throwIfNoEntry: false })?.mtimeMs
  return builtAt !== undefined && INPUTS.every((path) => isOlder(join(root, path), builtAt))
}

function isOlder(path, builtAt) {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs <= builtAt
  return readdirSync(path, { withFileTypes: true }).every((child) => {
    const childPath = join(path, child.name)
    if (childPath === WEB_APP || (child.isFile() && !child.name.endsWith('.ts'))) return true
    return isOlder(childPath, builtAt)
  })
}
