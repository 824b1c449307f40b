import { readIfPresent, replaceConfigFile } from '../config/config-document.ts'
import type { HomeFiles } from '../config/home-folder.ts'
import { isSameAddress, readEmbeddingModel, withEmbeddingModel } from '../config/model-entry.ts'
import { modelsSection } from '../config.ts'
import { AppError, locatedMessage } from '../domain/errors.ts'
import {
  CHOSEN_EMBEDDING_PROVIDERS,
  type EmbeddingModelChoice,
  type EmbeddingModelSettings,
} from '../http/app/schemas/settings.ts'
import { modelsSettings, openModels } from '../models/configured/open-models.ts'
import { type ModelTrial, tryEmbeddingModel } from '../models/configured/try-models.ts'
import type { EmbeddingSettings } from '../models/model-settings.ts'
import type { Store } from '../store/store.ts'
import type { EmbeddingModelJobs } from './embedding-model-jobs.ts'
import { embeddingName } from './embedding-overview.ts'
import { modelKeyFiles } from './model-key-files.ts'
import { estimateReindex } from './reindex.ts'
import type { ReindexEstimate } from './reindex-contract.ts'

interface ChoiceParts {
  readonly files: HomeFiles
  readonly env: Readonly<Record<string, string | undefined>>
  readonly spaces: Store['spaces']
  readonly jobs: Pick<EmbeddingModelJobs, 'fill' | 'empty'>
}

/** A test of an embedding model, and what a change to it would take. */
export interface EmbeddingTrial {
  readonly trial: ModelTrial
  /** Absent when the model doesn't work. */
  readonly estimate?: ReindexEstimate
}

/** The embedding model of a provider in config.yaml, as the app shows and changes it. */
export interface EmbeddingChoices {
  /** Null: config.yaml names none of a provider, or cannot be read. */
  current(): EmbeddingModelSettings | null
  /** Sends sample sentences, nothing from the memory. */
  try(choice: EmbeddingModelChoice): Promise<EmbeddingTrial>
  /** Tests the model; one that works is written to config.yaml, and the memory is embedded with it. */
  choose(choice: EmbeddingModelChoice): Promise<EmbeddingTrial>
  /** Switches back to the built-in model. */
  remove(): Promise<void>
}

const PROVIDERS: readonly string[] = CHOSEN_EMBEDDING_PROVIDERS
const KEY = ['api_key', 'api_key_file']
/** Settings that belong to the provider, not to one model. */
const OF_PROVIDER = ['timeout_seconds']
/** Settings that every choice replaces. */
const CHOSEN = ['url', 'price']

export function embeddingChoices({ files, env, spaces, jobs }: ChoiceParts): EmbeddingChoices {
  const keys = modelKeyFiles(files.home, 'embedding-model')
  const tested = async (choice: EmbeddingModelChoice) => {
    const before = readIfPresent(files.config)
    const keyFile = keys.next()
    const entry = entryOf(choice, readEmbeddingModel(files.config) ?? {}, keyFile)
    const after = (dimensions: unknown) => withEmbeddingModel(before ?? '', { ...entry, dimensions })
    const settings = (dimensions: unknown) => withKey(embeddingIn(after(dimensions), env), choice.api_key)
    // The model is only queried for what config.yaml doesn't state.
    const dimensions = entry.dimensions ?? (await findDimensions(settings(1)))
    if (dimensions instanceof AppError) {
      const { provider, model } = choice
      const trial: ModelTrial = {
        kind: 'embedding',
        model: embeddingName({ provider, model }),
        problem: locatedMessage(dimensions),
      }
      return { before, after: before ?? '', entry, keyFile, result: { trial } }
    }
    const trial = await tryEmbeddingModel(settings(dimensions), { cacheFolder: files.models })
    if (trial.problem !== undefined) return { before, after: after(dimensions), entry, keyFile, result: { trial } }
    const estimate = await estimated(settings(dimensions), spaces, files)
    return { before, after: after(dimensions), entry, keyFile, result: { trial, estimate } }
  }
  return {
    current: () => currentSettings(files),
    try: async (choice) => (await tested(choice)).result,
    async choose(choice) {
      const { before, after, entry, keyFile, result } = await tested(choice)
      if (result.trial.problem !== undefined) return result
      jobs.fill(result.trial.model, () => {
        if (choice.api_key !== undefined) keys.save(keyFile, choice.api_key)
        replaceConfigFile(files.config, before, after)
        keys.keepOnly(entry.api_key_file)
      })
      return result
    },
    async remove() {
      const settings = currentSettings(files)
      if (settings === null) throw new AppError('not_found', 'config.yaml names no embedding model of a provider.')
      await jobs.empty(embeddingName(settings), () => {
        const before = readIfPresent(files.config)
        replaceConfigFile(files.config, before, withEmbeddingModel(before ?? '', undefined))
      })
      keys.keepOnly(undefined)
    },
  }
}

/**
 * Another model keeps only what belongs to the provider; the same one keeps prefixes and limits, too. A key is kept for the
 * address it was given for.
 */
function entryOf(
  { provider, model, url, api_key: key, price_input: price }: EmbeddingModelChoice,
  old: Readonly<Record<string, unknown>>,
  keyFile: string,
): Readonly<Record<string, unknown>> {
  const isOfProvider = old.provider === provider
  const isSame = isOfProvider && old.model === model
  const keepsKey = key === undefined && isOfProvider && isSameAddress(old, url)
  const kept = Object.entries(old).filter(([name]) => {
    if (KEY.includes(name)) return keepsKey
    return !CHOSEN.includes(name) && (isSame || (isOfProvider && OF_PROVIDER.includes(name)))
  })
  return {
    ...Object.fromEntries(kept),
    ...{ provider, model },
    ...(url !== undefined && url !== '' && { url }),
    ...(key !== undefined && { api_key_file: keyFile }),
    ...(price != null && { price: { input: price } }),
  }
}

async function findDimensions(settings: EmbeddingSettings): Promise<number | AppError> {
  const { measureDimensions } = await import('../models/ai-sdk/hosted-embedder.ts')
  try {
    return await measureDimensions(settings)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function embeddingIn(text: string, env: ChoiceParts['env']): EmbeddingSettings {
  const { embedding } = modelsSettings(modelsSection(text, env))
  if (embedding === undefined) throw new Error('the text names an embedding model')
  return embedding
}

/** The key is tested before it is written to its file. */
function withKey(settings: EmbeddingSettings, key: string | undefined): EmbeddingSettings {
  if (key === undefined) return settings
  const { api_key_file: _, ...rest } = settings
  return { ...rest, api_key: key }
}

async function estimated(
  settings: EmbeddingSettings,
  spaces: Store['spaces'],
  files: HomeFiles,
): Promise<ReindexEstimate> {
  const { embedding, close } = await openModels({ embedding: settings }, { cacheFolder: files.models })
  try {
    if (embedding === undefined) throw new Error('an embedding model was opened')
    return await estimateReindex(spaces, embedding)
  } finally {
    await close()
  }
}

function currentSettings({ config }: HomeFiles): EmbeddingModelSettings | null {
  try {
    const entry = readEmbeddingModel(config)
    if (entry === undefined || !PROVIDERS.includes(String(entry.provider))) return null
    const { provider, model, url, api_key: key, api_key_file: file, price } = entry
    const input = typeof price === 'object' && price !== null && 'input' in price ? price.input : undefined
    return {
      provider: String(provider),
      model: String(model),
      url: typeof url === 'string' ? url : null,
      has_key: key !== undefined || file !== undefined,
      price_input: typeof input === 'number' ? input : null,
    }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
