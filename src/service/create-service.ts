import { randomUUID } from 'node:crypto'
import { type FenceKeys, issueFenceId } from '../domain/recalled-fence.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { NO_TELEMETRY, type Telemetry } from '../lib/telemetry.ts'
import type { Embedder, Rerankers } from '../models/model.ts'
import type { Store } from '../store/store.ts'
import { accountDeletion } from './account-deletion.ts'
import { accountUseCases } from './accounts.ts'
import { Activity } from './activity.ts'
import { agentUseCases } from './agents.ts'
import { type AnswerModel, currentAnswerWriting } from './answer-writing.ts'
import { exportAccount } from './archive/export-account.ts'
import { importAccount } from './archive/import-account.ts'
import { ask } from './ask.ts'
import { billingUseCases, checkBilling, usageUseCases } from './billing.ts'
import { daysUseCases } from './days.ts'
import { editListUseCases } from './edit-list.ts'
import { editUseCases } from './edits.ts'
import { exploreUseCases } from './explore.ts'
import { download, forget, list } from './files.ts'
import { goldenUseCases } from './golden.ts'
import { checkHealth, hasDiskSpace } from './health.ts'
import { keyUseCases } from './keys.ts'
import { libraryUseCases } from './library.ts'
import { announceItems, type LiveEvents } from './live-events.ts'
import { createAskLimit, createBacklog, createLoadGate, type LoadGate } from './load-limits.ts'
import { memorizeUseCase } from './memorize.ts'
import { nameUseCases } from './names.ts'
import { open } from './open.ts'
import { peopleUseCases } from './people.ts'
import type { Plans } from './plans.ts'
import type { Principal } from './principal.ts'
import { authenticate, requireWrite } from './principal.ts'
import { profileUseCases } from './profile.ts'
import { createQuestionSpaces, currentReranking } from './question-models.ts'
import { recall } from './recall.ts'
import { recent } from './recent.ts'
import type { Service } from './service.ts'
import {
  type AccountGrants,
  DEFAULT_SERVICE_SETTINGS,
  type PaidModel,
  type ServiceContext,
  type ServiceSettings,
  type UploadClassifier,
} from './service-context.ts'
import { statistics } from './statistics.ts'
import { brief, suggest } from './suggest.ts'
import { tagUseCases } from './tags.ts'
import { uploadLimit } from './upload-checks.ts'
import { UsageMeter } from './usage-meter.ts'

export interface ServiceOptions {
  readonly store: Store
  /** The built-in one. */
  readonly embedder: Embedder
  /** The configured one; questions use its space when that is active. */
  readonly pluggedIn?: () => Embedder | undefined
  /** Those in use now; the same objects until they are exchanged. */
  readonly rerankers?: () => Rerankers
  /** Keeps those that are in use at the beginning of a question open until it ends. */
  readonly useModels?: UseModels
  /** The uses of the language model now; the same objects until it is exchanged. */
  readonly languageModel?: () => LanguageModelUses
  readonly log: Log
  /** From plans.yaml, by `loadPlans`. */
  readonly plans: Plans
  /** Distinguishes text, documents and other formats by the bytes of an upload. */
  readonly classify: UploadClassifier
  /** Removes secrets from questions before they are stored as activity. */
  readonly redact: (text: string) => string
  /** Notifies the open pages of the app. */
  readonly live?: LiveEvents
  /** Revoked when an account is deleted. */
  readonly grants?: AccountGrants
  /** Absent: no fence is recognized later. */
  readonly fences?: FenceKeys
  /** Free space of the store's disk; absent when the disk is on another machine. */
  readonly freeBytes?: () => Promise<number>
  readonly settings?: Partial<ServiceSettings>
  readonly telemetry?: Telemetry
  readonly clock?: Clock
  readonly newId?: () => string
}

export interface LanguageModelUses {
  /** Writes answers. Absent: they are quotations. */
  readonly answers?: AnswerModel
  /** Whose costs are shown, for all its uses. */
  readonly paid?: PaidModel
}

// An import sends many at a time and waits for them; with a limit of eight, some were refused after half a second.
const UPLOAD_BURST_MS = 2_000

/** Questions, and what is shown without one. */
function questionUseCases(
  context: ServiceContext,
  asks: ReturnType<typeof createAskLimit>,
): Pick<Service, 'recall' | 'ask' | 'recent' | 'open' | 'suggest' | 'brief'> {
  return {
    recall: (principal, query, options) => recall(context, principal, query, options),
    ask: (principal, question, options) => ask(context, asks, principal, question, options),
    recent: (principal, query, options) => recent(context, principal, query, options),
    open: (principal, query) => open(context, principal, query),
    suggest: (principal, prompt, options) => suggest(context, principal, prompt, options),
    brief: (principal, query) => brief(context, principal, query),
  }
}

