import { z } from 'zod'
import { SOURCE_TYPES, type SourceType } from '../domain/source-type.ts'
import { isLocalModelName, LOCAL_MODEL_NAMES } from './local/local-models.ts'
import type { Price } from './model.ts'

/** Providers of language models; those after the first need the package of the same name (`@ai-sdk/...`). */
const LANGUAGE_PROVIDERS = [
  'openai-compatible',
  'openai',
  'anthropic',
  'google',
  'azure',
  'mistral',
  'bedrock',
] as const
export type LanguageProvider = (typeof LANGUAGE_PROVIDERS)[number]

/** Anthropic has no embedding models. */
const EMBEDDING_PROVIDERS = [
  'local',
  'onnx',
  'openai-compatible',
  'openai',
  'google',
  'azure',
  'mistral',
  'bedrock',
] as const satisfies readonly (LanguageProvider | 'onnx' | 'local')[]

/** The uses of a configured language model. */
const LANGUAGE_USES = ['extract', 'ask'] as const
export type LanguageUse = (typeof LANGUAGE_USES)[number]

/**
 * Budget per account, in its time zone. Once it is used up, extraction pauses until the next day or month, and answers
 * are quotations.
 */
export interface ModelBudget extends SpendingLimit {
  readonly dollarsPerMonth?: number
  /** Limits per source, within the overall limits. */
  readonly perSource: Readonly<Partial<Record<SourceType, SpendingLimit>>>
}

export interface SpendingLimit {
  readonly tokensPerDay?: number
  readonly dollarsPerDay?: number
}

/**
 * Node's `fetch` gives up when no response starts within 300 seconds, and responses of language models start when
 * they are complete.
 */
const MOST_SECONDS = 290

/** Clients of recalld and MCP hosts time out after 60 seconds. */
const MOST_ASK_SECONDS = 50

const text = () => z.string().regex(/\S/)
const count = (min: number, max: number) => z.int().min(min).max(max)
const address = () => z.url({ protocol: /^https?$/ }).optional()
const dollars = () => z.number().min(0)

/** The address and credentials of a model; the same for every hosted model. */
function accessFields() {
  return {
    url: address().describe(
      'Base URL of the provider, including the version, e.g. http://127.0.0.1:11434/v1. Required for openai-compatible and azure.',
    ),
    api_key: text().optional().describe(`The key; preferably as \${VARIABLE} or in \`api_key_file\`.`),
    api_key_file: text().optional().describe('File with the key.'),
    region: text().optional().describe('bedrock: the AWS region, e.g. eu-central-1.'),
    access_key_id: text().optional().describe('bedrock, instead of `api_key`: the AWS access key.'),
    secret_access_key: text().optional().describe('bedrock: the secret access key.'),
    session_token: text().optional().describe('bedrock: the session token of temporary credentials.'),
    timeout_seconds: count(1, MOST_SECONDS)
      .default(60)
      .describe('How long to wait for a response. Raise it for large models on your own machine.'),
  }
}

/** Settings for the address and credentials of a model. */
export interface ModelAccess {
  readonly provider: LanguageProvider
  readonly url?: string | undefined
  readonly api_key?: string | undefined
  readonly api_key_file?: string | undefined
  readonly region?: string | undefined
  readonly access_key_id?: string | undefined
  readonly secret_access_key?: string | undefined
  readonly session_token?: string | undefined
}

