import { statSync } from 'node:fs'
import { readIfPresent } from '../config/config-document.ts'
import { modelsSection } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { type ConfiguredLanguageModel, modelsSettings, openModels } from '../models/configured/open-models.ts'
import type { PluggedIn } from '../models/configured/plugged-in.ts'
import type { EmbeddingSettings, LanguageSettings } from '../models/model-settings.ts'

interface FollowedModel {
  readonly files: { readonly models: string; readonly config: string }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly pluggedIn: PluggedIn<ConfiguredLanguageModel>
  /** Of the model that the start opened. */
  readonly opened: LanguageSettings | undefined
  /** Counts its calls. */
  readonly measure: (model: ConfiguredLanguageModel) => ConfiguredLanguageModel
  readonly log: Log
}

/**
 * Has the running service use the language model that config.yaml names, also with another key. One that cannot be opened
 * changes nothing.
 */
export function followLanguageModel(followed: FollowedModel): () => Promise<void> {
  const { files, env, pluggedIn, measure, log } = followed
  let used = modelVersion(followed.opened)
  return async () => {
    const section = modelsSection(readIfPresent(files.config) ?? '', env)
    const { language: settings } = modelsSettings(section)
    const version = modelVersion(settings)
    if (version === used) return
    const { language } =
      settings === undefined ? {} : await openModels({ language: settings }, { cacheFolder: files.models })
    used = version
    // A language model has nothing to close: it is at its provider.
    await pluggedIn.replace(language && measure(language), () => Promise.resolve())
    log.info({ model: language?.model.id ?? 'none' }, 'the language model was changed')
  }
}

/** Closes a model that was exchanged; the service goes on if that fails. */
export function closing(close: () => Promise<void>, log: Log): () => Promise<void> {
  return () => close().catch((error: unknown) => log.warn({ err: error }, 'a model that was exchanged did not close'))
}

/** Changes with the settings of a model and with the file of its key; empty: no model. */
export function modelVersion(settings: LanguageSettings | EmbeddingSettings | undefined): string {
  if (settings === undefined) return ''
  const { api_key_file: file } = settings
  const key = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
  return JSON.stringify([settings, key?.mtimeMs, key?.size])
}
