import { statSync } from 'node:fs'
import { readIfPresent } from '../config/config-document.ts'
import { type HomeFiles, homeFiles } from '../config/home-folder.ts'
import { fileKey } from '../config/setting.ts'
import { type Config, modelsSection, SETTINGS } from '../config.ts'
import { homeAccount } from '../connections/home-memory.ts'
import { AppError, locatedMessage } from '../domain/errors.ts'
import type {
  EmbeddedVectors,
  EmbeddingModelOverview,
  EmbeddingModelTrial,
  LanguageModelOverview,
  LanguageModelWork,
  Limit,
  ModelsOverview,
  ModelTrial,
  ModelTrials,
  ServerOverview,
} from '../http/app/schemas/settings.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { type ConfiguredLanguageModel, type ModelsSettings, modelsSettings } from '../models/configured/open-models.ts'
import { type ModelTrial as MadeTrial, modelProblem, tryModels } from '../models/configured/try-models.ts'
import type { Rerankers } from '../models/model.ts'
import { KEYS_PER_ACCOUNT } from '../service/keys.ts'
import { MAX_RECALL_LIMIT, QUERY_MAX_CHARACTERS } from '../service/recall.ts'
import { PDF_LIMIT_BYTES, TEXT_LIMIT_BYTES } from '../service/upload-checks.ts'
import type { Store } from '../store/store.ts'
import { type ConnectionRetention, limitedSources } from '../sync/forget-expired.ts'
import { laneThreads } from '../worker/lane-threads.ts'
import { backupCopies } from './backup-copies.ts'
import type { EmbeddingChoices, EmbeddingTrial } from './embedding-choice.ts'
import type { EmbeddingModelJobs } from './embedding-model-jobs.ts'
import { BUILT_IN_NAME, embeddingName, embeddingOverview } from './embedding-overview.ts'
import type { LanguageModelChoices } from './language-model-choice.ts'
import { languageOverview } from './language-overview.ts'
import type { RerankerChoices } from './reranker-choice.ts'
import type { SettingsService } from './settings-contract.ts'

interface SettingsServiceParts {
  readonly config: Config
  readonly store: Store
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  readonly modelJobs: EmbeddingModelJobs
  readonly languageModels: LanguageModelChoices
  readonly embeddings: EmbeddingChoices
  readonly rerankers: RerankerChoices
  /** Those in use. */
  readonly ranking: () => Rerankers
  /** The one in use. */
  readonly language: () => ConfiguredLanguageModel | undefined
  /** Connections with their own retention. */
  readonly connections: () => Promise<readonly ConnectionRetention[]>
}

