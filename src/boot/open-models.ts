import { setTimeout as delay } from 'node:timers/promises'
import { followEmbeddingModel, type OpenedEmbeddingModel } from '../administration/follow-embedding-model.ts'
import { followLanguageModel } from '../administration/follow-language-model.ts'
import { watchConfig } from '../administration/watch-config.ts'
import { type HomeFiles, homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import { measuredEmbedder, measuredModels } from '../models/configured/measured-models.ts'
import {
  type ConfiguredLanguageModel,
  type ModelsSettings,
  modelsSettings,
  type OpenModels,
  openModels,
} from '../models/configured/open-models.ts'
import type { PluggedIn } from '../models/configured/plugged-in.ts'
import { hasReranker, isLocalModelName } from '../models/local/local-models.ts'
import type { Embedder } from '../models/model.ts'
import { RERANKER_SETTINGS } from '../models/model-settings.ts'
import { isAway } from '../store/postgres/unavailable.ts'

export interface StartedModels extends Omit<OpenModels, 'close'> {
  /** The embedding model, which can be exchanged while the service runs. */
  readonly opened?: OpenedEmbeddingModel
}

/**
 * Opens the configured models for a service. An unreachable model does not prevent the others or the service from
 * starting.
 * @param stack closes them
 * @throws AppError `invalid`, naming file and line, for errors only the person can fix
 */
export async function startModels(config: Config, log: Log, stack: AsyncDisposableStack): Promise<StartedModels> {
  const { language, embedding, reranker } = modelsSettings(config.models)
  // Connectors do not need models, and a local one takes time and memory to load.
  if (!config.roles.some((role) => role === 'api' || role === 'worker')) return {}
  const surroundings = { cacheFolder: homeFiles(config.home).models }
  const open = async (settings: ModelsSettings): Promise<Partial<OpenModels>> => {
    try {
      const models = await openModels(settings, surroundings)
      stack.defer(() => models.close())
      return models
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'invalid') throw located(error, config, Object.keys(settings))
      if (error.code !== 'unavailable') throw error
      log.error(
        { err: error, models: Object.keys(settings) },
        'models could not be opened; they are not used until the next start',
      )
      return {}
    }
  }
  const { language: words } = language === undefined ? {} : await open({ language })
  const { embedding: embedder, close = () => Promise.resolve() } =
    embedding === undefined ? {} : await open({ embedding })
  const name = embedding?.provider === 'local' ? embedding.model : ''
  const opened = embedder !== undefined && embedding !== undefined ? { settings: embedding, close } : undefined
  const { reranker: ranker } = reranker === undefined ? {} : await open({ reranker })
  const isLocal = embedder !== undefined && isLocalModelName(name)
  const isBeside = isLocal && reranker === undefined && hasReranker(name, surroundings.cacheFolder)
  const beside = isBeside ? RERANKER_SETTINGS.parse({ provider: 'local', model: name }) : undefined
  const { reranker: answerReranker } = beside === undefined ? {} : await open({ reranker: beside })
  return {
    ...(words && { language: words }),
    ...(embedder && { embedding: embedder }),
    ...(opened && { opened }),
    ...(ranker && { reranker: ranker }),
    ...(answerReranker && { answerReranker }),
  }
}

function located({ message }: AppError, { models }: Config, [kind = '']: readonly string[]): AppError {
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
export async function startThroughOutages<Started>(
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
  readonly opened: OpenedEmbeddingModel | undefined
}

/** Has the service follow the embedding model and the language model of config.yaml. @param stack ends it */
export function watchModels(watched: WatchedModels, stack: AsyncDisposableStack): ReturnType<typeof watchConfig> {
  const { config, files, log, telemetry, env, plugged, pluggedLanguage, opened } = watched
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
  const usesModels = config.roles.some((role) => role === 'api' || role === 'worker')
  const followers = usesModels ? [followEmbedding, followLanguage] : []
  return watchConfig({ file: files.config, followers, log }, stack)
}
