import { readIfPresent, replaceConfigFile } from '../config/config-document.ts'
import type { HomeFiles } from '../config/home-folder.ts'
import { isSameAddress, readReranker, withReranker } from '../config/model-entry.ts'
import { modelsSection } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { RerankerChoice, RerankerSettingsView } from '../http/app/schemas/settings.ts'
import { modelsSettings } from '../models/configured/open-models.ts'
import { type ModelTrial, tryReranker } from '../models/configured/try-models.ts'
import type { RerankerSettings } from '../models/model-settings.ts'
import { modelKeyFiles } from './model-key-files.ts'

interface ChoiceParts {
  readonly files: HomeFiles
  readonly env: Readonly<Record<string, string | undefined>>
  /** Has the service use what config.yaml names now. */
  readonly look: () => Promise<void>
}

/** The reranker of config.yaml, as the app shows and changes it. */
export interface RerankerChoices {
  /** Null: config.yaml names none, or cannot be read. */
  current(): RerankerSettingsView | null
  /** Tests a reranker; one that works is written to config.yaml and used. @returns `undefined` when there is nothing to test */
  choose(choice: RerankerChoice): Promise<ModelTrial | undefined>
}

type Entry = Readonly<Record<string, unknown>>

/** Settings that fit every reranker, and those that belong to a provider. */
const OF_ALL = ['max_passages', 'max_characters', 'timeout_seconds']
const OF_PROVIDER = ['api_key', 'api_key_file']

export function rerankerChoices({ files, env, look }: ChoiceParts): RerankerChoices {
  const keys = modelKeyFiles(files.home, 'reranker')
  return {
    current: () => currentSettings(files),
    async choose(choice) {
      const key = 'api_key' in choice ? choice.api_key : undefined
      const before = readIfPresent(files.config)
      const keyFile = keys.next()
      const entry = entryOf(choice, readReranker(files.config) ?? {}, keyFile)
      const after = withReranker(before ?? '', entry)
      const trial = entry === undefined || choice.provider === 'none' ? undefined : await tried(after, key)
      if (trial?.problem !== undefined) return trial
      if (key !== undefined) keys.save(keyFile, key)
      replaceConfigFile(files.config, before, after)
      await look()
      keys.keepOnly(entry?.api_key_file)
      return trial
    },
  }

  async function tried(text: string, key: string | undefined): Promise<ModelTrial> {
    const { reranker } = modelsSettings(modelsSection(text, env))
    if (reranker === undefined) throw new Error('the text names a reranker')
    return tryReranker(withKey(reranker, key), { cacheFolder: files.models })
  }
}

/** Other limits stay. @returns `undefined`: the one that comes with the embedding model, if any */
function entryOf(choice: RerankerChoice, old: Entry, keyFile: string): Entry | undefined {
  const { provider } = choice
  if (provider === 'automatic') return undefined
  if (provider === 'none') return { provider }
  const limits = old.provider === provider ? pick(old, OF_ALL) : {}
  if (provider === 'local') return { provider, model: choice.model, ...limits }
  const { model, url, api_key: key } = choice
  const oldKey = old.provider === provider && isSameAddress(old, url) ? pick(old, OF_PROVIDER) : {}
  return { provider, model, url, ...(key === undefined ? oldKey : { api_key_file: keyFile }), ...limits }
}

function pick(of: Entry, names: readonly string[]): Entry {
  return Object.fromEntries(Object.entries(of).filter(([name]) => names.includes(name)))
}

/** The key is tested before it is written to its file. */
function withKey(settings: RerankerSettings, key: string | undefined): RerankerSettings {
  if (key === undefined) return settings
  const { api_key_file: _, ...rest } = settings
  return { ...rest, api_key: key }
}

function currentSettings({ config }: HomeFiles): RerankerSettingsView | null {
  try {
    const entry = readReranker(config)
    if (entry === undefined) return null
    const { provider, model, url, api_key: key, api_key_file: file } = entry
    return {
      provider: String(provider),
      model: typeof model === 'string' ? model : null,
      url: typeof url === 'string' ? url : null,
      has_key: key !== undefined || file !== undefined,
    }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
