import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { homeFiles, secretKeyFile } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import type { SourceMachine } from '../connector/connector.ts'
import { systemClock } from '../lib/clock.ts'
import { findProgram } from '../lib/find-program.ts'
import type { Log } from '../lib/log.ts'
import type { SpareResources } from '../lib/machine.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import { redactSecrets } from '../pipeline/redact.ts'
import type { Store } from '../store/store.ts'
import type { SyncEnvironment } from '../sync/connection.ts'
import { openCopiesFolder } from './copies-folder.ts'
import type { HomeMemory } from './home-memory.ts'
import { type GrantParts, openGrants } from './open-grants.ts'

/** The process and its machine, as connectors see them. */
export interface ProcessInfo {
  readonly pid: number
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly userName: string
  readonly userHome: string
  /** Maximum open files of the process; absent without a limit. */
  readonly openFileLimit?: number | undefined
  /** Absent: unknown. */
  readonly spareResources?: (() => SpareResources) | undefined
}

export interface EnvironmentParts {
  readonly config: Config
  readonly store: Store
  readonly home: HomeMemory
  readonly log: Log
  readonly telemetry?: Telemetry
  /** Prefix of this process in leases. */
  readonly role: string
  readonly processInfo: ProcessInfo
  /** For OAuth requests; tests use their own. */
  readonly providers?: GrantParts['providers']
}

/** The grants for the memory that this home writes to. */
export function homeGrants({ config, store, home, log, providers }: EnvironmentParts) {
  const { memoryId } = home
  return openGrants({
    store,
    memoryId,
    secretKeyFile: secretKeyFile(config),
    clock: systemClock,
    log,
    ...(providers && { providers }),
  })
}

function imageReader({ ocr }: Config, env: ProcessInfo['env']): Pick<SourceMachine, 'imageReader'> {
  if (ocr === 'off') return {}
  return { imageReader: findProgram('tesseract', env) === undefined ? 'missing' : 'ready' }
}

/** A run waits for a rate limit up to this long; for a longer one, it ends and another run continues. */
const PATIENCE_MS = 60_000

/** The environment of runs in this process; `stack` removes what it created. */
export async function syncEnvironment(parts: EnvironmentParts, stack: AsyncDisposableStack): Promise<SyncEnvironment> {
  const { config, home, store, log, processInfo } = parts
  const { platform, userHome, env } = processInfo
  const { spool, copies } = homeFiles(config.home)
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  const { pid } = processInfo
  const { path: temporaryFolder } = stack.use(
    openCopiesFolder(copies, { pid, since: systemClock().toISOString() }, log),
  )
  return {
    ledger: store.ledger(home.memoryId),
    memory: home.memory,
    userName: home.userName,
    timeZone: config.timeZone,
    grants: homeGrants(parts).grants,
    machine: { platform, userHome, env, temporaryFolder, spoolFolder: spool, ...imageReader(config, env) },
    clock: systemClock,
    log,
    ...(parts.telemetry && { telemetry: parts.telemetry }),
    holder: `${parts.role} ${processInfo.pid}-${randomUUID()}`,
    sleep,
    random: Math.random,
    countSecrets: (text) => Object.fromEntries(redactSecrets(text).found.map(({ kind, count }) => [kind, count])),
    patienceMs: PATIENCE_MS,
    retention: config.retention,
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