/** Empty while config.yaml cannot be read; the Sources page shows the error. */
async function limitsIn(connections: SettingsServiceParts['connections']): Promise<readonly ConnectionRetention[]> {
  try {
    return await connections()
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

/** @param stack removes leftovers of backups */
export function settingsService(parts: SettingsServiceParts, stack: AsyncDisposableStack): SettingsService {
  const {
    config,
    store,
    version,
    env,
    connections,
    modelJobs,
    languageModels,
    embeddings,
    rerankers,
    clock = systemClock,
  } = parts
  const files = homeFiles(config.home)
  const copies = backupCopies({ store, file: files.backupCopy, clock })
  stack.defer(() => copies.close())
  stack.defer(() => modelJobs.close())
  let trying: Promise<ModelTrials> | undefined
  return {
    models: async ({ isAdmin }) => ({
      ...(await modelsOverview(parts, isAdmin)),
      local: isAdmin ? modelJobs.list() : [],
    }),
    chooseLanguageModel: async (choice) => trialView(await languageModels.choose(choice)),
    removeLanguageModel: () => languageModels.remove(),
    testEmbeddingModel: async (choice) => embeddingTrialView(await embeddings.try(choice)),
    chooseEmbeddingModel: async (choice) => embeddingTrialView(await embeddings.choose(choice)),
    embeddedVectors: () => embeddedVectors(parts),
    removeEmbeddingModel: () => embeddings.remove(),
    async chooseReranker(choice) {
      const trial = await rerankers.choose(choice)
      return { trial: trial === undefined ? null : trialView(trial) }
    },
    addLocalModel: (name) => modelJobs.add(name),
    declineLocalModel: (name) => modelJobs.decline(name),
    removeLocalModel: (name) => modelJobs.remove(name),
    testModels() {
      trying ??= testModels(files, env).finally(() => {
        trying = undefined
      })
      return trying
    },
    async server({ isAdmin }): Promise<ServerOverview> {
      const { home: folder, config: configFile, database } = files
      return {
        version,
        limits: serverLimits(config, await limitsIn(connections)),
        home: isAdmin
          ? { folder, config_file: configFile, database_bytes: sizeOf(database) + sizeOf(`${database}-wal`) }
          : null,
      }
    },
    async isHomeAccount(accountId) {
      return (await homeAccount({ config, store, env })) === accountId
    },
    makeBackup: (personId) => copies.make(personId),
    openBackup: (ref) => copies.open(ref),
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

async function modelsOverview(parts: SettingsServiceParts, isAdmin: boolean): Promise<Omit<ModelsOverview, 'local'>> {
  const { config, store, env, language: inUse, languageModels, rerankers, ranking } = parts
  const { problem } = configured(config)
  const { recall, answers } = ranking()
  const language = inUse()
  return {
    problem: isAdmin ? (problem ?? null) : null,
    language: {
      settings: isAdmin ? languageModels.current() : null,
      model: language?.model.id ?? null,
      uses: [...(language?.uses ?? [])],
      work: isAdmin ? await languageWork({ ...config, models: modelsNow(config, env) }, store) : null,
    } satisfies LanguageModelOverview,
    embedding: await embedding(parts, isAdmin),
    reranker: {
      settings: isAdmin ? rerankers.current() : null,
      model: shortName((recall ?? answers)?.id) ?? null,
      answers_only: recall === undefined && answers !== undefined,
    },
  }
}

/** An error in the settings hides only the settings. */
function configured({ models }: Config): { readonly settings: ModelsSettings; readonly problem?: string } {
  try {
    return { settings: modelsSettings(models) }
  } catch (error) {
    if (error instanceof AppError) return { settings: {}, problem: locatedMessage(error) }
    throw error
  }
}

/** Followed while the service runs; as it was at the start when the file can't be read. */
function modelsNow({ home, models }: Config, env: SettingsServiceParts['env']): Config['models'] {
  try {
    return modelsSection(readIfPresent(homeFiles(home).config) ?? '', env)
  } catch (error) {
    if (error instanceof AppError) return models
    throw error
  }
}

async function languageWork(config: Config, store: Store): Promise<LanguageModelWork | null> {
  const overview = await languageOverview(config, store)
  if (overview === undefined) return null
  const { refined, unproven, given_up, spent_today: today } = overview
  const waiting = overview.waiting.map(({ items, message = null, until = null }) => ({ items, message, until }))
  return { refined, unproven, given_up, today, waiting }
}

async function embedding(
  { config, store, embeddings, modelJobs }: SettingsServiceParts,
  isAdmin: boolean,
): Promise<EmbeddingModelOverview> {
  const overview = await embeddingOverview(config, store)
  const model = overview.model === BUILT_IN_NAME ? null : overview.model
  if (!isAdmin) return { settings: null, model, texts: null, is_changing: false, building: null, problems: [] }
  const { texts = null, building = null, problems: known } = overview
  const settings = embeddings.current()
  const failure = settings === null ? undefined : modelJobs.problemOf(embeddingName(settings))
  const problems = [...(failure === undefined ? [] : [{ message: failure }]), ...known]
  return {
    settings,
    model,
    texts,
    is_changing: modelJobs.isBusy,
    building,
    problems: problems.map((one) => ({
      message: one.message,
      retry_at: 'retry_at' in one ? (one.retry_at ?? null) : null,
    })),
  }
}

/** Tests the models that config.yaml names now, so that a change can be tested before the restart. */
async function testModels(files: HomeFiles, env: SettingsServiceParts['env']): Promise<ModelTrials> {
  const models = modelsSection(readIfPresent(files.config) ?? '', env)
  const [problem, ms] = await timed(modelProblem)
  const builtIn: ModelTrial = {
    kind: 'built-in',
    model: BUILT_IN_NAME,
    problem: problem ?? null,
    ms: problem === undefined ? ms : null,
    per_second: null,
    keeps_to_schema: null,
  }
  const trials = models === undefined ? [] : await tryModels(models, { cacheFolder: files.models })
  return {
    trials: [builtIn, ...trials.map(trialView)],
  }
}

function trialView({ kind, model, problem, seconds, rate, keepsToSchema }: MadeTrial): ModelTrial {
  return {
    kind,
    model,
    problem: problem ?? null,
    ms: seconds === undefined ? null : Math.round(seconds * 1_000),
    per_second: rate === undefined ? null : { count: rate.perSecond, unit: rate.unit },
    keeps_to_schema: keepsToSchema ?? null,
  }
}

/** The vectors of the model of a provider, those that are being made among them. */
async function embeddedVectors({ config, store, embeddings }: SettingsServiceParts): Promise<EmbeddedVectors> {
  const { texts, building } = await embeddingOverview(config, store)
  const vectors = (texts?.embedded ?? 0) + (building?.embedded ?? 0)
  const price = embeddings.current()?.price_input ?? null
  if (price === null || vectors === 0) return { vectors, dollars: price === null ? null : 0 }
  // No text has a vector in a space that doesn't exist, so all of them are counted.
  const all = await store.spaces.estimate('')
  const tokens = (all.characters / 4) * (vectors / Math.max(1, all.texts))
  return { vectors, dollars: (tokens / 1e6) * price }
}

function embeddingTrialView({ trial, estimate }: EmbeddingTrial): EmbeddingModelTrial {
  if (estimate === undefined) return { trial: trialView(trial), change: null }
  const { texts, tokens, dollars = null, seconds } = estimate
  return { trial: trialView(trial), change: { texts, tokens, dollars, seconds } }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, ms: number]> {
  const startedAt = performance.now()
  const value = await work()
  return [value, Math.round(performance.now() - startedAt)]
}

/** Provider and name, without what distinguishes its files. */
function shortName(id: string | undefined): string | undefined {
  return id?.replace(/^((?:local|onnx):[^:]+):.*$/, '$1')
}

/** The limits of this server, with the setting that changes each. */
function serverLimits(config: Config, connections: readonly ConnectionRetention[]): Limit[] {
  const setting = (name: Limited, title: string, unit: Limit['unit']): Limit => {
    return { title, unit, value: config[name], setting: fileKey(name), about: SETTINGS[name].describe }
  }
  const fixed = (title: string, value: number, unit: Limit['unit'], about: string): Limit => {
    return { title, unit, value, setting: null, about }
  }
  const { quick, spare } = laneThreads(config.pipelineThreads)
  return [
    setting('rateLimitPerMinute', 'Requests per minute', 'requests'),
    setting('maxConcurrentAsks', 'Concurrent questions', 'questions'),
    setting('maxConcurrentSearches', 'Concurrent searches', 'searches'),
    setting('maxUploadsWaitingPerAccount', 'Waiting uploads per account', 'uploads'),
    setting('maxUploadsWaiting', 'Waiting uploads in total', 'uploads'),
    setting('maxConcurrentUploads', 'Concurrent large uploads', 'uploads'),
    { ...setting('pipelineThreads', 'Processing threads', 'threads'), value: quick + spare },
    setting('activityDays', 'Activity retention', 'days'),
    setting('auditDays', 'Audit log retention', 'days'),
    ...limitedSources(config.retention).map(
      ([source, value]): Limit => ({
        title: `Retention of ${source}`,
        ...{ value, unit: 'days', setting: 'retention' },
        about: 'Older items are deleted once a day, and connectors skip them.',
      }),
    ),
    ...connections.map(
      ({ connection, days }): Limit => ({
        title: `Retention of ${connection}`,
        ...{ value: days, unit: 'days', setting: 'retention_days' },
        about: 'Overrides the retention of its source.',
      }),
    ),
    fixed('Maximum file size', TEXT_LIMIT_BYTES, 'bytes', 'The largest upload that is not a PDF.'),
    fixed('Maximum PDF size', PDF_LIMIT_BYTES, 'bytes', 'The largest PDF.'),
    fixed('Maximum question length', QUERY_MAX_CHARACTERS, 'characters', 'The longest text for recall and ask.'),
    fixed('Maximum results', MAX_RECALL_LIMIT, 'results', 'The most memories that one recall can return.'),
    fixed('Keys per account', KEYS_PER_ACCOUNT, 'keys', 'Includes the default key.'),
  ]
}

/** Settings that are numbers. */
type Limited = {
  [Name in keyof typeof SETTINGS]: Name extends keyof Config ? (Config[Name] extends number ? Name : never) : never
}[keyof typeof SETTINGS]
