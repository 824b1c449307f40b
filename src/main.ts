import { readFileSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import process from 'node:process'
import type { Administration, RestoreResult, RunningApp } from './cli/app-contract.ts'
import type { Context, Machine } from './cli/context.ts'
import { readableLogLine } from './cli/log-line.ts'
import { runProgram } from './cli/program.ts'
import { createRestMemory } from './client/rest-memory.ts'
import { clientCredentials, readCredentials } from './config/credentials.ts'
import { homeFiles, homeFolder } from './config/home-folder.ts'
import { type Config, loadConfig, SETTINGS, unknownVariables } from './config.ts'
import { packagePath } from './kit/package-root.ts'
import { createPinoLog } from './kit/pino-log.ts'

const DEFAULT_URL = `http://${SETTINGS.host.default}:${SETTINGS.port.default}`
/** From the first signal to the end, whatever hangs (an orchestrator sends SIGKILL after 10 to 30 seconds). */
const STOP_WITHIN_MS = 10_000
/** npm, the launcher and a terminal each hand the same signal on: what arrives this soon is not a second wish. */
const SAME_SIGNAL_MS = 500

const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }
const machine: Machine = {
  nodeVersion: process.versions.node,
  platform: process.platform,
  userName: osUserName(),
  userHome: homedir(),
  temporaryFolder: tmpdir(),
}
let homeFlag: string | undefined
const memories: { close(): Promise<void> }[] = []

const context: Context = {
  io: { stdout: process.stdout, stderr: process.stderr, env: process.env },
  machine,
  version,
  home,
  config: (flags) => loadConfig({ home: home().home, file: home().config, env: process.env, flags }),
  defaultConfig: (folder) => loadConfig({ home: folder, file: homeFiles(folder).config, env: {} }),
  serviceUrl: () => process.env.RECALLD_URL || readCredentials(home().credentials)?.baseUrl || DEFAULT_URL,
  memory: async () => {
    const memory = createRestMemory(clientCredentials(home().credentials, process.env, DEFAULT_URL))
    memories.push(memory)
    return memory
  },
  administration,
  modelProblem: async () => (await import('./app/model-problem.ts')).modelProblem(),
  startApp,
  restore,
  stopRequested,
}

// A reader that has seen enough (`recalld list | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = await runProgram(process.argv.slice(2), context, (folder) => {
  homeFlag = folder
})
await Promise.all(memories.map((memory) => memory.close()))

function home() {
  return homeFiles(
    homeFolder({ flag: homeFlag, env: process.env, platform: machine.platform, userHome: machine.userHome }),
  )
}

/** The parts behind the service are loaded by the commands that need them: the others start in a tenth of the time. */
async function startApp(config: Config, { userName }: { userName: string }): Promise<RunningApp> {
  const { startApp } = await import('./app.ts')
  const log = createLog(config.logLevel)
  for (const name of ['uncaughtException', 'unhandledRejection']) {
    process.on(name, (error: unknown) => {
      log.error({ err: error }, name)
      process.exit(1)
    })
  }
  for (const sentence of unknownVariables(process.env)) log.warn(sentence)
  onlyForOwner()
  return startApp(config, { log, version, pid: process.pid, userName })
}

async function administration({ create = false } = {}): Promise<Administration> {
  const { openAdministration } = await import('./app/open-administration.ts')
  onlyForOwner()
  return openAdministration(context.config(), { log: createLog('warn'), create })
}

async function restore(backup: string): Promise<RestoreResult> {
  const { restoreBackup } = await import('./app/restore-backup.ts')
  onlyForOwner()
  return restoreBackup(context.config(), backup, { log: createLog('warn'), pid: process.pid })
}

/** Files made from now on (database, its log, backups) are readable by nobody else. */
function onlyForOwner(): void {
  process.umask(0o077)
}

function createLog(level: string) {
  const { stderr } = process
  return createPinoLog(level, (line) => void stderr.write(stderr.isTTY ? readableLogLine(line) : line))
}

function stopRequested(): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = (signal: string) => {
      if (firstAt !== undefined && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1)
      if (firstAt !== undefined) return
      firstAt = performance.now()
      setTimeout(() => {
        process.stderr.write(`recalld: not everything ended within ${STOP_WITHIN_MS / 1_000} seconds\n`)
        process.exit(1)
      }, STOP_WITHIN_MS).unref()
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, onSignal)
  })
}

/** The account may have no name, as in a container with a number for a user. */
function osUserName(): string {
  try {
    return userInfo().username
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return process.env.USER || 'me'
  }
}
