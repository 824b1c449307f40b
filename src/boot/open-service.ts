import { statfs } from 'node:fs/promises'
import { secretKeyFile } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { packagePath } from '../lib/files.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import { keepThreadLimits } from '../lib/worker-thread.ts'
import { type ConfiguredLanguageModel, type OpenModels, readPrompt } from '../models/configured/open-models.ts'
import type { PluggedIn } from '../models/configured/plugged-in.ts'
import type { Embedder, Rerankers } from '../models/model.ts'
import { loadStaticEmbedder, MODEL_FOLDER } from '../models/static/static-embedder.ts'
import { sniffContent } from '../pipeline/parse/sniff.ts'
import { redactSecrets } from '../pipeline/redact.ts'
import type { AnswerModel } from '../service/answer-writing.ts'
import { createService, type LanguageModelUses } from '../service/create-service.ts'
import type { LiveEvents } from '../service/live-events.ts'
import { loadPlans } from '../service/plans.ts'
import type { Service } from '../service/service.ts'
import type { AccountGrants, PaidModel, ServiceSettings } from '../service/service-context.ts'
import type { Store } from '../store/store.ts'
import { fenceKeys } from './fence-keys.ts'
import { openStore } from './open-store.ts'

export interface OpenService {
  readonly store: Store
  /** The built-in one. */
  readonly embedder: Embedder
  readonly service: Service
}

/**
 * Opens the store of a home and the use cases on it; `stack` closes them.
 * @param models the configured models
 * @param running of the service that answers requests: when `stopping` is aborted, pending answers of a language model
 * become quotations; `live` notifies open pages of the app; `telemetry` records metrics; `plugged`,
 * `pluggedLanguage` and `pluggedRerankers` are used instead of the models of `models`; `patience` and
 * `acceptDatabase` as in `openStore`
 * @throws AppError `invalid` when the limits of the language model leave no room for an answer
 */
export async function openService(
  config: Config,
  log: Log,
  stack: AsyncDisposableStack,
  models: ServiceModels = {},
  {
    stopping,
    live,
    telemetry,
    patience,
    plugged,
    pluggedLanguage,
    pluggedRerankers,
    acceptDatabase = false,
  }: Running = {},
): Promise<OpenService> {
  keepThreadLimits()
  const opening = openStore(config, log, {
    telemetry,
    patience,
    acceptDatabase,
    isService: stopping !== undefined,
  }).then((store) => {
    stack.defer(() => store.close())
    return store
  })
  const loading = loadStaticEmbedder(MODEL_FOLDER)
  // Waits for both before throwing either failure, so that the stack closes the store.
  await Promise.allSettled([opening, loading])
  const [store, embedder] = await Promise.all([opening, loading])
  const { embedding: pluggedIn, reranker, language } = models
  const rerankers: Rerankers = reranker === undefined ? {} : { recall: reranker }
  const service = createService({
    store,
    embedder,
    pluggedIn: () => (plugged === undefined ? pluggedIn : plugged.current),
    useModels: (work) => {
      const use = () => (pluggedRerankers === undefined ? work() : pluggedRerankers.use(work))
      return plugged === undefined ? use() : plugged.use(use)
    },
    rerankers: () => pluggedRerankers?.current ?? (pluggedRerankers === undefined ? rerankers : {}),
    languageModel: languageModelUses(
      () => (pluggedLanguage === undefined ? language : pluggedLanguage.current),
      stopping,
    ),
    grants: accountGrants({ config, store, log }),
    fences: fenceKeys(config, log),
    log,
    plans: loadPlans(packagePath('config/plans.yaml')),
    classify: sniffContent,
    redact: (text) => redactSecrets(text).text,
    ...(live && { live }),
    ...(telemetry && { telemetry }),
    // On PostgreSQL the disk is on another machine.
    ...(config.databaseUrl === undefined && { freeBytes: () => freeBytes(config.home) }),
    settings: serviceSettings(config),
  })
  stack.defer(() => service.close())
  return { store, embedder, service }
}

function serviceSettings(config: Config): Partial<ServiceSettings> {
  return {
    maxUploadsWaiting: config.maxUploadsWaiting,
    maxUploadsWaitingPerAccount: config.maxUploadsWaitingPerAccount,
    maxConcurrentAsks: config.maxConcurrentAsks,
    maxConcurrentSearches: config.maxConcurrentSearches,
    // PostgreSQL serializes uploads of an account: more at a time would only take longer each.
    ...(config.databaseUrl !== undefined && { maxConcurrentCommits: 2 }),
    isBilled: config.billing === 'on',
    activityDays: config.activityDays,
    auditDays: config.auditDays,
    timeZone: config.timeZone,
  }
}

/** The configured models, where they stay the same. */
type ServiceModels = Pick<OpenModels, 'embedding' | 'reranker' | 'language'>

interface Running {
  readonly stopping?: AbortSignal
  readonly live?: LiveEvents
  readonly telemetry?: Telemetry
  readonly plugged?: PluggedIn<Embedder>
  readonly pluggedLanguage?: PluggedIn<ConfiguredLanguageModel>
  readonly pluggedRerankers?: PluggedIn<Rerankers>
  readonly patience?: AbortSignal | undefined
  readonly acceptDatabase?: boolean
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The uses of the model that is plugged in; the same ones until that is exchanged. */
function languageModelUses(
  current: () => ConfiguredLanguageModel | undefined,
  stopping: AbortSignal | undefined,
): () => LanguageModelUses {
  let made: { readonly of: ConfiguredLanguageModel; readonly uses: LanguageModelUses } | undefined
  return () => {
    const of = current()
    if (of === undefined) return {}
    if (made?.of !== of) {
      const paid = paidModel(of)
      made = { of, uses: of.uses.has('ask') ? { paid, answers: answerModel(of, stopping) } : { paid } }
    }
    return made.uses
  }
}

function answerModel(
  { model, askLimitMs, budget }: ConfiguredLanguageModel,
  stopping: AbortSignal | undefined,
): AnswerModel {
  const { text: instructions } = readPrompt('answer.v1')
  return { model, instructions, limitMs: askLimitMs, stopping, ...(budget && { budget }) }
}

function paidModel({ model, budget }: ConfiguredLanguageModel): PaidModel {
  return { id: model.id, isPriced: model.price !== undefined, ...(budget && { budget }) }
}

/** The grants of this store's accounts, for deleting an account. */
function accountGrants(parts: { readonly config: Config; readonly store: Store; readonly log: Log }): AccountGrants {
  const { config, store, log } = parts
  return {
    async hold(accountId) {
      // Loaded late, because every command opens a service and few delete an account.
      const { openGrants } = await import('../connections/open-grants.ts')
      const grantParts = { memoryId: `account:${accountId}`, secretKeyFile: secretKeyFile(config) }
      return openGrants({ store, ...grantParts, clock: systemClock, log }).held()
    },
  }
}
