import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ModelDocument } from '../../config/documents.ts'
import { issueSentence, schemaFields } from '../../config/field-schema.ts'
import type { FileSection } from '../../config/file-section.ts'
import { AppError } from '../../domain/errors.ts'
import { closestName } from '../../lib/closest-name.ts'
import { packagePath } from '../../lib/files.ts'
import { refineRules } from '../../pipeline/refine/plan-batches.ts'
import { checkBudget } from '../../worker/refine-budget.ts'
import { isLocalModelName } from '../local/local-models.ts'
import type { Embedder, LanguageModel, Reranker } from '../model.ts'
import { limitConcurrency } from '../model.ts'
import {
  EMBEDDING_SETTINGS,
  type EmbeddingSettings,
  LANGUAGE_SETTINGS,
  type LanguageSettings,
  type LanguageUse,
  type ModelBudget,
  modelBudget,
  RERANKER_SETTINGS,
  type RerankerSettings,
} from '../model-settings.ts'
import type { OnnxEnvironment, ProcessEmbedder, ProcessReranker } from '../onnx/onnx-models.ts'

/** The configured models. */
export interface OpenModels {
  readonly language?: ConfiguredLanguageModel
  readonly embedding?: Embedder
  readonly reranker?: Reranker
  /** Ends their processes. */
  close(): Promise<void>
}

export interface ConfiguredLanguageModel {
  readonly model: LanguageModel
  readonly uses: ReadonlySet<LanguageUse>
  /** How long to wait for an answer to a question. */
  readonly askLimitMs: number
  /** Absent: without limits. */
  readonly budget?: ModelBudget
}

/** The section `models` of config.yaml. */
export interface ModelsSettings {
  readonly language?: LanguageSettings
  readonly embedding?: EmbeddingSettings
  readonly reranker?: RerankerSettings
}

const KINDS = { language: LANGUAGE_SETTINGS, embedding: EMBEDDING_SETTINGS, reranker: RERANKER_SETTINGS }

/**
 * Checks the configured models. Loads and sends nothing.
 *
 * @throws AppError `invalid`, naming file, line and setting, and what is allowed there; never a value
 */
export function modelsSettings(section: FileSection | undefined): ModelsSettings {
  if (section === undefined) return {}
  const content = MAPPING.safeParse(section.read())
  if (!content.success) throw invalid(section, [], 'models must be a mapping, as in models: {language: {...}}')
  const given = withoutEmpty(content.data)
  for (const kind of Object.keys(given)) {
    if (!Object.hasOwn(KINDS, kind)) throw invalid(section, [kind], unknownKind(kind))
  }
  const settingsOf = <T>(kind: keyof typeof KINDS, schema: z.ZodType<T>) =>
    given[kind] === undefined ? undefined : checked(section, kind, schema, given[kind])
  const language = settingsOf('language', LANGUAGE_SETTINGS)
  const embedding = settingsOf('embedding', EMBEDDING_SETTINGS)
  const reranker = settingsOf('reranker', RERANKER_SETTINGS)
  return { ...(language && { language }), ...(embedding && { embedding }), ...(reranker && { reranker }) }
}

/**
 * Opens the configured models and loads their code. Sends nothing to hosted models; models on
 * this machine are loaded, and downloaded before their first use.
 *
 * @throws AppError `invalid` for missing packages, keys and files, and for limits that are too low for a call;
 * `unavailable` when the hub does not respond
 */
export async function openModels(settings: ModelsSettings, environment: OnnxEnvironment): Promise<OpenModels> {
  await using stack = new AsyncDisposableStack()
  const language = settings.language && (await openLanguage(settings.language))
  const embedding = settings.embedding && (await openEmbedder(settings.embedding, environment, stack))
  const named = settings.reranker?.provider === 'none' ? undefined : settings.reranker
  const reranker = named && (await openReranker(named, environment, stack))
  const opened = stack.move()
  return {
    ...(language && { language }),
    ...(embedding && { embedding }),
    ...(reranker && { reranker }),
    close: () => opened.disposeAsync(),
  }
}

async function openEmbedder(
  settings: EmbeddingSettings,
  environment: OnnxEnvironment,
  stack: AsyncDisposableStack,
): Promise<Embedder> {
  const { provider } = settings
  if (provider !== 'onnx' && provider !== 'local') {
    const { openHostedEmbedder } = await import('../ai-sdk/hosted-embedder.ts')
    return openHostedEmbedder({ ...settings, provider })
  }
  return stack.adopt(await openHere({ ...settings, provider }, environment), (embedder) => embedder.close())
}

