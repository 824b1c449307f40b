import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type {
  Administration,
  FailedItem,
  ImportRequest,
  NewAccount,
  Overview,
  RetentionOverview,
  RetentionReport,
  SourceOverview,
} from '../administration/administration.ts'
import { embeddingOverview, goldenOverview } from '../administration/embedding-overview.ts'
import { languageOverview } from '../administration/language-overview.ts'
import { refineItems } from '../administration/refine-items.ts'
import { regenerateKey } from '../administration/regenerate-key.ts'
import { openReindex } from '../administration/reindex.ts'
import type { ReindexService } from '../administration/reindex-contract.ts'
import { applyRetention, type RetentionParts, retentionDoneAt } from '../administration/retention.ts'
import { writeCredentials } from '../config/credentials.ts'
import { type HomeFiles, homeFiles, prepareHome } from '../config/home-folder.ts'
import { localAddress } from '../config/local-address.ts'
import { type Config, SETTINGS } from '../config.ts'
import { connectionRetention } from '../connections/configured-connections.ts'
import { homeConnectors } from '../connections/home-connectors.ts'
import { homeAccount } from '../connections/home-memory.ts'
import { AppError } from '../domain/errors.ts'
import type { ItemStatus } from '../domain/results.ts'
import { SOURCE_TYPES } from '../domain/source-type.ts'
import type { Log } from '../lib/log.ts'
import { lockHolder } from '../lib/process-lock.ts'
import { SERVER } from '../service/activity.ts'
import type { Service } from '../service/service.ts'
import { readIntegrity } from '../service/statistics.ts'
import type { LibraryRow } from '../store/library/library.ts'
import { inspectDatabase } from '../store/sqlite/database-file.ts'
import type { ScopedStore, Store } from '../store/store.ts'
import { type ConnectionRetention, limitedSources } from '../sync/forget-expired.ts'
import { openService } from './open-service.ts'
import { hasStore } from './open-store.ts'

const PAGE = 1_000

/**
 * The memory of this home with the configured embedding model.
 * @throws AppError `not_found` when there is no database, and the errors of `openModels`
 */
export function openHomeReindex(config: Config, options: { log: Log; version: string }): Promise<ReindexService> {
  if (!hasStore(config)) throw noDatabase(config)
  return openReindex(config, options, (models, stack) => openService(config, options.log, stack, models))
}

function noDatabase({ home }: Config): AppError {
  return new AppError('not_found', `There is no database in ${home} yet.`, { advice: { action: 'create_account' } })
}

/**
 * Opens a home for administration, while a service may be running on it.
 * @throws AppError `not_found` when there is no database, unless `create` makes one
 */
