import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '../domain/errors.ts'

/** What lies in the home folder. */
export interface HomeFiles {
  readonly home: string
  readonly database: string
  readonly config: string
  /** Which database the home used last. */
  readonly databaseMarker: string
  readonly credentials: string
  /** Each held by the process that has this role for the home. */
  readonly locks: Readonly<Record<Role, string>>
  /** What connectors received and nobody memorized yet. */
  readonly spool: string
  /** Models that were downloaded. */
  readonly models: string
  /** What grants are sealed with; not part of a backup. */
  readonly secretKey: string
  /** Of the database, while it is downloaded. */
  readonly backupCopy: string
}

export function homeFiles(home: string): HomeFiles {
  return {
    home,
    database: join(home, 'recalld.db'),
    config: join(home, 'config.yaml'),
    databaseMarker: join(home, 'database.json'),
    credentials: join(home, 'credentials.json'),
    locks: {
      api: join(home, 'recalld.lock'),
      worker: join(home, 'worker.lock'),
      scheduler: join(home, 'scheduler.lock'),
      mcp: join(home, 'mcp.lock'),
    },
    spool: join(home, 'spool'),
    models: join(home, 'models'),
    secretKey: join(home, 'secret.key'),
    backupCopy: join(home, 'backup-download.db'),
  }
}

interface HomeSources {
  readonly flag?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  /** Home folder of the person who runs the process. */
  readonly userHome: string
}

/**
 * The folder everything is kept in: flag, else RECALLD_HOME, else the data folder of the platform. Never a folder that
 * depends on where the command was started, so that two terminals see the same memories.
 */
export function homeFolder({ flag, env, platform, userHome }: HomeSources): string {
  const chosen = flag || env.RECALLD_HOME
  if (chosen) return resolve(chosen.replace(/^~(?=$|[/\\])/, () => userHome))
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', 'recalld')
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(userHome, 'AppData', 'Local'), 'recalld')
  // A relative XDG_DATA_HOME is to be ignored, says the XDG base directory specification.
  const data = env.XDG_DATA_HOME
  return join(data?.startsWith('/') ? data : join(userHome, '.local', 'share'), 'recalld')
}

/** Node's recursive `mkdirSync` never returns where a folder exists that takes no others, as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * Makes the home folder, readable by its owner only. An existing one keeps its contents.
 *
 * @throws AppError `invalid` when it cannot be made or written
 */
export function prepareHome(home: string): void {
  try {
    const existed = existsSync(home)
    makeFolder(home)
    if (!existed) chmodSync(home, 0o700)
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
    throw new AppError(
      'invalid',
      `The home folder ${home} cannot be written${reason}. Make it writable, or name another one with RECALLD_HOME.`,
      { cause },
    )
  }
}

/**
 * What a process can do: answer requests, make memories of uploads, run connectors; or answer agents alone, over MCP, which
 * `api` does too.
 */
export const ROLES = ['api', 'worker', 'scheduler', 'mcp'] as const
export type Role = (typeof ROLES)[number]

/** Of the one process that does everything. */
export const ALL_IN_ONE: readonly Role[] = ['api', 'worker', 'scheduler']

/** Where the key lies that seals access and sessions, and whether it is made when it is not there. */
export interface SecretKeyFile {
  readonly file: string
  /** Not one that the settings name: it is shared with others, and a new one would open nothing of theirs. */
  readonly isMade: boolean
}

export function secretKeyFile(config: {
  readonly home: string
  readonly secretKeyFile: string | undefined
}): SecretKeyFile {
  const { home, secretKeyFile: named } = config
  if (named === undefined) return { file: homeFiles(home).secretKey, isMade: true }
  return { file: resolve(home, named), isMade: false }
}
