import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the bundle is made of; the web app has a build of its own. */
const INPUTS = ['src', 'connectors', 'package-lock.json', 'scripts/build-program.js']
const root = fileURLToPath(new URL('..', import.meta.url))

/** Whether dist/program is at least as new as every source in this checkout. Takes about 10 ms. */
export function isBundleCurrent() {
  const builtAt = statSync(join(root, 'dist/program/main.js'), { throwIfNoEntry: false })?.mtimeMs
  return builtAt !== undefined && INPUTS.every((path) => isOlder(join(root, path), builtAt))
}

function isOlder(path, builtAt) {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs <= builtAt
  return readdirSync(path, { withFileTypes: true }).every((child) => {
    if (child.isDirectory())
      return path.endsWith('src') && child.name === 'web' ? true : isOlder(join(path, child.name), builtAt)
    return !child.name.endsWith('.ts') || isOlder(join(path, child.name), builtAt)
  })
}
