import { hkdfSync } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { CONNECTORS } from '../../connectors/index.ts'
import { PROVIDERS } from '../../connectors/providers.ts'
import { homeFiles } from '../config/home-folder.ts'
import { secretKeyFile } from '../config/secret-key-file.ts'
import type { Config } from '../config.ts'
import type { ConnectorRegistry } from '../connections/configured-connections.ts'
import { grantsService } from '../connections/grants-service.ts'
import { homeMemory } from '../connections/home-memory.ts'
import { secretKey } from '../connections/oauth/secret-key.ts'
import type { GrantParts } from '../connections/open-grants.ts'
import { liveRuns } from '../connections/run-activity.ts'
import { sourceSettings } from '../connections/source-settings.ts'
import { type SourcesContext, type SourcesHome, sharedConnections } from '../connections/sources-context.ts'
import type { GrantsService, SourcesService } from '../connections/sources-contract.ts'
import { sourcesService } from '../connections/sources-service.ts'
import { type RunningScheduler, SCHEDULER, startScheduler } from '../connections/start-scheduler.ts'
import { homeGrants, type ProcessSurroundings, syncEnvironment } from '../connections/sync-environment.ts'
import { watchOtherProcesses } from '../connections/watch-other-processes.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import type { LiveEvents } from '../service/live-events.ts'
import type { Service } from '../service/service.ts'
import type { Store } from '../store/store.ts'
import type { Connection } from '../sync/connection.ts'
import type { ProcessTelemetry } from './open-telemetry.ts'

export interface SourcesParts {
  readonly config: Config
  readonly store: Store
  readonly service: Service
  readonly live: LiveEvents
  readonly log: Log
  /** Absent: nobody watches how the connections are. */
  readonly telemetry?: ProcessTelemetry
  readonly surroundings: ProcessSurroundings
  /** Whether this process has the role of the scheduler. */
  readonly runsHere: boolean
  readonly registry?: ConnectorRegistry
  readonly providers?: GrantParts['providers']
}

/** The connections of this home: run here, where this process has that role, and managed in the web app. */
interface RunningSources {
  readonly desk: SourcesService
  readonly grants: GrantsService
  /**
   * Runs the connections that are not paused on their schedules, and follows config.yaml from then on.
   *
   * @throws AppError when they cannot be run, as without a key to memorize with
   */
  start(connections: readonly Connection[]): Promise<void>
  /** Whether what is due is looked for; also while there is nothing to run. */
  isAlive(): boolean
}

/** How soon it is noticed that somebody else has changed config.yaml. */
const LOOK_MS = 2_000

/** @param parentStack stops what runs, and closes what was opened */
export function openSources(parts: SourcesParts, parentStack: AsyncDisposableStack): RunningSources {
  const { config, service, live, log, telemetry, surroundings, runsHere, registry = CONNECTORS } = parts
  const files = homeFiles(config.home)
  const settings = sourceSettings({ file: files.config, env: surroundings.env, registry })
  // Of its own: what is opened for a request comes after the start.
  const stack = new AsyncDisposableStack()
  const stopping = new AbortController()
  const isAlone = !parts.store.capabilities.manyPerRole
  const open = lazyHome(parts, stack)
  let scheduler: RunningScheduler | undefined
  let last: Promise<unknown> = Promise.resolve()

  const run = async (connections: readonly Connection[]) => {
    const active = connections.filter((connection) => connection.config.paused !== true)
    const { environment, accountId, runs, shared } = await open()
    await shared.note(connections)
    if (scheduler !== undefined) return scheduler.replace(active)
    scheduler = await startScheduler(
      active,
      { environment, accountId, service, runs, log, metrics: telemetry?.metrics, isAlone },
      stack,
    )
    log.info({ connections: active.length }, 'connectors are run')
  }
  const context: SourcesContext = {
    ...{ config, files, service, log, registry, settings, runsHere, stopping: stopping.signal },
    providers: () => Promise.all(Object.values(parts.providers ?? PROVIDERS).map((load) => load())),
    home: open,
    scheduler: () => scheduler,
    async runSoon(name, run) {
      if (runsHere) return scheduler?.runNow(name, run) !== 'unknown'
      const { ledger } = (await open()).environment
      await ledger.updateConnection(name, { asked: run.full ? 'full' : 'changes' })
      return true
    },
    async reload() {
      if (runsHere) {
        const { connections, wrong } = await settings.connectionsIn(settings.read().text)
        for (const { connector, name, problem } of wrong) log.error({ connector, name }, problem.message)
        await run(connections)
      }
      await context.tell()
    },
    inTurn(work) {
      const turn = last.then(work)
      last = turn.catch(() => undefined)
      return turn
    },
    async tell() {
      const { accountId } = await open()
      if (accountId !== undefined) live.publish({ type: 'sources' }, accountId)
    },
  }
  parentStack.defer(async () => {
    stopping.abort()
    await last
    await stack.disposeAsync()
  })
  return {
    desk: sourcesService(context),
    grants: grantsService(context),
    isAlive: () => scheduler?.isAlive() ?? true,
    async start(connections) {
      if (runsHere || config.roles.includes('api')) await noteSecretKey(parts)
      // Of before the start; a change that came meanwhile was taken up with all that config.yaml says.
      if (runsHere) await context.inTurn(async () => scheduler ?? startOrWait(connections, run, log))
      // What runs is shown, also while the file has a mistake later.
      await settings.current()
      followFile(files.config, context, stack)
      watchOtherProcesses({ store: parts.store, live, log, home: open }, stack)
    },
  }
}

