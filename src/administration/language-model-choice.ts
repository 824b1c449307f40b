import { z } from 'zod'
import { readIfPresent, replaceConfigFile } from '../config/config-document.ts'
import type { HomeFiles } from '../config/home-folder.ts'
import { isSameAddress, readLanguageModel, withLanguageModel } from '../config/model-entry.ts'
import { modelsSection } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { LanguageModelChoice, LanguageModelSettings } from '../http/app/schemas/settings.ts'
import { modelsSettings } from '../models/configured/open-models.ts'
import { type ModelTrial, tryLanguageModel } from '../models/configured/try-models.ts'
import type { LanguageSettings } from '../models/model-settings.ts'
import { modelKeyFiles } from './model-key-files.ts'

interface ChoiceParts {
  readonly files: HomeFiles
  readonly env: Readonly<Record<string, string | undefined>>
  /** Has the service use what config.yaml names now. */
  readonly look: () => Promise<void>
}

/** The language model of config.yaml, as the app shows and changes it. */
export interface LanguageModelChoices {
  /** Null: config.yaml names none, or cannot be read. */
  current(): LanguageModelSettings | null
  choose(choice: LanguageModelChoice): Promise<ModelTrial>
  remove(): Promise<void>
}

const PRICE = z.object({ input: z.number(), output: z.number() })
const BUDGET = z.looseObject({ dollars_per_month: z.unknown().optional() })

/** Settings that belong to the provider, not to one model. */
const OF_PROVIDER = ['api_key', 'api_key_file', 'use', 'timeout_seconds', 'ask_timeout_seconds']
/** Settings that fit every model. */
const OF_ALL = ['use']

export function languageModelChoices({ files, env, look }: ChoiceParts): LanguageModelChoices {
  const keys = modelKeyFiles(files.home, 'language-model')
  return {
    current: () => currentSettings(files),
    async choose({ provider, model, url, api_key: key, ...cost }) {
      const before = readIfPresent(files.config)
      const keyFile = keys.next()
      const old = readLanguageModel(files.config) ?? {}
      const kept = keptSettings(old, { provider, model, url })
      const entry = {
        ...keptCost(kept, cost),
        ...{ provider, model },
        ...(url !== undefined && url !== '' && { url }),
        ...(key !== undefined && { api_key_file: keyFile }),
      }
      const after = withLanguageModel(before ?? '', key === undefined ? entry : without(entry, ['api_key']))
      const settings = languageIn(after, env)
      const trial = await tryLanguageModel(key === undefined ? settings : withKey(settings, key), {
        cacheFolder: files.models,
      })
      if (trial.problem !== undefined) return trial
      if (key !== undefined) keys.save(keyFile, key)
      replaceConfigFile(files.config, before, after)
      await look()
      keys.keepOnly(key === undefined ? kept.api_key_file : keyFile)
      return trial
    },
    async remove() {
      const before = readIfPresent(files.config)
      replaceConfigFile(files.config, before, withLanguageModel(before ?? '', undefined))
      await look()
      keys.keepOnly(undefined)
    },
  }
}

/** What stays when another model is chosen; everything but the address when it is the same one. A key stays at its address. */
function keptSettings(
  old: Readonly<Record<string, unknown>>,
  { provider, model, url }: Pick<LanguageModelChoice, 'provider' | 'model' | 'url'>,
): Record<string, unknown> {
  if (old.provider !== provider) return pick(old, OF_ALL)
  const kept = old.model === model ? without(old, ['url']) : pick(old, OF_PROVIDER)
  return isSameAddress(old, url) ? kept : without(kept, ['api_key', 'api_key_file'])
}

/** Limits of a day, of tokens and of single sources stay. */
function keptCost(
  { price: oldPrice, budget: oldBudget, ...kept }: Readonly<Record<string, unknown>>,
  { price, dollars_per_month: month }: Pick<LanguageModelChoice, 'price' | 'dollars_per_month'>,
): Record<string, unknown> {
  const { dollars_per_month: oldMonth, ...limits } = budgetIn(oldBudget)
  const budget = { ...limits, dollars_per_month: month === undefined ? oldMonth : (month ?? undefined) }
  const given = Object.entries({ price: price === undefined ? oldPrice : price, budget: defined(budget) })
  return { ...kept, ...Object.fromEntries(given.filter(([, value]) => value != null)) }
}

/** What `modelsSettings` reports as wrong counts as none here. */
function budgetIn(value: unknown): z.infer<typeof BUDGET> {
  return BUDGET.safeParse(value).data ?? {}
}

/** @returns `undefined` when nothing is left */
function defined(of: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const entries = Object.entries(of).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function pick(of: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => names.includes(name)))
}

function without(of: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => !names.includes(name)))
}

/** The key is tested before it is written to its file. */
function withKey({ api_key_file: _, ...settings }: LanguageSettings, key: string): LanguageSettings {
  return { ...settings, api_key: key }
}

function languageIn(text: string, env: ChoiceParts['env']): LanguageSettings {
  const { language } = modelsSettings(modelsSection(text, env))
  if (language === undefined) throw new Error('the text names a language model')
  return language
}

function currentSettings({ config }: HomeFiles): LanguageModelSettings | null {
  try {
    const entry = readLanguageModel(config)
    if (entry === undefined) return null
    const { provider, model, url, api_key: key, api_key_file: file, price, budget, ...others } = entry
    const { dollars_per_month: month, ...limits } = budgetIn(budget)
    return {
      provider: String(provider),
      model: String(model),
      url: typeof url === 'string' ? url : null,
      has_key: key !== undefined || file !== undefined,
      price: PRICE.safeParse(price).data ?? null,
      dollars_per_month: typeof month === 'number' ? month : null,
      has_limits: Object.keys(limits).length > 0 || Object.keys(others).some((name) => name.startsWith('max_')),
    }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