export async function openAdministration(
  config: Config,
  { log, create, env }: { log: Log; create: boolean; env: Readonly<Record<string, string | undefined>> },
): Promise<Administration> {
  const files = homeFiles(config.home)
  if (!hasStore(config)) {
    if (!create) throw noDatabase(config)
    prepareHome(config.home)
  }
  await using stack = new AsyncDisposableStack()
  const { store, service } = await openService(config, log, stack)
  const opened = stack.move()
  const address =
    lockHolder(files.locks.api)?.address ?? localAddress(config.host, config.port || SETTINGS.port.default)
  return {
    service,
    overview: () => overview(config, store, service),
    refine: (request) => refineItems(config, store, request),
    homeAccount: () => homeAccount({ config, store, env }),
    importAccount: (request) => importAccount(service, files, { request, address }),
    createAccount: (account) => createAccount(service, files, { account, address }),
    regenerateKey: (ref) => regenerateKey(service, ref, { credentials: files.credentials, address }),
    retention: (request) =>
      retention({ config, store, service, log, connections: () => configuredRetention(config) }, request),
    retryFailed: () => retryFailed(store),
    async backup(file) {
      const made = await backup(store, file)
      for (const { accountId } of await service.accounts.list()) {
        service.activity.note(accountId, SERVER, { kind: 'backup' })
      }
      return made
    },
    integrity: () => readIntegrity(store),
    databaseProblems: async () => (config.databaseUrl === undefined ? inspectDatabase(files.database).problems : []),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The command line on this machine uses the first account of a home, as after `recalld up`. */
async function createAccount(
  service: Service,
  files: HomeFiles,
  { account, address }: { account: NewAccount; address: string },
) {
  const isFirst = (await service.accounts.list()).length === 0
  const created = await service.accounts.create(account)
  if (isFirst) writeCredentials(files.credentials, { baseUrl: address, apiKey: created.key })
  return created
}

async function importAccount(
  service: Service,
  files: HomeFiles,
  { request, address }: { request: ImportRequest; address: string },
) {
  const isFirst = (await service.accounts.list()).length === 0
  return service.archives.import({
    ...request,
    onAccount(account) {
      if (isFirst) writeCredentials(files.credentials, { baseUrl: address, apiKey: account.key })
      request.onAccount?.(account)
    },
  })
}

async function allScopes(store: Store): Promise<ScopedStore[]> {
  const accounts = await store.admin.listAccounts()
  return accounts.map(({ accountId }) => store.scoped({ accountId, sources: 'all' }))
}

async function retryFailed(store: Store): Promise<number> {
  let retried = 0
  for (const scoped of await allScopes(store)) retried += await scoped.requeueFailed()
  return retried
}

async function backup(store: Store, file: string): Promise<{ bytes: number }> {
  if (!existsSync(dirname(file))) throw new AppError('not_found', `The folder ${dirname(file)} doesn't exist.`)
  if (existsSync(file)) throw new AppError('conflict', `${file} already exists. A backup never overwrites a file.`)
  await store.backup(file)
  return { bytes: statSync(file).size }
}

async function retention(parts: RetentionParts, { dryRun }: { readonly dryRun: boolean }): Promise<RetentionReport> {
  const expired = await applyRetention(parts, { dryRun })
  return {
    dry_run: dryRun,
    sources: retentionSources(parts.config, await parts.connections()),
    expired: expired.map(({ accountId: account_id, sourceType: source_type, ...counts }) => {
      return { account_id, source_type, ...counts }
    }),
  }
}

function retentionSources(
  { retention: days }: Pick<Config, 'retention'>,
  connections: readonly ConnectionRetention[],
): RetentionOverview[] {
  const ofSources = limitedSources(days).map(([source_type, days]) => ({ source_type, days }))
  const ofConnections = connections.flatMap(({ connection, sourceTypes, days }) =>
    sourceTypes.map((source_type) => ({ source_type, days, connection })),
  )
  return [...ofSources, ...ofConnections]
}

async function configuredRetention(config: Config): Promise<readonly ConnectionRetention[]> {
  return connectionRetention(config.connectors, (await homeConnectors(config)).registry)
}

async function retentionOverview(config: Config, store: Store): Promise<Pick<Overview, 'retention'>> {
  const sources = retentionSources(config, await configuredRetention(config))
  const doneAt = await retentionDoneAt(store)
  return sources.length === 0 ? {} : { retention: { sources, ...(doneAt && { last_done_at: doneAt.toISOString() }) } }
}

async function overview(config: Config, store: Store, service: Service): Promise<Overview> {
  const { waiting, oldestAt } = await store.queue.depth()
  const sources: SourceOverview[] = []
  const failed: FailedItem[] = []
  for (const scoped of await allScopes(store)) {
    const skips = Map.groupBy(await scoped.library.skipCounts(), ({ sourceType }) => sourceType)
    const memories = await scoped.library.memoryCounts()
    const { groups, items: failedItems } = await failedOf(scoped)
    failed.push(...failedItems.map(failedItem))
    for (const sourceType of SOURCE_TYPES.filter((one) => memories.has(one))) {
      const items: Record<ItemStatus, number> = { queued: 0, processing: 0, ready: 0, failed: 0 }
      for (const group of groups) if (group.sourceType === sourceType) items[group.status] += group.count
      sources.push({
        account_id: scoped.scope.accountId,
        source_type: sourceType,
        items,
        memories: memories.get(sourceType) ?? 0,
        left_out: (skips.get(sourceType) ?? []).map(({ reason, count }) => ({ reason, count })),
      })
    }
  }
  const language = await languageOverview(config, store)
  return {
    sources,
    waiting,
    failed,
    ...(oldestAt === undefined ? {} : { oldest_waiting_at: oldestAt.toISOString() }),
    ...(language && { language_model: language }),
    embedding: await embeddingOverview(config, store),
    golden: await goldenOverview(service),
    ...(await retentionOverview(config, store)),
  }
}

/** All failed items, and the numbers of items by source and status. */
async function failedOf({ library }: ScopedStore) {
  const items: LibraryRow[] = []
  for (;;) {
    const page = { states: ['failed'], sort: 'newest', limit: PAGE, offset: items.length } as const
    const { rows, groups } = await library.list(page)
    items.push(...rows)
    if (rows.length < PAGE) return { items, groups }
  }
}

function failedItem(item: LibraryRow): FailedItem {
  return {
    item_id: item.itemId,
    source_type: item.sourceType,
    file_name: item.fileName,
    error: item.error ?? 'No reason was recorded.',
  }
}
