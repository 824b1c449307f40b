import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FenceKeys, fenceKey } from '../../src/domain/recalled-fence.ts'
import type { SourceType } from '../../src/domain/source-type.ts'
import { createServer, type ServerSettings } from '../../src/http/rest/server.ts'
import type { ApiServer } from '../../src/http/rest/server-types.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { packagePath } from '../../src/lib/files.ts'
import type { Log } from '../../src/lib/log.ts'
import type { Embedder, Reranker } from '../../src/models/model.ts'
import { sniffContent } from '../../src/pipeline/parse/sniff.ts'
import { redactSecrets } from '../../src/pipeline/redact.ts'
import type { AnswerModel } from '../../src/service/answer-writing.ts'
import { createService } from '../../src/service/create-service.ts'
import type { LiveEvents } from '../../src/service/live-events.ts'
import { loadPlans, type Plans } from '../../src/service/plans.ts'
import type { Service } from '../../src/service/service.ts'
import type { PaidModel, ServiceSettings } from '../../src/service/service-context.ts'
import type { BlobOptions } from '../../src/store/bodies/bodies.ts'
import type { Store } from '../../src/store/store.ts'
import { createWorker } from '../../src/worker/worker.ts'
import { BUILT_IN_MODEL, builtInEmbedder } from './built-in-embedder.ts'
import { httpCall } from './http-call.ts'
import { type LogLine, recordingLog } from './recording-log.ts'
import { openTestStore } from './test-store.ts'
import { until } from './until.ts'

/** Of every home that a test starts. */
const SECRET = new Uint8Array(32).fill(7)
const FENCES: FenceKeys = { of: (accountId) => fenceKey(SECRET, accountId) }

/** The whole service as it runs for people, on a free port, in a home of its own. */
export interface RunningService extends AsyncDisposable {
  readonly baseUrl: string
  readonly port: number
  readonly server: ApiServer
  readonly service: Service
  readonly store: Store
  /** The account it begins with, and its default key. */
  readonly accountId: string
  readonly userId: string
  readonly key: string
  readonly logLines: readonly LogLine[]
  /** A further key of the account. */
  keyFor(sources: 'all' | readonly SourceType[], accountId?: string): Promise<string>
  /** Uploads a text, and waits until it can be recalled. */
  upload(
    text: string,
    options?: { key?: string; source?: SourceType; itemId?: string; userName?: string; onConflict?: 'replace' },
  ): Promise<string>
  /** Waits until an item is `ready`. */
  ready(itemId: string, source?: SourceType, key?: string): Promise<void>
  /** Closes the store under the running service, as when its disk is gone. */
  breakStore(): Promise<void>
  stop(): Promise<void>
}

export interface StartOptions {
  readonly server?: Partial<ServerSettings>
  readonly settings?: Partial<ServiceSettings>
  readonly plans?: Plans
  readonly clock?: Clock
  /** Absent: all bytes of uploads are in the database. */
  readonly bodies?: BlobOptions
  /** An embedding model beside the built-in one. */
  readonly pluggedIn?: Embedder
  readonly models?: {
    readonly reranker?: Reranker

    readonly answerModel?: AnswerModel
    readonly paidModel?: PaidModel
  }
  /** Tells whoever looks at the app. */
  readonly live?: LiveEvents
  /** `false`: uploads stay queued; else a worker is started by the first of them. */
  readonly work?: boolean
  /** Further routes, before the server listens. */
  readonly routes?: (server: ApiServer, service: Service, store: Store) => void
}

