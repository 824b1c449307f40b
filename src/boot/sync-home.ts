import { writeCredentials } from '../config/credentials.ts'
import { homeFiles, prepareHome } from '../config/home-folder.ts'
import { localAddress } from '../config/local-address.ts'
import { type Config, SETTINGS } from '../config.ts'
import { homeMemory } from '../connections/home-memory.ts'
import type { GrantParts } from '../connections/open-grants.ts'
import { openSync, type SyncOptions } from '../connections/open-sync.ts'
import type { PhotosService } from '../connections/photos-service.ts'
import { openPhotos } from '../connections/photos-service.ts'
import { notedGrants, noteSyncRun } from '../connections/run-activity.ts'
import { homeGrants, type ProcessInfo, syncEnvironment } from '../connections/sync-environment.ts'
import type { SyncHome, SyncService } from '../connections/sync-service.ts'
import type { ActivityEntry } from '../domain/activity.ts'
import type { Memory } from '../domain/memory.ts'
import type { SourceType } from '../domain/source-type.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { lockHolder } from '../lib/process-lock.ts'
import { SERVER } from '../service/activity.ts'
import type { Store } from '../store/store.ts'
import { fallbackWorker } from './background-work.ts'
import { createFirstAccount } from './first-start.ts'
import { openService } from './open-service.ts'
import { hasStore } from './open-store.ts'

export interface SyncHomeOptions {
  readonly log: Log
  readonly processInfo: ProcessInfo
  /** For OAuth requests; tests use their own. */
  readonly providers?: GrantParts['providers']
}

/** A failed attempt is repeated after a while. */
const LATER_MS = 30_000
const LONGEST_LIST = 10_000

/** Manual synchronization, with the ledger of this home. */
export function openHomeSync(config: Config, options: SyncOptions): SyncService {
  return openSync(config, options, homeAccess(config, options))
}

/** Picking photos, for the connections of this home. */
export function openHomePhotos(config: Config, options: SyncOptions): PhotosService {
  return openPhotos(config, options, homeAccess(config, options))
}

function homeAccess(config: Config, options: SyncHomeOptions) {
  return {
    exists: () => hasStore(config),
    open: (stack: AsyncDisposableStack) => openSyncHome(config, options, stack),
  }
}

/**
 * Opens a home, and creates it like the first `recalld up` if needed: folder, database, account, credentials.
 * @param stack closes it
 */
export async function openSyncHome(
  config: Config,
  { log, processInfo, providers }: SyncHomeOptions,
  stack: AsyncDisposableStack,
): Promise<SyncHome> {
  const { env, pid, userName } = processInfo
  prepareHome(config.home)
  const files = homeFiles(config.home)
  const { store, service } = await openService(config, log, stack)
  const first = await createFirstAccount(service, { userName, timeZone: config.timeZone, files })
  if (first !== undefined) {
    const address =
      lockHolder(files.locks.api)?.address ?? localAddress(config.host, config.port || SETTINGS.port.default)
    writeCredentials(files.credentials, { baseUrl: address, apiKey: first.key })
  }
  const home = await homeMemory({ config, store, service, env, userName }, stack)
  const { accountId, memory } = home
  const parts = { config, store, log, processInfo, role: 'sync', ...(providers && { providers }) }
  const grants = homeGrants({ ...parts, home }).oauthGrants
  if (accountId === undefined) {
    return {
      environment: await syncEnvironment({ ...parts, home }, stack),
      grants,
      note: () => undefined,
      noteByHand: () => undefined,
      backlog: async (sourceTypes) => ({ waiting: await waitingElsewhere(memory, sourceTypes), soon: true }),
      work: () => Promise.resolve(),
    }
  }
  const noteByHand = (entry: ActivityEntry) => service.activity.note(accountId, SERVER, entry)
  const worker = fallbackWorker({ config, store, log, pid }, stack)
  const working: Memory = {
    ...memory,
    // From the first item on, so that a large source does not fill the queue first.
    async memorize(upload) {
      const result = await memory.memorize(upload)
      await worker.begin()
      return result
    },
  }
  return {
    environment: await syncEnvironment({ ...parts, home: { ...home, memory: working } }, stack),
    grants: notedGrants(grants, noteByHand),
    note: (report) => noteSyncRun(service, accountId, report),
    noteByHand,
    backlog: () => waitingHere(store, accountId),
    work: () => worker.begin(),
  }
}

async function waitingHere(store: Store, accountId: string) {
  const { waiting } = await store.scoped({ accountId, sources: 'all' }).holdings()
  const { nextAt } = await store.queue.depth()
  return { waiting, soon: nextAt === undefined || nextAt.getTime() - systemClock().getTime() < LATER_MS }
}

async function waitingElsewhere(memory: Memory, sourceTypes: ReadonlySet<SourceType>): Promise<number> {
  let waiting = 0
  for (const sourceType of sourceTypes) {
    for (let offset = 0; ; offset += LONGEST_LIST) {
      const { files, total } = await memory.list({ sourceType, limit: LONGEST_LIST, offset })
      waiting += files.filter(({ status }) => status === 'queued' || status === 'processing').length
      if (offset + files.length >= total || files.length === 0) break
    }
  }
  return waiting
}
