import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestMemory, type RestMemory } from '../../src/client/rest-memory.ts'
import { readCredentials } from '../../src/config/credentials.ts'
import { recalld, type ServiceProcess, startRecalld } from '../lib/recalld-process.ts'

/** `recalld up` as a process of its own in a home of its own. */
export interface AttackedService extends AsyncDisposable {
  readonly address: string
  readonly port: number
  readonly pid: number
  readonly home: string
  readonly key: string
  readonly greeting: string
  readonly memory: RestMemory
  /** Its variables, for further commands in the same home. */
  readonly env: Readonly<Record<string, string>>
  /** Of a second account, made at the first call. */
  neighbor(): Promise<RestMemory>
  /** Resolves with all it said on standard error. */
  stop(signal?: NodeJS.Signals): Promise<string>
  /** Whether the process lives. */
  lives(): boolean
}

/** An attack asks more often than people do: rates are tested elsewhere. */
const WITHOUT_LIMIT = { RECALLD_RATE_LIMIT_PER_MINUTE: '1000000' }

export async function startAttacked(
  options: { readonly env?: Readonly<Record<string, string>>; readonly openFiles?: number } = {},
): Promise<AttackedService> {
  await using parts = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'recalld-attack-'))
  parts.defer(() => rm(home, { recursive: true, force: true }))
  const env = { RECALLD_HOME: home, RECALLD_LOG_LEVEL: 'warn', ...WITHOUT_LIMIT, ...options.env }
  const running = await startRecalld(env, undefined, {
    isAttacked: true,
    ...(options.openFiles !== undefined && { openFiles: options.openFiles }),
  })
  let stopped: ReturnType<ServiceProcess['stop']> | undefined
  const stop = async (signal?: NodeJS.Signals) => {
    stopped ??= running.stop(signal)
    return (await stopped).stderr
  }
  parts.defer(() => stop().then(() => undefined))
  const { address, pid, greeting } = running
  const key = readCredentials(join(home, 'credentials.json'))?.apiKey
  if (key === undefined) throw new Error(`${home} holds no key`)
  const memoryOf = (apiKey: string) => parts.adopt(createRestMemory({ baseUrl: address, apiKey }), (one) => one.close())
  let neighbor: Promise<RestMemory> | undefined
  const memory = memoryOf(key)
  const started = parts.move()
  return {
    address,
    port: Number(new URL(address).port),
    pid,
    home,
    key,
    greeting,
    memory,
    env,
    neighbor: () => {
      neighbor ??= makeNeighbor(env, address, started)
      return neighbor
    },
    stop,
    lives: () => isAlive(pid),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

async function makeNeighbor(
  env: Readonly<Record<string, string>>,
  baseUrl: string,
  parts: AsyncDisposableStack,
): Promise<RestMemory> {
  const made = await recalld(['accounts', 'create', '--name', 'Neighbor', '--user-name', 'Nina', '--json'], env)
  const { key: apiKey } = JSON.parse(made.stdout) as { key: string }
  return parts.adopt(createRestMemory({ baseUrl, apiKey }), (one) => one.close())
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** Of the process since its start; `undefined` where the system does not tell. */
export function processorSeconds(pid: number): number | undefined {
  const stat = procFile(pid, 'stat')
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Of user and system, in hundredths (proc(5)).
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** The most memory that the process held at a time. */
export function mostMegabytes(pid: number): number | undefined {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(procFile(pid, 'status') ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
