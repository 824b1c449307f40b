import { tmpdir } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { createCommandContext } from '../../src/boot/command-context.ts'
import { runProgram } from '../../src/cli/program.ts'
import { packagePath } from '../../src/lib/files.ts'
import type { Machine } from '../../src/lib/machine.ts'
import { until } from './until.ts'

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunningCommand {
  readonly ended: Promise<CommandResult>
  /** What it has printed so far. */
  stdout(): string
  /** As a signal would. */
  stop(): Promise<CommandResult>
}

interface Options {
  /** `stdout`: only that. */
  readonly isTerminal?: boolean | 'stdout'
  /** Another machine than the one that runs the test, as far as commands can tell. */
  readonly machine?: Partial<Machine>
  /** What is typed. */
  readonly stdin?: string
}

/** Runs a command line as src/main.ts does, in this process and with what a terminal would show at hand. */
export function startCommand(
  args: readonly string[],
  env: Record<string, string>,
  options: Options = {},
): RunningCommand {
  const { isTerminal = false } = options
  const stdout = capture(isTerminal !== false)
  const stderr = capture(isTerminal === true)
  const stop = Promise.withResolvers<string>()
  let umask: number | undefined
  const context = createCommandContext({
    io: { stdout, stderr, env },
    machine: {
      nodeVersion: process.versions.node,
      platform: process.platform,
      userName: 'ada',
      userHome: '/nonexistent',
      temporaryFolder: tmpdir(),
      nodePath: process.execPath,
      launcherPath: packagePath('bin/recalld.js'),
      ...options.machine,
    },
    pid: process.pid,
    standardStreams: () => ({ stdin: Readable.from([]), stdout: new PassThrough() }),
    onlyForOwner: () => {
      const before = process.umask(0o077)
      umask ??= before
    },
    watchDefects: () => undefined,
    stopRequested: () => stop.promise,
  })
  const typed = options.stdin === undefined ? {} : { stdin: Readable.from([options.stdin]) }
  const ended = runProgram(args, { ...context, ...typed }).then(async (code) => {
    await context.close()
    // Other tests share this process.
    if (umask !== undefined) process.umask(umask)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  })
  return {
    ended,
    stdout: () => stdout.text(),
    stop: () => {
      stop.resolve('SIGTERM')
      return ended
    },
  }
}

export function runCommand(
  args: readonly string[],
  env: Record<string, string>,
  options?: Options,
): Promise<CommandResult> {
  return startCommand(args, env, options).ended
}

/** `recalld up` on a free port, when it answers; on a terminal, to which it shows what is not for logs. */
export async function startUp(
  env: Record<string, string>,
  ...flags: string[]
): Promise<RunningCommand & { address: string }> {
  const args = ['up', '--port', '0', '--log-level', 'warn', ...flags]
  const up = startCommand(args, { NO_COLOR: '1', ...env }, { isTerminal: 'stdout' })
  let failure: CommandResult | undefined
  void up.ended.then((result) => {
    failure = result
  })
  await until(async () => up.stdout() !== '' || failure !== undefined)
  const address = /http:\/\/[\d.]+:\d+/.exec(up.stdout())?.[0]
  if (address === undefined) throw new Error(`recalld up did not start: ${failure?.stderr}`)
  return { ...up, address }
}

function capture(isTerminal: boolean) {
  const chunks: Buffer[] = []
  return {
    isTTY: isTerminal,
    columns: 80,
    write: (chunk: string | Uint8Array) => void chunks.push(Buffer.from(chunk)),
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}
