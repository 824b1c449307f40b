import { readFileSync } from 'node:fs'
import type { EmbeddingModel, LanguageModel } from 'ai'
import { AppError } from '../../domain/errors.ts'
import type { LanguageProvider, ModelAccess } from '../model-settings.ts'
import { missingPackage } from '../model-settings.ts'

/** Creates the models of a provider by name. */
export interface Provider {
  languageModel(name: string): LanguageModel
  /** Absent where the provider has none. */
  embeddingModel?(name: string): EmbeddingModel
}

interface Access {
  readonly settings: ModelAccess
  readonly key: string | undefined
  /** Without `baseURL`, the provider's own. */
  readonly address: { readonly baseURL?: string; readonly fetch: typeof fetch }
}

/** Redirects are refused, because nobody allowed their target to receive the key and the content. */
export const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' })

/**
 * Each loads its package when it is called. Values that packages would read from the environment, where they are meant
 * for other programs, are set here: addresses, and the token of Bedrock.
 */
const PROVIDERS: Readonly<Record<LanguageProvider, (access: Access) => Promise<Provider>>> = {
  async 'openai-compatible'({ key, address }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const keyed = key === undefined ? {} : { apiKey: key }
    return createOpenAICompatible({
      name: 'openaiCompatible',
      ...address,
      baseURL: address.baseURL ?? '',
      supportsStructuredOutputs: true,
      // Otherwise a streamed answer has no token counts.
      includeUsage: true,
      ...keyed,
    })
  },
  async openai({ key, address }) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    const { chat, embeddingModel } = createOpenAI({
      baseURL: 'https://api.openai.com/v1',
      ...address,
      apiKey: key ?? '',
    })
    // The Responses API stores requests for 30 days by default.
    return { languageModel: chat, embeddingModel }
  },
  async anthropic({ key, address }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const { languageModel } = createAnthropic({
      baseURL: 'https://api.anthropic.com/v1',
      ...address,
      apiKey: key ?? '',
    })
    return { languageModel }
  },
  async google({ key, address }) {
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle({ ...address, apiKey: key ?? '' })
  },
  async azure({ key, address }) {
    const { createAzure } = await import('@ai-sdk/azure')
    const { chat, embeddingModel } = createAzure({ ...address, apiKey: key ?? '' })
    return { languageModel: chat, embeddingModel }
  },
  async mistral({ key, address }) {
    const { createMistral } = await import('@ai-sdk/mistral')
    return createMistral({ ...address, apiKey: key ?? '' })
  },
  async bedrock({ key, address, settings }) {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
    const { region = '', access_key_id: accessKeyId, secret_access_key: secretAccessKey } = settings
    const { session_token: sessionToken } = settings
    if (key !== undefined) return createAmazonBedrock({ ...address, region, apiKey: key })
    return createAmazonBedrock({
      ...address,
      region,
      apiKey: '',
      accessKeyId: accessKeyId ?? '',
      secretAccessKey: secretAccessKey ?? '',
      ...(sessionToken !== undefined && { sessionToken }),
    })
  },
}

/**
 * Loads the package of a provider. Sends nothing.
 *
 * @throws AppError `invalid` when the package is not installed, or the file of the key cannot be read
 */
export async function openProvider(settings: ModelAccess): Promise<Provider> {
  const { provider, url } = settings
  // Otherwise the AI SDK writes warnings to standard error.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const address = { ...(url !== undefined && { baseURL: url.replace(/\/+$/, '') }), fetch: fetchWithoutRedirects }
  const key = keyOf(settings)
  try {
    return await PROVIDERS[provider]({ settings, key, address })
  } catch (cause) {
    if (!isMissingModule(cause)) throw cause
    const name = `@ai-sdk/${provider === 'bedrock' ? 'amazon-bedrock' : provider}`
    throw new AppError('invalid', missingPackage(provider, name), { cause })
  }
}

function isMissingModule(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

/** @throws AppError `invalid` when the file of the key cannot be read */
export function keyOf(access: Pick<ModelAccess, 'api_key' | 'api_key_file'>): string | undefined {
  return access.api_key?.trim() ?? keyIn(access.api_key_file)
}

function keyIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    const read = readFileSync(file, 'utf8').trim()
    if (read !== '') return read
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable'
    throw new AppError('invalid', `api_key_file ${file} can't be read (${code}).`, { cause })
  }
  throw new AppError('invalid', `api_key_file ${file} is empty.`)
}