/** The first required setting that is missing. @returns the setting and a sentence for the person */
function missingAccess(access: ModelAccess): { field: string; message: string } | undefined {
  const { provider, url, api_key: key, api_key_file: file } = access
  if (key !== undefined && file !== undefined) {
    return { field: 'api_key_file', message: 'api_key and api_key_file are both set; remove one' }
  }
  const hasKey = key !== undefined || file !== undefined
  if (provider === 'bedrock') {
    if (access.region === undefined) return { field: 'region', message: 'region is missing; bedrock needs it' }
    if (hasKey || (access.access_key_id !== undefined && access.secret_access_key !== undefined)) return undefined
    return { field: 'api_key', message: 'bedrock needs api_key, or access_key_id and secret_access_key' }
  }
  const aws = (['region', 'access_key_id', 'secret_access_key', 'session_token'] as const).find((name) => access[name])
  if (aws !== undefined) return { field: aws, message: `${aws} is only for bedrock; remove it` }
  if (url === undefined && (provider === 'openai-compatible' || provider === 'azure')) {
    const example = provider === 'azure' ? 'https://NAME.openai.azure.com/openai' : 'http://127.0.0.1:11434/v1'
    return { field: 'url', message: `url is missing; ${provider} needs it, as in ${example}` }
  }
  if (hasKey || provider === 'openai-compatible') return undefined
  return { field: 'api_key', message: `api_key is missing; ${provider} needs it, or api_key_file` }
}

function spendingFields() {
  return {
    tokens_per_day: count(1, Number.MAX_SAFE_INTEGER).optional().describe('Input and output together.'),
    dollars_per_day: dollars().optional().describe('Needs `price`.'),
  }
}

const SPENDING = z.strictObject(spendingFields())

const BUDGET = z.strictObject({
  ...spendingFields(),
  dollars_per_month: dollars().optional().describe('For each calendar month. Needs `price`.'),
  per_source: z.partialRecord(z.enum(SOURCE_TYPES), SPENDING).default({}),
})

function spendingLimit({ tokens_per_day: tokens, dollars_per_day: money }: z.infer<typeof SPENDING>): SpendingLimit {
  return {
    ...(tokens !== undefined && { tokensPerDay: tokens }),
    ...(money !== undefined && { dollarsPerDay: money }),
  }
}

/** @returns `undefined` when there is no limit */
export function modelBudget(budget: z.infer<typeof BUDGET> | undefined): ModelBudget | undefined {
  if (budget === undefined) return undefined
  const perSource = Object.entries(budget.per_source).map(([source, limit]) => [source, spendingLimit(limit)])
  const { dollars_per_month: month } = budget
  return {
    ...spendingLimit(budget),
    ...(month !== undefined && { dollarsPerMonth: month }),
    perSource: Object.fromEntries(perSource),
  }
}

/** `models.language` of config.yaml. */
export const LANGUAGE_SETTINGS = z
  .strictObject({
    provider: z.enum(LANGUAGE_PROVIDERS).describe('Provider of the model.'),
    model: text().describe('Model name at the provider; for azure, the deployment name.'),
    ...accessFields(),
    use: z
      .array(z.enum(LANGUAGE_USES))
      .min(1)
      .default([...LANGUAGE_USES])
      .describe('extract: improve the memories of uploads in the background; ask: write the answers to questions.'),
    reasoning: z
      .enum(['none', 'minimal', 'low', 'medium', 'high'])
      .optional()
      .describe('Reasoning effort; `none` where it can be turned off. Reasoning is billed as output and takes time.'),
    ask_timeout_seconds: count(1, MOST_ASK_SECONDS)
      .default(20)
      .describe('How long to wait for an answer before quotations are shown instead.'),
    max_input_tokens: count(500, 2_000_000).default(8_000).describe('Maximum input of a request.'),
    max_output_tokens: count(100, 200_000)
      .default(2_000)
      .describe('Maximum output of a response, including reasoning.'),
    max_concurrent: count(1, 100).default(2).describe('Maximum number of concurrent calls.'),
    price: z
      .strictObject({ input: dollars(), output: dollars() })
      .optional()
      .describe('US dollars per million tokens, e.g. {input: 0.15, output: 0.6}. Without it, costs are unknown.'),
    budget: BUDGET.optional().describe(
      'Budget per account, in its time zone, e.g. {tokens_per_day: 2000000, dollars_per_day: 1, dollars_per_month: 20, per_source: {slack: {tokens_per_day: 500000}}}. Once it is used up, extraction waits for the next day or month and answers are quotations.',
    ),
  })
  .superRefine((settings, context) => {
    const missing = missingAccess(settings)
    if (missing !== undefined) context.addIssue({ code: 'custom', path: [missing.field], message: missing.message })
    const { budget, price } = settings
    const daily = [budget, ...Object.values(budget?.per_source ?? {})].some(
      (limit) => limit?.dollars_per_day !== undefined,
    )
    if ((daily || budget?.dollars_per_month !== undefined) && price === undefined) {
      const message = `${daily ? 'dollars_per_day' : 'dollars_per_month'} needs price, as in price: {input: 0.15, output: 0.6}`
      context.addIssue({ code: 'custom', path: ['budget'], message })
    }
  })
