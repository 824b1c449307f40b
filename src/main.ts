import { fstatSync, readFileSync } from 'node:fs'
import { availableParallelism, homedir, tmpdir, totalmem, userInfo } from 'node:os'
import process from 'node:process'
import type { HookArguments } from './hooks/hook-arguments.ts'
import { packagePath } from './lib/files.ts'
import type { Log } from './lib/log.ts'
import type { SpareResources } from './lib/machine.ts'

/**
 * Time limit from the first signal to the end, even if something hangs (an orchestrator sends SIGKILL after 10 to 30
 * seconds).
 */
const STOP_WITHIN_MS = 10_000
/** npm, the launcher and a terminal each forward the same signal; within this time it counts as one. */
const SAME_SIGNAL_MS = 500
const PARENT_CHECK_MS = 500

// Read immediately: the parent process may end before the service runs.
const parent = process.ppid

// A reader that closes early (`recalld demo | head`) is not a failure, and the command still cleans up.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exit(1)
})

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h'])

const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) process.stdout.write(`${version()}\n`)
else await runCommandOrHook()

/** The version alone is known before anything else is loaded. */
function version(): string {
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }
  return version
}

async function runCommandOrHook(): Promise<void> {
  if (argv.length === 0 || (argv.length === 1 && HELP.has(argv[0] ?? ''))) return showHelp()
  if (argv[0] !== 'hook') return runCommand()
  const { hookArguments } = await import('./hooks/hook-arguments.ts')
  const hook = hookArguments(argv)
  return hook === undefined ? runCommand() : answerHook(hook)
}

async function showHelp(): Promise<void> {
  const [{ runHelp }, { terminalIo }] = await Promise.all([
    import('./cli/program.ts'),
    import('./lib/terminal-text.ts'),
  ])
  const io = terminalIo({ stdout: process.stdout, stderr: process.stderr, env: process.env })
  process.exitCode = await runHelp(argv, { io, version: version() })
}

async function runCommand(): Promise<void> {
  // Imported here, because a hook must answer before everything else is loaded.
  const [{ createCommandContext }, { runProgram }] = await Promise.all([
    import('./boot/command-context.ts'),
    import('./cli/program.ts'),
  ])
  const context = createCommandContext({
    io: { stdout: process.stdout, stderr: process.stderr, env: process.env },
    machine: {
      nodeVersion: process.versions.node,
      platform: process.platform,
      userName: osUserName(),
      userHome: homedir(),
      ...(process.getuid && { userId: process.getuid() }),
      temporaryFolder: tmpdir(),
      nodePath: process.execPath,
      launcherPath: packagePath('bin/recalld.js'),
      openFileLimit,
      spareResources,
    },
    pid: process.pid,
    standardInput: () => (isPiped() ? process.stdin : undefined),
    standardStreams: () => ({ stdin: process.stdin, stdout: process.stdout }),
    onlyForOwner: () => void process.umask(0o077),
    watchDefects,
    stopRequested,
  })
  process.exitCode = await runProgram(argv, context)
  await context.close()
}

/** Always ends with 0: a hook must never fail or delay its host. */
async function answerHook({ event, host, home: chosen }: HookArguments): Promise<void> {
  const [{ runHook }, { readInput }, { clientCredentials }, { homeFiles, homeFolder }] = await Promise.all([
    import('./hooks/run-hook.ts'),
    import('./hooks/read-input.ts'),
    import('./config/credentials.ts'),
    import('./config/home-folder.ts'),
  ])
  const env = process.env
  const { platform } = process
  const home = homeFiles(
    homeFolder({ ...(chosen !== undefined && { flag: chosen }), env, platform, userHome: homedir() }),
  )
  const answer = await runHook(event, host, {
    input: isPiped() ? await readInput(process.stdin) : '',
    home: home.home,
    userHome: homedir(),
    records: home.hooks,
    service: () => clientCredentials(home.credentials, env, ''),
    nodePath: process.execPath,
    launcherPath: packagePath('bin/recalld.js'),
    env,
  })
  process.stdout.write(answer)
}

/** An uncaught error leaves the process in an unknown state: it is logged, and a supervisor restarts it. */
function watchDefects(log: Log): void {
  for (const name of ['uncaughtException', 'unhandledRejection']) {
    process.on(name, (error: unknown) => {
      log.error({ err: error }, name)
      process.exit(1)
    })
  }
}

function stopRequested(): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = (signal: string) => {
      if (firstAt !== undefined && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1)
      if (firstAt !== undefined) return
      firstAt = performance.now()
      setTimeout(() => {
        process.stderr.write(`recalld: did not stop within ${STOP_WITHIN_MS / 1_000} seconds\n`)
        process.exit(1)
      }, STOP_WITHIN_MS).unref()
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, onSignal)
    if (process.env.npm_lifecycle_event !== undefined) whenParentIsGone(() => onSignal('SIGTERM'))
  })
}

/** When npm's shell ends by a signal without forwarding it, the service would keep running. */
function whenParentIsGone(stop: () => void): void {
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, PARENT_CHECK_MS)
  watch.unref()
}

/** A pipe, a file or a socket; not a terminal, and not the /dev/null that cron and services have. */
function isPiped(): boolean {
  const input = fstatSync(0, { throwIfNoEntry: false })
  return input !== undefined && (input.isFIFO() || input.isFile() || input.isSocket())
}

/** Node raises the limit at its start. */
function openFileLimit(): number | undefined {
  // Without it, a report looks up the host names of all connections.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const limit = userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : undefined
}

function spareResources(): SpareResources {
  // macOS counts nearly all memory as used, because it gives that of files back only when it is needed.
  const memoryBytes = process.platform === 'darwin' ? totalmem() / 4 : process.availableMemory()
  return { cores: availableParallelism(), memoryBytes }
}

/** The account may have no name, as in a container with a numeric user. */
function osUserName(): string {
  try {
    return userInfo().username
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return process.env.USER || 'me'
  }
}
