import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { isExecutable } from '../../src/lib/find-program.ts'
import { freePort } from './free-port.ts'
import { LOOPBACK, type NetworkHost } from './network-host.ts'
import { until } from './until.ts'

/** `fast`: connections are ended first. `immediate`: everything stops where it is, as at a power cut. */
export type StopMode = 'fast' | 'immediate'

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
const PROGRAMS = ['initdb', 'postgres', 'pg_config', 'pg_basebackup']
/** Processes are killed here, machines are not: what the kernel has taken is there afterwards. */
const DEFAULTS = { fsync: 'off' } as const

/** Settings with which nothing of the write-ahead log is kept for a replica that is away. */
export const KEEPS_NO_LOG = { wal_keep_size: '0', wal_recycle: 'off', max_wal_size: '32MB', min_wal_size: '32MB' }

/** A server of PostgreSQL with pgvector that is the test's own: on a free port of loopback or of another place, in a temporary folder. */
export class OwnPostgres implements AsyncDisposable {
  /** Of the one user, who may do everything. */
  readonly url: string
  readonly #bin: string
  readonly #folder: string
  readonly #port: number
  readonly #settings: Readonly<Record<string, string>>
  readonly #place: NetworkHost
  #server: ChildProcess | undefined

  private constructor(
    place: NetworkHost,
    { bin, folder, port }: { bin: string; folder: string; port: number },
    settings: Readonly<Record<string, string>>,
  ) {
    this.#place = place
    this.#bin = bin
    this.#folder = folder
    this.#port = port
    this.#settings = settings
    this.url = `postgres://recalld@${place.host}:${port}/postgres?sslmode=disable`
  }

  /** The same in another of its databases, which `create database` has made. */
  urlOf(database: string): string {
    return this.url.replace('/postgres?', `/${database}?`)
  }

  /** Why there can be none here, in a sentence; `undefined` when there can. */
  static get lack(): string | undefined {
    const bin = programFolder()
    if (bin === undefined) return 'no PostgreSQL: set RECALLD_TEST_POSTGRES_BIN to the folder of initdb'
    const share = execFileSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' }).trim()
    if (!existsSync(join(share, 'extension', 'vector.control'))) return 'PostgreSQL has no extension "vector"'
    return isRoot() && unprivilegedUser() === undefined ? 'PostgreSQL does not run as root' : undefined
  }

  /** Why tests leave it out, in a sentence: they take minutes of it, so whoever wants them names it. */
  static get leftOut(): string | undefined {
    const named = process.env.RECALLD_TEST_POSTGRES_BIN
    return named === undefined ? 'RECALLD_TEST_POSTGRES_BIN names no folder with initdb' : OwnPostgres.lack
  }

  /** @param settings of `postgresql.conf` */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    place: NetworkHost = LOOPBACK,
  ): Promise<OwnPostgres> {
    const bin = programFolder()
    if (bin === undefined) throw new Error(OwnPostgres.lack)
    const folder = dataFolder()
    const data = [
      '-D',
      folder,
      '-U',
      'recalld',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-instructions',
      '--no-sync',
    ]
    execFileSync(join(bin, 'initdb'), data, { ...asUser(), stdio: 'ignore', cwd: tmpdir() })
    // Beside loopback, which is there.
    if (place !== LOOPBACK) appendFileSync(join(folder, 'pg_hba.conf'), 'host all recalld all trust\n')
    const server = new OwnPostgres(place, { bin, folder, port: await freePort() }, settings)
    await server.start()
    return server
  }

  /** A replica of this one, which follows it by streaming and only reads. */
  async replica(settings: Readonly<Record<string, string>> = {}): Promise<OwnPostgres> {
    const at = { bin: this.#bin, folder: dataFolder(), port: await freePort() }
    const replica = new OwnPostgres(this.#place, at, settings)
    await replica.copy(this)
    return replica
  }

  /** Begins again as a replica of another one. */
  async copy(primary: OwnPostgres): Promise<void> {
    await this.stop('immediate')
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name), { recursive: true })
    const copy = ['-D', this.#folder, '-d', primary.url.replace('/postgres?', '?'), '-R', '-c', 'fast']
    await promisify(execFile)(join(this.#bin, 'pg_basebackup'), copy, { ...asUser(), cwd: tmpdir() })
    await this.start()
  }

  /** Until the part of the write-ahead log that a stopped replica needs next is gone; see `KEEPS_NO_LOG`. */
  async loseLog(): Promise<void> {
    const [before] = await this.query('select pg_walfile_name(pg_current_wal_lsn()) as file')
    const isThere = `select from pg_ls_waldir() where name = '${before?.file}'`
    await until(async () => {
      await this.query('create table if not exists filler (n int)')
      await this.query('insert into filler select 1')
      await this.query('select pg_switch_wal()')
      await this.query('checkpoint')
      return (await this.query(isThere)).length === 0
    })
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const options = { ...DEFAULTS, ...this.#settings, listen_addresses: this.#place.host, port: String(this.#port) }
    const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const sockets = ['-c', `unix_socket_directories=${this.#folder}`]
    const command = [join(this.#bin, 'postgres'), '-D', this.#folder, ...sockets, ...args]
    const [program = '', ...rest] = [...this.#launcher, ...command]
    const server = spawn(program, rest, {
      ...(this.#launcher.length === 0 && asUser()),
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: tmpdir(),
    })
    let said = ''
    server.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-2_000)
    })
    this.#server = server
    await until(async () => {
      if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`)
      return this.#answers()
    })
  }

  async stop(mode: StopMode): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill(SIGNALS[mode])
    await ended
  }

  async restart(mode: StopMode): Promise<void> {
    await this.stop(mode)
    await this.start()
  }

  async end(): Promise<void> {
    await this.stop('immediate')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end()
  }

  /** @returns the rows of a statement, past recalld's own code */
  async query(statement: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url, application_name: 'test' })
    // Ended by the server.
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }

  /** Who enters another network must be root, and PostgreSQL must not. */
  get #launcher(): readonly string[] {
    const { launcher } = this.#place
    const { uid, gid } = asUser()
    if (launcher.length === 0 || uid === undefined) return launcher
    return [...launcher, 'setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  }

  async #answers(): Promise<boolean> {
    return this.query('select 1').then(
      () => true,
      () => false,
    )
  }
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'recalld-postgres-'))
  const user = unprivilegedUser()
  if (isRoot() && user !== undefined) chownSync(folder, user.uid, user.gid)
  return folder
}

function programFolder(): string | undefined {
  const named = process.env.RECALLD_TEST_POSTGRES_BIN
  const path = (process.env.PATH ?? '').split(delimiter)
  const config = path.map((folder) => join(folder, 'pg_config')).find(isExecutable)
  const ofConfig = config && execFileSync(config, ['--bindir'], { encoding: 'utf8' }).trim()
  const folders = named === undefined ? [...(ofConfig ? [ofConfig] : []), ...path] : [named]
  return folders.find((folder) => PROGRAMS.every((name) => isExecutable(join(folder, name))))
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Somebody else than root, whom PostgreSQL refuses. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const users = lines.map((line) => line.split(':'))
  const user = ['postgres', 'nobody'].map((name) => users.find((one) => one[0] === name)).find(Boolean)
  return user && { uid: Number(user[2]), gid: Number(user[3]) }
}

/** Whom programs run as that refuse root; nobody else when that is not root. */
export function asUser(): { readonly uid?: number; readonly gid?: number } {
  return isRoot() ? (unprivilegedUser() ?? {}) : {}
}
