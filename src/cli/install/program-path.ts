import { existsSync } from 'node:fs'

/** Homebrew removes the folder of a version with the next one, and keeps a link to the newest. */
export function stableNode(node: string): string {
  const link = node.replace(/\/Cellar\/([^/]+)\/[^/]+\//, '/opt/$1/')
  return existsSync(link) ? link : node
}