export type LanguageSettings = z.infer<typeof LANGUAGE_SETTINGS>

/** Settings only for models that run on this machine. */
function fileFields() {
  return {
    dtype: z
      .enum(['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'])
      .optional()
      .describe('onnx: which model file to use. Default: fp32, the file `model.onnx`.'),
    threads: count(1, 64).optional().describe('onnx: number of threads. Default: half of the cores, at most 4.'),
  }
}

const INPUT_PRICE = z
  .strictObject({ input: dollars() })
  .transform(({ input }): Price => ({ input, output: 0 }))
  .optional()
  .describe('US dollars per million tokens, e.g. {input: 0.02}. Without it, costs are unknown.')

/** `models.embedding` of config.yaml. */
export const EMBEDDING_SETTINGS = z
  .strictObject({
    provider: z
      .enum(EMBEDDING_PROVIDERS)
      .describe('Provider of the model; local and onnx run on this machine. `recalld models add` sets up a local one.'),
    model: text().describe(
      'Model name at the provider; for local: minilm; for onnx a folder, or a name on the Hugging Face hub.',
    ),
    ...accessFields(),
    url: address().describe(
      'Base URL of the provider, including the version. Required for openai-compatible and azure. For onnx: a mirror of the Hugging Face hub.',
    ),
    ...fileFields(),
    dimensions: count(1, 16_384)
      .optional()
      .describe(
        'Dimensions of a vector. Required, except for local and onnx, which know it. If it is wrong, `recalld doctor` shows the right number.',
      ),
    query_prefix: z.string().optional().describe('Prefix the model expects before a question, e.g. "query: ".'),
    passage_prefix: z.string().optional().describe('Prefix the model expects before a passage, e.g. "passage: ".'),
    pooling: z
      .enum(['mean', 'cls'])
      .optional()
      .describe('onnx: how token vectors are combined into one; see the page of the model. Default: mean.'),
    max_batch: count(1, 2_048).default(32).describe('Texts per request.'),
    max_characters: count(100, 1_000_000)
      .default(8_000)
      .describe('Maximum characters of a text; longer texts are truncated.'),
    price: INPUT_PRICE,
  })
  .superRefine((settings, context) => {
    const { provider, dimensions } = settings
    const isHere = provider === 'onnx' || provider === 'local'
    const problem = isHere ? misplacedSetting(settings, provider) : missingAccess({ ...settings, provider })
    if (problem !== undefined) context.addIssue({ code: 'custom', path: [problem.field], message: problem.message })
    else if (!isHere && dimensions === undefined) {
      const message = `dimensions is missing; ${provider} needs it, as in dimensions: 1024`
      context.addIssue({ code: 'custom', path: ['dimensions'], message })
    }
  })
export type EmbeddingSettings = z.infer<typeof EMBEDDING_SETTINGS>

const NOT_FOR_ONNX = ['api_key', 'api_key_file', 'region'] as const
/** Local models need no further settings. */
const NOT_FOR_LOCAL = [
  ...NOT_FOR_ONNX,
  'url',
  'dtype',
  'dimensions',
  'query_prefix',
  'passage_prefix',
  'pooling',
] as const