/** Without connections nothing needs a memory; what lacks for one is said when there is a first connection. */
async function startOrWait(
  connections: readonly Connection[],
  run: (connections: readonly Connection[]) => Promise<void>,
  log: Log,
): Promise<void> {
  try {
    await run(connections)
  } catch (error) {
    if (!(error instanceof AppError) || connections.some((connection) => connection.config.paused !== true)) throw error
    log.warn({ err: error }, 'connectors cannot be run yet')
  }
}

function lazyHome(parts: SourcesParts, stack: AsyncDisposableStack): () => Promise<SourcesHome> {
  const { config, live, surroundings, runsHere } = parts
  const { env, userName } = surroundings
  let opened: Promise<SourcesHome> | undefined
  const open = async (): Promise<SourcesHome> => {
    const home = await homeMemory({ ...parts, env, userName }, stack)
    const role = runsHere ? SCHEDULER : 'app'
    const environment = await syncEnvironment({ ...parts, config, home, role }, stack)
    const { accountId } = home
    const { desk: grants, consents } = homeGrants({ ...parts, home, role })
    return {
      ...{ accountId, grants, consents },
      environment,
      shared: sharedConnections(environment.ledger, parts.log),
      runs: liveRuns(live, accountId),
    }
  }
  return async () => {
    opened ??= open()
    try {
      return await opened
    } catch (error) {
      opened = undefined
      // It is no fault of who asks: they are signed in.
      if (error instanceof AppError && error.code === 'unauthenticated') throw new AppError('conflict', error.message)
      throw error
    }
  }
}

function followFile(file: string, context: SourcesContext, stack: AsyncDisposableStack): void {
  const follow = () => {
    context
      .inTurn(() => context.reload())
      .catch((error: unknown) => context.log.error({ err: error }, 'changes of config.yaml were not taken up'))
  }
  watchFile(file, { interval: LOOK_MS, persistent: false }, follow)
  stack.defer(() => unwatchFile(file, follow))
}

/** Facts that no account has. */
const LEDGER = 'server'
const FACT = 'secret key'

/**
 * Warns when this process has another secret key than the one that was started before it: what one seals the other cannot
 * open, and people are signed out from request to request. What is compared says nothing about the key.
 */
async function noteSecretKey({ config, store, log }: { config: Config; store: Store; log: Log }): Promise<void> {
  if (!store.capabilities.manyPerRole) return
  const place = secretKeyFile(config)
  const key = secretKey(place, log).forOpening()
  if (key === undefined) return
  const mine = Buffer.from(hkdfSync('sha256', key, '', 'recalld fingerprint', 16)).toString('hex')
  const ledger = store.ledger(LEDGER)
  const known = await ledger.readFact(FACT)
  if (known === mine) return
  if (known !== undefined) {
    log.warn(
      { file: place.file },
      'this process has another secret key than the one that was started before it: give all the same by RECALLD_SECRET_KEY_FILE',
    )
  }
  await ledger.writeFact(FACT, mine)
}
