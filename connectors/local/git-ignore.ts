import { lstat, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { absent } from './agent-folders.ts'

/** Patterns of one `.gitignore`, or of `.git/info/exclude`. */
interface Patterns {
  /** The folder that the patterns are relative to. */
  readonly folder: string
  readonly patterns: Ignore
}

/** What git ignores in a folder: its patterns after those of the folders above it, up to the repository. */
export type GitIgnore = readonly Patterns[]

/** Whether git ignores a file or folder. A file that was added to the repository in spite of a pattern counts as ignored. */
export function isGitIgnored(rules: GitIgnore, path: string, isFolder: boolean): boolean {
  for (const { folder, patterns } of rules.toReversed()) {
    const below = relative(folder, path).replaceAll(sep, '/')
    const { ignored, unignored } = patterns.test(isFolder ? `${below}/` : below)
    if (ignored || unignored) return ignored
  }
  return false
}

/** The rules inside a folder. @param names what the folder contains, which saves looking for files that are not there */
export async function gitIgnoreIn(folder: string, above: GitIgnore, names: ReadonlySet<string>): Promise<GitIgnore> {
  const isRepository = names.has('.git')
  if (!isRepository && (above.length === 0 || !names.has('.gitignore'))) return above
  const own = isRepository
    ? [{ folder, patterns: await patternsOf(join(folder, '.git', 'info', 'exclude')) }]
    : [...above]
  return [...own, { folder, patterns: await patternsOf(join(folder, '.gitignore')) }]
}

/** The rules that apply to a root because of the repository it lies in; none when git ignores the root itself. */
export async function gitIgnoreAbove(root: string): Promise<GitIgnore> {
  const above: string[] = []
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    above.unshift(folder)
    if (dirname(folder) === folder) break
  }
  let rules: GitIgnore = []
  for (const folder of above) rules = await gitIgnoreIn(folder, rules, await presentNames(folder))
  return isGitIgnored(rules, root, true) ? [] : rules
}

/** Whether git ignores a file below a root, or a folder on the way to it. */
export async function isGitIgnoredBelow(root: string, path: string): Promise<boolean> {
  let rules = await gitIgnoreAbove(root)
  let folder = root
  const parts = relative(root, path).split(sep)
  for (const [at, part] of parts.entries()) {
    rules = await gitIgnoreIn(folder, rules, await presentNames(folder))
    folder = join(folder, part)
    if (isGitIgnored(rules, folder, at < parts.length - 1)) return true
  }
  return false
}

async function presentNames(folder: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const name of ['.git', '.gitignore']) {
    const path = join(folder, name)
    if (await lstat(path).catch((cause: unknown) => absent(path, cause))) names.add(name)
  }
  return names
}

async function patternsOf(path: string): Promise<Ignore> {
  const source = await readFile(path, 'utf8').catch((cause: unknown) => absent(path, cause))
  return ignore({ ignorecase: false }).add(source ?? '')
}