type Problem = { readonly field: string; readonly message: string }

/** Rejects settings that do not apply to models on this machine. */
function misplacedSetting(
  settings: { readonly model: string } & Readonly<Partial<Record<(typeof NOT_FOR_LOCAL)[number], unknown>>>,
  provider: 'local' | 'onnx',
): Problem | undefined {
  const field = (provider === 'onnx' ? NOT_FOR_ONNX : NOT_FOR_LOCAL).find((name) => settings[name] !== undefined)
  if (field !== undefined) {
    return { field, message: `${field} is not for ${provider}, which runs on this machine; remove it` }
  }
  if (provider === 'onnx' || isLocalModelName(settings.model)) return undefined
  return { field: 'model', message: `model must be one of the local models: ${LOCAL_MODEL_NAMES.join(', ')}` }
}

function rerankerProblem(
  settings: Pick<ModelAccess, 'url' | 'api_key' | 'api_key_file'> & {
    readonly provider: 'none' | 'local' | 'onnx' | 'cohere-compatible'
    readonly model?: string | undefined
  },
): Problem | undefined {
  const { provider, model, url, api_key: key, api_key_file: file } = settings
  if (provider === 'none') return undefined
  if (model === undefined) return { field: 'model', message: `model is missing; ${provider} needs it` }
  if (provider !== 'cohere-compatible') return misplacedSetting({ ...settings, model }, provider)
  if (url === undefined) {
    return { field: 'url', message: `url is missing; ${provider} needs it, as in https://api.cohere.com/v2` }
  }
  if (key === undefined || file === undefined) return undefined
  return { field: 'api_key_file', message: 'api_key and api_key_file are both set; remove one' }
}

/** `models.reranker` of config.yaml. */
export const RERANKER_SETTINGS = z
  .strictObject({
    provider: z
      .enum(['none', 'local', 'onnx', 'cohere-compatible'])
      .describe(
        'Provider of the model. local and onnx run on this machine; `recalld models add` installs a local one. cohere-compatible: Cohere, Jina, vLLM, llama.cpp and others. none: not even the one that comes with a local embedding model.',
      ),
    model: text()
      .optional()
      .describe(
        'Model name at the provider; for local: minilm; for onnx a folder, or a name on the Hugging Face hub. Required, except for none.',
      ),
    url: address().describe(
      'cohere-compatible: the address before /rerank, e.g. https://api.cohere.com/v2. For onnx: a mirror of the Hugging Face hub.',
    ),
    api_key: text()
      .optional()
      .describe(`cohere-compatible: the key; preferably as \${VARIABLE} or in \`api_key_file\`.`),
    api_key_file: text().optional().describe('File with the key.'),
    ...fileFields(),
    timeout_seconds: count(1, MOST_SECONDS).default(10).describe('How long to wait for ten passages.'),
    max_passages: count(1, 200)
      .optional()
      .describe('How many passages to rerank; the rest keep their order. Default: 30; 12 for local.'),
    max_characters: count(100, 100_000)
      .default(2_000)
      .describe('Maximum characters of a passage; longer passages are truncated.'),
  })
  .superRefine((settings, context) => {
    const problem = rerankerProblem(settings)
    if (problem !== undefined) context.addIssue({ code: 'custom', path: [problem.field], message: problem.message })
  })
  .transform(({ model = '', ...settings }) => ({ ...settings, model }))
export type RerankerSettings = z.infer<typeof RERANKER_SETTINGS>

/**
 * The message for a missing optional package. In a folder that lists it as an optional peer, npm installs
 * it only with `--save-dev`.
 */
export function missingPackage(provider: string, name: string): string {
  return `The provider ${provider} needs a package that is not installed. Run npm install --global ${name}, or, if recalld is not installed globally, npm install --save-dev ${name} in its folder.`
}
