import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import type { GenerateRequest, LanguageModel, TokenUsage } from './model.ts'

export interface ObjectRequest<T> extends GenerateRequest {
  readonly schema: z.ZodType<T>
  /** Called with the usage of each answer, even a useless or abandoned one, because it was paid for. */
  readonly onUsage?: (usage: TokenUsage) => void
}

export interface ObjectAnswer<T> {
  readonly value: T
  /** The usage of all answers together. */
  readonly usage: TokenUsage
  /** Whether it took a second answer. */
  readonly repaired: boolean
}

/** How many mistakes are listed in the second request. */
const MOST_ISSUES = 8

/**
 * Asks a language model for a value of the schema. An invalid answer is sent back once, with its mistakes.
 *
 * @throws AppError `unreadable` when the second answer is invalid too; any error of the model
 */
export async function askForObject<T>(model: LanguageModel, request: ObjectRequest<T>): Promise<ObjectAnswer<T>> {
  const { schema, onUsage, ...rest } = request
  let usage: TokenUsage = { inputTokens: 0, outputTokens: 0 }
  let { messages } = rest
  for (const repaired of [false, true]) {
    const answer = await model.generate({ ...rest, schema, messages, ...(onUsage && { onUnheard: onUsage }) })
    onUsage?.(answer.usage)
    usage = {
      inputTokens: usage.inputTokens + answer.usage.inputTokens,
      outputTokens: usage.outputTokens + answer.usage.outputTokens,
    }
    const read = readObject(answer.text, schema)
    if (read.ok) return { value: read.value, usage, repaired }
    // Some providers refuse an empty message.
    const said = answer.text.trim() === '' ? '(nothing)' : answer.text
    messages = [...messages, { role: 'assistant', text: said }, { role: 'user', text: read.problem }]
  }
  throw new AppError('unreadable', `${model.id} returned invalid JSON twice.`)
}

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

function readObject<T>(text: string, schema: z.ZodType<T>): Read<T> {
  const json = parseJson(text)
  if (!json.ok) return json
  const parsed = schema.safeParse(json.value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const issues = parsed.error.issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => `${z.core.toDotPath(path) || 'the answer'}: ${message}`)
  return {
    ok: false,
    problem: `This does not fit the schema:\n${issues.join('\n')}\nAnswer again with the complete, corrected JSON.`,
  }
}

/** Models put JSON between fences or after their reasoning, even when told not to. */
function parseJson(text: string): Read<unknown> {
  const answer = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim()
  const start = answer.search(/[[{]/)
  const end = Math.max(answer.lastIndexOf('}'), answer.lastIndexOf(']'))
  const candidates = [answer, ...(start >= 0 && end > start ? [answer.slice(start, end + 1)] : [])]
  for (const candidate of candidates) {
    try {
      return { ok: true, value: JSON.parse(candidate) }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  const problem =
    'This is not valid JSON, or not complete. Answer again with nothing but the JSON, and with less in it if it was too long.'
  return { ok: false, problem }
}
