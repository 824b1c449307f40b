import {
  asSchema,
  generateText,
  type LanguageModelUsage,
  Output,
  type OutputInterface,
  parsePartialJson,
  type LanguageModel as SdkModel,
  streamText,
} from 'ai'
import { estimateTokens } from '../../lib/estimate-tokens.ts'
import type { GeneratedText, GenerateRequest, LanguageModel, TokenUsage } from '../model.ts'
import type { LanguageSettings } from '../model-settings.ts'
import { callModel, RefusedRequest } from './call-model.ts'
import { openProvider } from './open-provider.ts'

/** How to get JSON from the model. */
interface Manner {
  /** `schema`: the server enforces the schema; `json`: the server enforces JSON; `words`: only the prompt asks for it. */
  readonly format: 'schema' | 'json' | 'words'
  /** 0, so that the same text gives the same memories; absent for models that accept no temperature. */
  readonly temperature: 0 | undefined
  /** The server answers only at once. */
  readonly isWhole?: true
}

/** Tried in order until the server accepts one. */
const MANNERS: readonly Manner[] = [
  { format: 'schema', temperature: 0 },
  { format: 'schema', temperature: undefined },
  { format: 'json', temperature: 0 },
  { format: 'words', temperature: 0 },
]

/** Characters per token of English text, roughly. */
const CHARACTERS_PER_TOKEN = 4

/**
 * A language model behind the AI SDK. It never retries, because the caller knows what can wait.
 *
 * @throws AppError `invalid` when the provider's package is not installed, or its key cannot be read
 */
export async function openLanguageModel(settings: LanguageSettings): Promise<LanguageModel> {
  const provider = await openProvider(settings)
  const sdkModel = provider.languageModel(settings.model)
  const reasoning = settings.reasoning === undefined ? '' : `+reasoning=${settings.reasoning}`
  const id = `${settings.provider}:${settings.model}${reasoning}`
  /** The format that the server accepted, by schema, because it may reject a format for one schema only. */
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
      for (const manner of mannersFor(request, known)) {
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

/** A server that refuses each streamed request may still answer at once, also after it took one that was not streamed. */
function mannersFor({ onPartial }: GenerateRequest, known: Manner | undefined): readonly Manner[] {
  const manners = known === undefined ? MANNERS : [known]
  if (onPartial === undefined || known?.isWhole) return manners
  return [...manners, ...manners.map((manner) => ({ ...manner, isWhole: true as const }))]
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
  const options = {
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
  }
  const { onPartial } = manner.isWhole ? {} : request
  const { text, usage } = await (onPartial === undefined ? generateText(options) : streamAnswer(options, onPartial))
  const sent = request.messages.reduce((sum, message) => sum + message.text.length, instructions.length)
  answer ??= text
  return { text: answer, usage: tokenUsage(usage, sent, answer.length) }
}

/** As `generateText`, reporting the JSON that has arrived after each piece. */
async function streamAnswer(
  options: Parameters<typeof streamText>[0],
  onPartial: (value: unknown) => void,
): Promise<{ readonly text: string; readonly usage: LanguageModelUsage }> {
  // Errors are parts of the stream, too; by default the SDK also writes them to standard error.
  const { stream } = streamText({ ...options, onError: () => undefined })
  let text = ''
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'finish') return { text, usage: part.totalUsage }
    if (part.type !== 'text-delta') continue
    text += part.text
    const { value } = await parsePartialJson(jsonPart(text))
    if (value !== undefined) onPartial(value)
  }
  options.abortSignal?.throwIfAborted()
  throw new Error('the stream ended without a finish')
}

/** Models put JSON after their reasoning or a fence, even when told not to. */
function jsonPart(text: string): string {
  const answer = text.trimStart().replace(/^<think>[\s\S]*?<\/think>/, '')
  return answer.startsWith('<think>') ? '' : answer.slice(Math.max(0, answer.indexOf('{')))
}

/** Adds to the prompt what the server does not enforce. */
async function instructionsFor({ instructions, schema }: GenerateRequest, { format }: Manner): Promise<string> {
  if (format === 'schema') return instructions
  const json = JSON.stringify(await asSchema(schema).jsonSchema)
  return `${instructions}\n\nAnswer with JSON that fits this JSON schema, and with nothing else:\n${json}`
}

/** Like `Output.object`, but returns the answer unchecked; the caller checks it. */
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

/** Servers may report any number, so counts are made whole and non-negative. */
function counted(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens > 0 ? Math.ceil(tokens) : undefined
}
