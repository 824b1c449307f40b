import {
  asSchema,
  generateText,
  type LanguageModelUsage,
  Output,
  type OutputInterface,
  type LanguageModel as SdkModel,
} from 'ai'
import type { GeneratedText, GenerateRequest, LanguageModel, TokenUsage } from '../model.ts'
import { estimateTokens } from '../model.ts'
import type { LanguageSettings } from '../model-settings.ts'
import { callModel, RefusedRequest } from './call-model.ts'
import { openProvider } from './open-provider.ts'

/** How the model is made to answer with JSON. */
interface Manner {
  /** `schema`: the server keeps the model to the schema; `json`: to JSON; `words`: the model is told, no more. */
  readonly format: 'schema' | 'json' | 'words'
  /** The same text is to give the same memories; some models take no temperature. */
  readonly temperature: 0 | undefined
}

/** Tried in turn until the server refuses none. */
const MANNERS: readonly Manner[] = [
  { format: 'schema', temperature: 0 },
  { format: 'schema', temperature: undefined },
  { format: 'json', temperature: 0 },
  { format: 'words', temperature: 0 },
]

/** About so many characters are a token of English text. */
const CHARACTERS_PER_TOKEN = 4

/**
 * A language model that the AI SDK reaches. It never tries again by itself: who calls it knows what can wait.
 *
 * @throws AppError `invalid` when the provider's package is not installed, or its key cannot be read
 */
export async function openLanguageModel(settings: LanguageSettings): Promise<LanguageModel> {
  const provider = await openProvider(settings)
  const sdkModel = provider.languageModel(settings.model)
  const reasoning = settings.reasoning === undefined ? '' : `+reasoning=${settings.reasoning}`
  const id = `${settings.provider}:${settings.model}${reasoning}`
  /** What the server took, by schema: a format may be refused for one of them alone. */
  const taken = new Map<string, Manner>()
  const attempt = (request: GenerateRequest, manner: Manner) => {
    const { signal } = request
    const onUnheard = () => request.onUnheard?.(mostUsage(request, settings))
    return callModel({ model: id, timeoutMs: settings.timeout_seconds * 1_000, signal, onUnheard }, (signal) =>
      generate({ sdkModel, settings, request, manner, signal }),
    )
  }
  return {
    id,
    maxInputTokens: settings.max_input_tokens,
    maxOutputTokens: settings.max_output_tokens,
    maxConcurrent: settings.max_concurrent,
    ...(settings.price !== undefined && { price: settings.price }),
    async generate(request) {
      const known = taken.get(request.schemaName)
      let refusal: RefusedRequest | undefined
      for (const manner of known === undefined ? MANNERS : [known]) {
        try {
          const answer = await attempt(request, manner)
          taken.set(request.schemaName, manner)
          return answer
        } catch (error) {
          if (!(error instanceof RefusedRequest)) throw error
          refusal ??= error
        }
      }
      throw refusal
    },
  }
}

interface Attempt {
  readonly sdkModel: SdkModel
  readonly settings: LanguageSettings
  readonly request: GenerateRequest
  readonly manner: Manner
  readonly signal: AbortSignal
}

async function generate({ sdkModel, settings, request, manner, signal }: Attempt): Promise<GeneratedText> {
  const instructions = await instructionsFor(request, manner)
  let answer: string | undefined
  const { text, usage } = await generateText({
    model: sdkModel,
    instructions,
    messages: request.messages.map(({ role, text }) => ({ role, content: text })),
    maxOutputTokens: mostOutputTokens(request, settings),
    maxRetries: 0,
    abortSignal: signal,
    output: uncheckedOutput(request, manner, (structured) => {
      answer = structured
    }),
    ...(manner.temperature !== undefined && { temperature: manner.temperature }),
    ...(settings.reasoning !== undefined && { reasoning: settings.reasoning }),
  })
  const sent = request.messages.reduce((sum, message) => sum + message.text.length, instructions.length)
  answer ??= text
  return { text: answer, usage: tokenUsage(usage, sent, answer.length) }
}

/** What the server does not make the model keep to, the model is told. */
async function instructionsFor({ instructions, schema }: GenerateRequest, { format }: Manner): Promise<string> {
  if (format === 'schema') return instructions
  const json = JSON.stringify(await asSchema(schema).jsonSchema)
  return `${instructions}\n\nAnswer with JSON that fits this JSON schema, and with nothing else:\n${json}`
}

/** As `Output.object`, but that the answer is handed on as it is: whoever asked checks it. */
function uncheckedOutput(
  { schema, schemaName: name }: GenerateRequest,
  { format }: Manner,
  onAnswer: (text: string) => void,
): OutputInterface<string> {
  const parseCompleteOutput = async ({ text }: { text: string }) => {
    onAnswer(text)
    return text
  }
  const output = { ...Output.text(), parseCompleteOutput }
  if (format === 'schema') return { ...output, responseFormat: Output.object({ schema, name }).responseFormat }
  return { ...output, responseFormat: Promise.resolve({ type: format === 'json' ? 'json' : 'text' }) }
}

function mostOutputTokens({ maxOutputTokens }: GenerateRequest, settings: LanguageSettings): number {
  return Math.min(maxOutputTokens ?? Number.POSITIVE_INFINITY, settings.max_output_tokens)
}

function mostUsage(request: GenerateRequest, settings: LanguageSettings): TokenUsage {
  const sent = [request.instructions, ...request.messages.map(({ text }) => text)]
  return {
    inputTokens: sent.reduce((sum, text) => sum + estimateTokens(text), 0),
    outputTokens: mostOutputTokens(request, settings),
  }
}

function tokenUsage(
  { inputTokens, outputTokens }: LanguageModelUsage,
  charactersIn: number,
  charactersOut: number,
): TokenUsage {
  return {
    inputTokens: counted(inputTokens) ?? Math.ceil(charactersIn / CHARACTERS_PER_TOKEN),
    outputTokens: counted(outputTokens) ?? Math.ceil(charactersOut / CHARACTERS_PER_TOKEN),
  }
}

/** A server may tell anything; what is spent can only grow, by whole tokens. */
function counted(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens > 0 ? Math.ceil(tokens) : undefined
}
