import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '../domain/errors.ts'

/** The files and folders in the home folder. */
export interface HomeFiles {
  readonly home: string
  readonly database: string
  readonly config: string
  /** Which database the home used last. */
  readonly databaseMarker: string
  readonly credentials: string
  /** Lock files, each held by the process with this role. */
  readonly locks: Readonly<Record<Role, string>>
  /** Entries that connectors received but have not memorized yet. */
  readonly spool: string
  /** What runs copy, such as databases in use: a folder for each process, which is removed when it ends. */
  readonly copies: string
  /** Exports of apps that people uploaded. */
  readonly imports: string
  /** What hooks showed to agents. */
  readonly hooks: string
  /** Downloaded models. */
  readonly models: string
  /** The key that encrypts grants; not part of a backup. */
  readonly secretKey: string
  /** Partial download of the database. */
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
    copies: join(home, 'copies'),
    imports: join(home, 'imports'),
    hooks: join(home, 'hooks'),
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
 * The home folder: the flag, otherwise RECALLD_HOME, otherwise the platform's data folder. Never relative to the
 * current folder, so that every terminal sees the same memories.
 */
export function homeFolder({ flag, env, platform, userHome }: HomeSources): string {
  const chosen = flag || env.RECALLD_HOME
  if (chosen) return resolve(chosen.replace(/^~(?=$|[/\\])/, () => userHome))
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', 'recalld')
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(userHome, 'AppData', 'Local'), 'recalld')
  // The XDG base directory specification says to ignore a relative XDG_DATA_HOME.
  const data = env.XDG_DATA_HOME
  return join(data?.startsWith('/') ? data : join(userHome, '.local', 'share'), 'recalld')
}

/** Node's recursive `mkdirSync` never returns in a folder that accepts no subfolders, such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * Creates the home folder, readable only by its owner. An existing folder keeps its contents.
 *
 * @throws AppError `invalid` when it cannot be created or is not writable
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
      `The home folder ${home} is not writable${reason}. Make it writable, or set RECALLD_HOME to a different folder.`,
      { cause },
    )
  }
}

/**
 * The roles of a process: answer requests, turn uploads into memories, run connectors; or only serve agents over MCP,
 * which `api` does too.
 */
export const ROLES = ['api', 'worker', 'scheduler', 'mcp'] as const
export type Role = (typeof ROLES)[number]

/** The roles of a process that does everything. */
export const ALL_IN_ONE: readonly Role[] = ['api', 'worker', 'scheduler']

/** The key file for grants and sessions, and whether to create it when it is missing. */
export interface SecretKeyFile {
  readonly file: string
  /** False for a configured file: it is shared, and a new key could not decrypt existing data. */
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
