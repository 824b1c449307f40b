import { randomUUID } from 'node:crypto'
import { type FenceKeys, issueFenceId } from '../domain/recalled-fence.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { NO_TELEMETRY, type Telemetry } from '../lib/telemetry.ts'
import type { Embedder, Reranker } from '../models/model.ts'
import type { Store } from '../store/store.ts'
import { type AccountGrants, accountDeletion } from './account-deletion.ts'
import { accountUseCases } from './accounts.ts'
import { createActivity } from './activity.ts'
import { announceItems } from './announce-items.ts'
import { type AnswerModel, createAnswerWriting } from './answer-writing.ts'
import { exportAccount } from './archive/export-account.ts'
import { importAccount } from './archive/import-account.ts'
import { ask } from './ask.ts'
import { createAskGate } from './ask-gate.ts'
import { authenticate } from './authenticate.ts'
import { createBacklog } from './backlog.ts'
import { billingUseCases, checkBilling } from './billing.ts'
import { exploreAnswer } from './explore-answer.ts'
import { exploreRecall } from './explore-recall.ts'
import { download, forget, list } from './files.ts'
import { goldenUseCases } from './golden.ts'
import { checkHealth, hasDiskSpace } from './health.ts'
import { keyUseCases } from './keys.ts'
import { libraryUseCases } from './library.ts'
import type { LiveEvents } from './live-events.ts'
import { createLoadGate } from './load-gate.ts'
import { memorizeUseCase } from './memorize.ts'
import { peopleUseCases } from './people.ts'
import type { Plans } from './plans.ts'
import { createQuestionSpaces } from './question-spaces.ts'
import { recall } from './recall.ts'
import { createReranking } from './reranking.ts'
import type { PaidModel, Service } from './service.ts'
import {
  DEFAULT_SERVICE_SETTINGS,
  type ServiceContext,
  type ServiceSettings,
  type UploadClassifier,
} from './service-context.ts'
import { statistics } from './statistics.ts'
import { uploadLimit } from './upload-checks.ts'
import { usageUseCases } from './usage-by-day.ts'
import { createUsageMeter } from './usage-meter.ts'

export interface ServiceOptions {
  readonly store: Store
  /** The built-in one. */
  readonly embedder: Embedder
  /** The one that is plugged in; questions are asked in its space when that is the active one. */
  readonly pluggedIn?: Embedder
  /** Orders what was found. Absent: the built-in mix does. */
  readonly reranker?: Reranker
  /** Words answers. Absent: they are quotations. */
  readonly answerModel?: AnswerModel
  /** The language model whose costs are shown, whatever it is used for. */
  readonly paidModel?: PaidModel
  readonly log: Log
  /** From plans.yaml, by `loadPlans`. */
  readonly plans: Plans
  /** Tells text from documents and other formats by the bytes of an upload. */
  readonly classify: UploadClassifier
  /** A text without its secrets, for the questions that activity shows. */
  readonly redact: (text: string) => string
  /** Tells the people who look at the app. */
  readonly live?: LiveEvents
  /** Is withdrawn when an account is deleted. */
  readonly grants?: AccountGrants
  /** Absent: no fence is recognized later. */
  readonly fences?: FenceKeys
  /** Of the disk that the store is on; absent where it is on no disk of this machine. */
  readonly freeBytes?: () => Promise<number>
  readonly settings?: Partial<ServiceSettings>
  readonly telemetry?: Telemetry
  readonly clock?: Clock
  readonly newId?: () => string
}

// Whoever imports sends many at a time and waits for them; of eight at once some were refused after half a second.
const UPLOAD_BURST_MS = 2_000

/**
 * The use cases over one store. It owns a timer only; `close` it before the store.
 *
 * @throws AppError `invalid` when the limits of the model leave no room for an answer
 */
export function createService(options: ServiceOptions): Service {
  const { store, log, clock = systemClock, newId = randomUUID } = options
  const settings = { ...DEFAULT_SERVICE_SETTINGS, ...options.settings }
  const usage = createUsageMeter({ admin: store.admin, clock, log, flushMs: settings.usageFlushMs })
  const { redact, live } = options
  const activity = createActivity({
    store,
    clock,
    log,
    live,
    redact,
    days: settings.activityDays,
    administrationDays: settings.auditDays,
    flushMs: settings.usageFlushMs,
  })
  const { embedder, pluggedIn, reranker, answerModel } = options
  const spending = store.refinements
  const context: ServiceContext = {
    store,
    embedder,
    questionSpaces: createQuestionSpaces({ spaces: store.spaces, builtIn: embedder, pluggedIn, clock, log }),
    ...(reranker && { rerank: createReranking({ reranker, clock, log }) }),
    ...(answerModel && { answerWriting: createAnswerWriting({ ...answerModel, spending, clock, log }) }),
    ...(options.paidModel && { paidModel: options.paidModel }),
    ...(options.grants && { grants: options.grants }),
    clock,
    log,
    telemetry: options.telemetry ?? NO_TELEMETRY,
    settings,
    plans: options.plans,
    classify: options.classify,
    usage,
    activity,
    backlog: createBacklog(store, settings),
    searches: createLoadGate(settings.maxConcurrentSearches),
    uploads: createLoadGate(settings.maxConcurrentCommits, UPLOAD_BURST_MS),
    newId,
  }
  const endAnnouncements = live && announceItems(store, live)
  const gate = createAskGate(settings.maxConcurrentAsks)

  return {
    authenticate: (presented) => authenticate(context, presented),
    checkBilling: (principal, use) => checkBilling(context, principal, use),
    admit(use) {
      if (use === 'upload') context.uploads.admit()
      if (use === 'recall' || use === 'ask') context.searches.admit()
    },
    admitUpload: (principal) => context.backlog.admit(principal.accountId),
    uploadLimit: (upload) => uploadLimit(upload, context.classify),
    memorize: memorizeUseCase(context),
    recall: (principal, query, options) => recall(context, principal, query, options),
    ask: (principal, question, options) => ask(context, gate, principal, question, options),
    fenceId(principal) {
      const key = options.fences?.of(principal.accountId)
      return key && issueFenceId(key)
    },
    list: (principal, query) => list(context, principal, query),
    download: (principal, ref) => download(context, principal, ref),
    forget: (principal, ref) => forget(context, principal, ref),
    retryFailed: (principal) => store.scoped(principal.scope).requeueFailed(),
    health: () => checkHealth(store),
    hasDiskSpace: () => hasDiskSpace(options.freeBytes),
    hasRoom: async () => !(await context.backlog.isFull()),
    statistics: () => statistics(context),
    explore: {
      recall: (principal, query, options) => exploreRecall(context, principal, query, options),
      ask: (principal, question, options) => exploreAnswer(context, gate, principal, question, options),
      overview: (principal) => store.scoped(principal.scope).holdings(),
    },
    accounts: accountUseCases(context),
    deletions: accountDeletion(context),
    bodies: store.bodies,
    archives: {
      export: (request) => exportAccount(context, request),
      import: (request) => importAccount(context, request),
    },
    keys: keyUseCases(context),
    billing: billingUseCases(context),
    usage: usageUseCases(context),
    golden: goldenUseCases(context),
    library: libraryUseCases(context),
    people: peopleUseCases(context),
    activity,
    close: async () => {
      endAnnouncements?.()
      await Promise.all([usage.close(), activity.close()])
    },
  }
}