export async function startService(options: StartOptions = {}): Promise<RunningService> {
  // What was started is stopped in reverse order, also when a later part does not start.
  await using parts = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'recalld-test-'))
  parts.defer(() => rm(home, { recursive: true, force: true }))
  const storage = parts.use(new AsyncDisposableStack())
  const { log, lines } = recordingLog()
  const clock = options.clock === undefined ? {} : { clock: options.clock }
  const bodies = options.bodies === undefined ? {} : { bodies: options.bodies }
  const store = await openTestStore({ file: join(home, 'recalld.db'), log, ...clock, ...bodies }, storage)
  const { answerModel, paidModel, reranker } = options.models ?? {}
  const rerankers = reranker === undefined ? {} : { recall: reranker }
  const languageModel = { ...(answerModel && { answers: answerModel }), ...(paidModel && { paid: paidModel }) }
  const service = createService({
    store,
    embedder: await builtInEmbedder(),
    pluggedIn: () => options.pluggedIn,
    log,
    plans: options.plans ?? loadPlans(packagePath('config/plans.yaml')),
    classify: sniffContent,
    redact: (text) => redactSecrets(text).text,
    ...(options.live && { live: options.live }),
    fences: FENCES,
    settings: { usageFlushMs: 20, ...options.settings },
    ...clock,
    rerankers: () => rerankers,
    languageModel: () => languageModel,
  })
  storage.defer(() => service.close())
  if (options.work !== false) workFromFirstUpload(store, log, storage)
  // Without a limit on delay: a test machine may be busy with something else.
  const server = await createServer({
    service,
    log,
    settings: { rateLimitPerMinute: 1_000_000, maxEventLoopDelayMs: 0, ...options.server },
  })
  parts.defer(() => server.close())
  options.routes?.(server, service, store)
  const baseUrl = await server.listen({ port: 0, host: '127.0.0.1' })
  const account = await service.accounts.create({ name: 'Ada', userName: 'Ada Lovelace' })
  const keys = new Map<string, string>()
  let stopping: Promise<void> | undefined

  const running: RunningService = {
    baseUrl,
    port: Number(new URL(baseUrl).port),
    server,
    service,
    store,
    accountId: account.accountId,
    userId: account.userId,
    key: account.key,
    logLines: lines,
    async keyFor(sources, accountId = account.accountId) {
      const name = `${accountId} ${String(sources)}`
      const known = keys.get(name)
      if (known !== undefined) return known
      await service.billing.set({ account: accountId, status: 'active' })
      const { key } = await service.keys.create({ account: accountId, name, sources })
      keys.set(name, key)
      return key
    },
    async upload(text, { key = account.key, source = 'text', itemId, userName = 'Ada Lovelace', onConflict } = {}) {
      const answer = await httpCall(`${baseUrl}/v1/memorize`, {
        method: 'POST',
        key,
        form: [
          ['file', new File([text], 'note.txt', { type: 'text/plain' })],
          ['user_name', userName],
          ['source_type', source],
          ...(itemId === undefined ? [] : [['item_id', itemId] as const]),
          ...(onConflict === undefined ? [] : [['on_conflict', onConflict] as const]),
        ],
      })
      if (answer.status !== 200) throw new Error(`upload: ${answer.status} ${answer.text}`)
      const id = String(answer.body.item_id)
      await running.ready(id, source, key)
      return id
    },
    ready: (itemId, source = 'text', key = account.key) => untilReady(service, { itemId, source, key }),
    breakStore: () => storage.disposeAsync(),
    stop: () => {
      stopping ??= started.disposeAsync()
      return stopping
    },
    [Symbol.asyncDispose]: () => running.stop(),
  }
  const started = parts.move()
  return running
}

/** To load what a worker needs takes half a second, and many tests upload nothing. */
function workFromFirstUpload(store: Store, log: Log, stack: AsyncDisposableStack): void {
  const worker = createWorker({ store, log, modelFolder: BUILT_IN_MODEL, fences: FENCES })
  let starting: Promise<void> | undefined
  const unsubscribe = store.onWork(() => {
    starting ??= worker.start()
  })
  stack.defer(async () => {
    unsubscribe()
    await starting
    if (starting !== undefined) await worker.stop(5_000)
  })
}

async function untilReady(service: Service, item: { itemId: string; source: SourceType; key: string }): Promise<void> {
  const principal = await service.authenticate(item.key)
  await until(async () => {
    const { files } = await service.list(principal, { sourceType: item.source, limit: 10_000 })
    const file = files.find(({ item_id }) => item_id === item.itemId)
    if (file === undefined || file.status === 'failed')
      throw new Error(`${item.itemId}: ${file?.error ?? 'is not there'}`)
    return file.status === 'ready'
  })
}
