import { setTimeout as delay } from 'node:timers/promises'
import { followEmbeddingModel, type OpenedEmbeddingModel } from '../administration/follow-embedding-model.ts'
import { followLanguageModel } from '../administration/follow-language-model.ts'
import { followReranker } from '../administration/follow-reranker.ts'
import { watchConfig } from '../administration/watch-config.ts'
import { type HomeFiles, homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import { measuredEmbedder, measuredModels, measuredRerankers } from '../models/configured/measured-models.ts'
import {
  type ConfiguredLanguageModel,
  type ModelsSettings,
  modelsSettings,
  type OpenModels,
  openModels,
} from '../models/configured/open-models.ts'
import { namedReranker, type OpenedRerankers, openReranker } from '../models/configured/open-rerankers.ts'
import type { PluggedIn } from '../models/configured/plugged-in.ts'
import type { Embedder, Rerankers } from '../models/model.ts'
import { isAway } from '../store/postgres/unavailable.ts'

export interface StartedModels extends Pick<OpenModels, 'language' | 'embedding'> {
  /** The embedding model, which can be exchanged while the service runs. */
  readonly opened?: OpenedEmbeddingModel
  /** Likewise. */
  readonly openedRerankers?: OpenedRerankers
}

/**
 * Opens the configured models for a service. An unreachable model does not prevent the others or the service from
 * starting.
 * @param stack closes them
 * @throws AppError `invalid`, naming file and line, for errors only the person can fix
 */
export async function startModels(config: Config, log: Log, stack: AsyncDisposableStack): Promise<StartedModels> {
  const settings = modelsSettings(config.models)
  const { language, embedding } = settings
  // Connectors do not need models, and a local one takes time and memory to load.
  if (!config.roles.some((role) => role === 'api' || role === 'worker')) return {}
  const environment = { cacheFolder: homeFiles(config.home).models }
  const attempt = async <Opened extends { close(): Promise<void> }>(
    kind: keyof ModelsSettings,
    open: () => Promise<Opened>,
  ): Promise<Opened | undefined> => {
    try {
      const opened = await open()
      stack.defer(() => opened.close())
      return opened
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'invalid') throw located(error, config, kind)
      if (error.code !== 'unavailable') throw error
      log.error({ err: error, model: kind }, 'a model could not be opened; it is not used until the next start')
      return undefined
    }
  }
  const words = language && (await attempt('language', () => openModels({ language }, environment)))
  const embedder = embedding && (await attempt('embedding', () => openModels({ embedding }, environment)))
  const opened = embedder && { settings: embedding, close: () => embedder.close() }
  const ranker = namedReranker(settings, environment.cacheFolder)
  const openedRerankers = ranker && (await attempt('reranker', () => openReranker(ranker, environment)))
  return {
    ...(words?.language && { language: words.language }),
    ...(embedder?.embedding && { embedding: embedder.embedding }),
    ...(opened && { opened }),
    ...(openedRerankers && { openedRerankers }),
  }
}

function located({ message }: AppError, { models }: Config, kind: keyof ModelsSettings): AppError {
  return new AppError('invalid', `${models?.where([kind])}: models: ${kind}: ${message}`)
}

/** Pause before retrying a server that accepts connections and then fails. */
const PAUSE_MS = 1_000

/**
 * Runs a start that opens a database server, and repeats it if the connection is lost; opening waits for the server
 * itself.
 * @param start closes what it opened when it rejects
 * @throws the reason of `patience` when that is aborted; other errors of `start`
 */
export async function retryWhileUnavailable<Started>(
  start: () => Promise<Started>,
  { log, patience }: { readonly log: Log; readonly patience: AbortSignal },
): Promise<Started> {
  for (;;) {
    try {
      return await start()
    } catch (error) {
      const cause = firstFailure(error)
      if (!(cause instanceof AppError && isAway(cause))) throw error
      patience.throwIfAborted()
      log.warn({ err: cause }, 'the database connection was lost during startup; starting over')
    }
    await delay(PAUSE_MS, undefined, { signal: patience }).catch(() => patience.throwIfAborted())
  }
}

/** Closing may fail without the database too. */
function firstFailure(error: unknown): unknown {
  return error instanceof SuppressedError ? firstFailure(error.suppressed) : error
}

interface WatchedModels {
  readonly config: Config
  readonly files: HomeFiles
  readonly log: Log
  readonly telemetry: Telemetry
  readonly env: Readonly<Record<string, string | undefined>>
  readonly plugged: PluggedIn<Embedder>
  readonly pluggedLanguage: PluggedIn<ConfiguredLanguageModel>
  readonly pluggedRerankers: PluggedIn<Rerankers>
  readonly opened: OpenedEmbeddingModel | undefined
  readonly openedRerankers: OpenedRerankers | undefined
}

/** Has the service follow the models of config.yaml. @param stack ends it */
export function watchModels(watched: WatchedModels, stack: AsyncDisposableStack): ReturnType<typeof watchConfig> {
  const { config, files, log, telemetry, env, plugged, pluggedLanguage, pluggedRerankers, opened } = watched
  const followEmbedding = followEmbeddingModel(
    {
      ...{ files, env, pluggedIn: plugged, log, ...(opened && { opened }) },
      measure: (embedder) => measuredEmbedder(embedder, telemetry),
    },
    stack,
  )
  const followLanguage = followLanguageModel({
    ...{ files, env, log, pluggedIn: pluggedLanguage, opened: modelsSettings(config.models).language },
    measure: (language) => measuredModels({ language }, telemetry).language ?? language,
  })
  const followRanking = followReranker(
    {
      ...{ files, env, log, pluggedIn: pluggedRerankers, opened: watched.openedRerankers },
      measure: (rerankers) => measuredRerankers(rerankers, telemetry),
    },
    stack,
  )
  const usesModels = config.roles.some((role) => role === 'api' || role === 'worker')
  const followers = usesModels ? [followEmbedding, followLanguage, followRanking] : []
  return watchConfig({ file: files.config, followers, log }, stack)
}
