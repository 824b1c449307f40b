import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { isExecutable } from '../../src/lib/find-program.ts'
import { freePort } from './free-port.ts'
import { asUser } from './own-postgres.ts'
import { until } from './until.ts'

/** Debian's package puts it where only administrators look. */
const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer']

/** A pooler in transaction mode before a server, with the settings of docs/scaling.md. */
export interface PgBouncer extends AsyncDisposable {
  readonly port: number
  /** Ends it at once, with all connections through it. */
  kill(): Promise<void>
  /** Again at the same port, after it was killed. Resolves when it takes connections. */
  start(): Promise<void>
}

/** @returns `undefined` when it is not installed */
export async function startPgBouncer(server: string): Promise<PgBouncer | undefined> {
  const program = PROGRAMS.find(isExecutable)
  if (program === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'recalld-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: serverPort, username } = new URL(server)
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,extra_float_digits',
    'max_client_conn = 1000',
    'default_pool_size = 20',
    'log_connections = 0',
    'log_disconnections = 0',
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${settings.join('\n')}\n`)
  const { uid, gid } = asUser()
  if (uid !== undefined && gid !== undefined) for (const path of [folder, file]) chownSync(path, uid, gid)
  let child: ChildProcess | undefined
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child === undefined || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    child = undefined
  }
  const start = async () => {
    const started = spawn(program, ['--quiet', file], { ...asUser(), stdio: 'ignore', cwd: tmpdir() })
    child = started
    await until(async () => {
      if (started.exitCode !== null) throw new Error(`pgbouncer ended with ${started.exitCode}`)
      return answers(server.replace(`:${serverPort}/`, `:${port}/`))
    })
  }
  await start()
  return {
    port,
    start,
    kill: () => end('SIGKILL'),
    async [Symbol.asyncDispose]() {
      await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
