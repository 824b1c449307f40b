import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { packagePath } from '../../src/lib/files.ts'

export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServiceProcess {
  /** Empty for one that answers nobody. */
  readonly address: string
  readonly pid: number
  /** Everything it printed before it was ready. */
  readonly greeting: string
  /** Ends it as an operator does. @returns how it ended and all it said on standard error */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>
}

const LAUNCHER = [packagePath('bin/recalld.js')]

/** Tests match each pattern a few times, for which interpreting it takes a tenth less of the processor time of a service than compiling it. */
const SHORT_LIVED = ['--regexp-tier-up-ticks=100']

/** As it is for a person who looks at it: shows what is not for logs. */
const AS_ON_A_TERMINAL = ['--import', 'data:text/javascript,process.stdout.isTTY=true']

/** Runs one command to its end, as a person would in a terminal whose only recalld variables are these. */
export async function recalld(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  launcher: readonly string[] = LAUNCHER,
): Promise<CommandResult> {
  const child = start([...SHORT_LIVED, ...launcher, ...args], env)
  const [stdout, stderr, [code]] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

/**
 * Starts `recalld up` on a free port and waits until it says that it runs.
 *
 * @param openFiles that the process may have
 * @param isTerminal whether it prints to a terminal, as far as it can tell
 * @param isAttacked whether it runs as users run it, because what hostile texts take is measured
 */
export async function startRecalld(
  env: Readonly<Record<string, string>>,
  launcher: readonly string[] = LAUNCHER,
  {
    openFiles,
    isTerminal = true,
    isAttacked = false,
  }: { readonly openFiles?: number; readonly isTerminal?: boolean; readonly isAttacked?: boolean } = {},
): Promise<ServiceProcess> {
  const nodeOptions = [...(isAttacked ? [] : SHORT_LIVED), ...(isTerminal ? AS_ON_A_TERMINAL : [])]
  const words = [...nodeOptions, ...launcher, 'up', '--port', '0']
  const child = start(words, { NO_COLOR: '1', ...env }, openFiles)
  const ended = once(child, 'close')
  const stderr = read(child.stderr)
  const greeting = await firstWords(child.stdout, ended, stderr)
  const hasApi = !greeting.includes('without the API')
  const address = hasApi ? /http:\/\/[\d.]+:\d+/.exec(greeting)?.[0] : ''
  if (address === undefined || child.pid === undefined) throw new Error(`no address in ${greeting}`)
  return {
    address,
    pid: child.pid,
    greeting,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const [code, endedBy] = await ended
      return { code, signal: endedBy, stderr: await stderr }
    },
  }
}

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  openFiles?: number,
): ChildProcessByStdio<null, Readable, Readable> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(RECALLD_|NO_COLOR$|FORCE_COLOR$|NODE_OPTIONS$)/.test(name),
  )
  const limited = ['-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, process.execPath, ...args]
  const [program, words] = openFiles === undefined ? [process.execPath, args] : ['sh', limited]
  return spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), ...env },
  })
}

async function read(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function firstWords(stdout: Readable, ended: Promise<unknown>, stderr: Promise<string>): Promise<string> {
  const words = await Promise.race([once(stdout, 'data'), ended.then(() => undefined)])
  if (words === undefined) throw new Error(`recalld up ended before it ran: ${await stderr}`)
  return String(words[0])
}