/**
 * The use cases over one store. It only owns a timer; `close` it before the store.
 * @throws AppError `invalid` when the limits of the model leave no room for an answer
 */
export function createService(options: ServiceOptions): Service {
  const { store, live } = options
  const context = createContext(options)
  const { usage, activity, backlog } = context
  const asks = createAskLimit(context.settings.maxConcurrentAsks)
  const endAnnouncements = live && announceItems(store, live)
  const memorize = memorizeUseCase(context)

  return {
    authenticate: (presented) => authenticate(store, presented),
    checkBilling: (principal, use) => checkBilling(context, principal, use),
    admit(use) {
      if (use === 'upload') context.uploads.admit()
      if (use === 'recall' || use === 'ask') context.searches.admit()
    },
    admitUpload: (principal) => backlog.admit(principal.accountId),
    uploadLimit: (upload) => uploadLimit(upload, context.classify),
    memorize,
    edits: editUseCases(context, memorize),
    editList: editListUseCases(context),
    tags: tagUseCases(context),
    names: nameUseCases(context),
    profile: profileUseCases(context),
    days: daysUseCases(context),
    ...questionUseCases(context, asks),
    fenceId: (principal) => fenceIdFor(options, principal),
    list: (principal, query) => list(context, principal, query),
    download: (principal, ref) => download(context, principal, ref),
    forget: (principal, ref) => forget(context, principal, ref),
    retryFailed: async (principal) => {
      requireWrite(principal)
      return store.scoped(principal.scope).requeueFailed()
    },
    health: () => checkHealth(store),
    hasDiskSpace: () => hasDiskSpace(options.freeBytes),
    hasRoom: async () => !(await backlog.isFull()),
    statistics: () => statistics(context),
    explore: exploreUseCases(context, asks),
    accounts: accountUseCases(context),
    deletions: accountDeletion(context),
    bodies: store.bodies,
    archives: {
      export: (request) => exportAccount(context, request),
      import: (request) => importAccount(context, request),
    },
    keys: keyUseCases(context),
    agents: agentUseCases(context),
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

function fenceIdFor({ fences }: ServiceOptions, { accountId }: Principal): string | undefined {
  const key = fences?.of(accountId)
  return key && issueFenceId(key)
}

/** Runs work that may use models, and keeps these open meanwhile. */
type UseModels = <T>(work: () => Promise<T>) => Promise<T>

function whileInUse(gate: LoadGate, useModels: UseModels): LoadGate {
  return { ...gate, run: (work, signal) => useModels(() => gate.run(work, signal)) }
}

function createContext(options: ServiceOptions): ServiceContext {
  const {
    store,
    log,
    live,
    redact,
    embedder,
    pluggedIn = () => undefined,
    rerankers = (): Rerankers => ({}),
    useModels = (work) => work(),
    languageModel = (): LanguageModelUses => ({}),
    grants,
  } = options
  const { clock = systemClock, newId = randomUUID, telemetry = NO_TELEMETRY, plans, classify } = options
  const settings = { ...DEFAULT_SERVICE_SETTINGS, ...options.settings }
  const { activityDays: days, auditDays: administrationDays, usageFlushMs: flushMs } = settings
  const spending = store.refinements
  const reranking = currentReranking({ clock, log })
  return {
    ...{ store, embedder, clock, log, telemetry, settings, plans, classify, newId },
    questionSpaces: createQuestionSpaces({ spaces: store.spaces, builtIn: embedder, pluggedIn, clock, log }),
    rerank: () => reranking(rerankers().recall),
    rerankAnswers: () => reranking(rerankers().answers ?? rerankers().recall),
    answerWriting: currentAnswerWriting(() => languageModel().answers, { spending, clock, log }),
    paidModel: () => languageModel().paid,
    ...(grants && { grants }),
    usage: new UsageMeter({ admin: store.admin, clock, log, flushMs }),
    activity: new Activity({ store, clock, log, live, redact, days, administrationDays, flushMs }),
    backlog: createBacklog(store, settings),
    searches: whileInUse(createLoadGate(settings.maxConcurrentSearches), useModels),
    uploads: createLoadGate(settings.maxConcurrentCommits, UPLOAD_BURST_MS),
  }
}
