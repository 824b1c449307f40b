import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { isAbsent } from '../lib/files.ts'

/** The project that an agent works in. */
export interface Project {
  /** The root of the repository and that of its main worktree, or the folder if it is in none; with `~` for the home. */
  readonly folders: readonly string[]
  /** `owner/name` of the remote `origin`. */
  readonly repository?: string
}

/** The project of a folder. Reads the files of Git instead of running it, which is faster. */
export function projectOf(folder: string, userHome: string): Project {
  const root = repositoryRoot(folder)
  if (root === undefined) return { folders: [withTilde(folder, userHome)] }
  const git = join(root, '.git')
  const common = isFile(git) ? commonFolder(root, read(git)) : git
  const main = basename(common) === '.git' ? dirname(common) : root
  const repository = originName(read(join(common, 'config')))
  return {
    folders: [...new Set([root, main])].map((one) => withTilde(one, userHome)),
    ...(repository !== undefined && { repository }),
  }
}

function repositoryRoot(folder: string): string | undefined {
  if (statSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : repositoryRoot(parent)
}

/** The `.git` folder of the main worktree, from the `.git` file of another one: `gitdir: /shop/.git/worktrees/fix`. */
function commonFolder(root: string, text: string): string {
  const named = /^gitdir: (.+)$/m.exec(text)?.[1]
  const folder = named === undefined ? join(root, '.git') : resolve(root, named.trim())
  return /[\\/]worktrees[\\/][^\\/]+$/.test(folder) ? dirname(dirname(folder)) : folder
}

function originName(config: string): string | undefined {
  const section = /\[remote "origin"\]([^[]*)/.exec(config)?.[1] ?? ''
  const address = /^\s*url\s*=\s*(\S+)/m.exec(section)?.[1]
  return address && /[/:]([^/:\s]+\/[^/\s]+?)(?:\.git)?\/?$/.exec(address)?.[1]
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return ''
    throw error
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** The form in which connectors name folders, which is the same on all machines of a person. */
function withTilde(folder: string, userHome: string): string {
  if (folder === userHome) return '~'
  return folder.startsWith(userHome + sep) ? `~${folder.slice(userHome.length)}` : folder
}