async function openHere(settings: EmbeddingSettings, environment: OnnxEnvironment): Promise<ProcessEmbedder> {
  const { provider, model } = settings
  if (provider === 'local' && isLocalModelName(model)) {
    const { openLocalEmbedder } = await import('../local/local-embedder.ts')
    return openLocalEmbedder({ ...settings, model }, environment.cacheFolder)
  }
  const { openOnnxEmbedder } = await import('../onnx/onnx-models.ts')
  return openOnnxEmbedder(settings, environment)
}

async function openReranker(
  settings: RerankerSettings,
  environment: OnnxEnvironment,
  stack: AsyncDisposableStack,
): Promise<Reranker> {
  const { provider, url } = settings
  if (provider === 'cohere-compatible' && url !== undefined) {
    const { openHostedReranker } = await import('../ai-sdk/hosted-reranker.ts')
    return openHostedReranker({ ...settings, url })
  }
  return stack.adopt(await openRerankerHere(settings, environment), (reranker) => reranker.close())
}

async function openRerankerHere(settings: RerankerSettings, environment: OnnxEnvironment): Promise<ProcessReranker> {
  const { provider, model } = settings
  if (provider === 'local' && isLocalModelName(model)) {
    const { openLocalReranker } = await import('../local/local-reranker.ts')
    return openLocalReranker({ ...settings, model }, environment.cacheFolder)
  }
  const { openOnnxReranker } = await import('../onnx/onnx-models.ts')
  return openOnnxReranker(settings, environment)
}

async function openLanguage(settings: LanguageSettings): Promise<ConfiguredLanguageModel> {
  const { openLanguageModel } = await import('../ai-sdk/language-model.ts')
  const budget = modelBudget(settings.budget)
  const model = limitConcurrency(await openLanguageModel(settings))
  const uses = new Set(settings.use)
  if (uses.has('extract')) checkExtraction(model, budget)
  const askLimitMs = settings.ask_timeout_seconds * 1_000
  return { model, uses, askLimitMs, ...(budget && { budget }) }
}

/** Checked here, so that `recalld doctor` finds what keeps the service from starting. */
function checkExtraction(model: LanguageModel, budget: ModelBudget | undefined): void {
  const { maxInputTokens: inputTokens, maxOutputTokens: outputTokens, price } = model
  refineRules(model, readPrompt(EXTRACT_PROMPT))
  checkBudget(budget, { inputTokens, outputTokens }, price)
}

const MAPPING = z.record(z.string(), z.unknown())

/** Drops empty values, as everywhere in config.yaml. */
function withoutEmpty(content: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null))
}

function checked<T>(section: FileSection, kind: string, schema: z.ZodType<T>, content: unknown): T {
  const settings = MAPPING.safeParse(content)
  if (!settings.success) {
    throw invalid(section, [kind], `models: ${kind} must be a mapping, as in {provider: ..., model: ...}`)
  }
  const given = withoutEmpty(settings.data)
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  // An unknown setting is often a misspelled one that is reported as missing.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (issue === undefined) throw parsed.error
  const at = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  throw invalid(section, [kind, ...at], `models: ${kind}: ${issueSentence(issue, schema, given)}`)
}

function unknownKind(kind: string): string {
  const known = Object.keys(KINDS)
  const meant = closestName(kind, known)
  return `models: there is no ${kind}. ${meant === undefined ? `Allowed: ${known.join(', ')}` : `Did you mean ${meant}?`}`
}

function invalid(section: FileSection, path: readonly PropertyKey[], sentence: string): AppError {
  return new AppError('invalid', sentence, { location: section.where(path) })
}

/** The prompt files in config/prompts; they identify how an answer was made. */
type PromptVersion = 'answer.v1' | 'extract.v1'

export const EXTRACT_PROMPT = 'extract.v1'

export function readPrompt(version: PromptVersion): { readonly version: PromptVersion; readonly text: string } {
  return { version, text: readFileSync(packagePath(`config/prompts/${version}.md`), 'utf8').trim() }
}

/** The models for config/README.md, from their schemas. */
export function modelDocuments(): ModelDocument[] {
  return [
    {
      kind: 'language',
      purpose: 'writes better memories of uploads and the answers to questions',
      fields: schemaFields(LANGUAGE_SETTINGS),
    },
    {
      kind: 'embedding',
      purpose: 'finds memories with the same meaning in other words',
      fields: schemaFields(EMBEDDING_SETTINGS),
    },
    { kind: 'reranker', purpose: 'improves the order of the results', fields: schemaFields(RERANKER_SETTINGS) },
  ]
}
