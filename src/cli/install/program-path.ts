import { existsSync } from 'node:fs'

/** Whether the program is in the cache of npx, which npm empties. */
export function isInNpxCache(launcherPath: string): boolean {
  return /[\\/]_npx[\\/]/.test(launcherPath)
}

/** The path of Node that survives updates: Homebrew removes the folder of a version, and keeps a link to the newest. */
export function stableNode(node: string): string {
  const link = node.replace(/\/Cellar\/([^/]+)\/[^/]+\//, '/opt/$1/')
  return existsSync(link) ? link : node
}
