import { z } from 'zod'
import { htmlToMarkdown } from '../../src/connector/source-text.ts'
import { shownAnswer } from './chatgpt-marks.ts'
import { instant, type SessionPart, spokenPart, TITLE_RANKS } from './session-message.ts'

/** A conversation of an export, before its messages are put in order. */
export interface ExportedChat {
  readonly assistant: Assistant
  readonly id: string
  /** Changes when something is written. */
  readonly stamp: string
  readonly createdAt?: Date
  parts(): readonly SessionPart[]
}

export type Assistant = 'chatgpt' | 'claude' | 'gemini'

const seconds = z.number().nullish()

/** ChatGPT: a tree of messages, because prompts can be edited and answers given again; `current_node` is what is shown. */
const chatgptChat = z.object({
  id: z.string().optional(),
  conversation_id: z.string().optional(),
  title: z.string().nullish(),
  create_time: seconds,
  update_time: seconds,
  current_node: z.string().nullish(),
  mapping: z.record(
    z.string(),
    z.object({
      parent: z.string().nullish(),
      message: z
        .object({
          author: z.object({ role: z.string() }),
          create_time: seconds,
          recipient: z.string().nullish(),
          content: z.object({
            content_type: z.string(),
            parts: z.array(z.unknown()).optional(),
            text: z.string().optional(),
          }),
          metadata: z.object({ is_visually_hidden_from_conversation: z.boolean().optional() }).nullish(),
        })
        .nullish(),
    }),
  ),
})

/** Claude: a list of messages in order. */
const claudeChat = z.object({
  uuid: z.string(),
  name: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  chat_messages: z.array(
    z.object({
      sender: z.string(),
      text: z.string().nullish(),
      created_at: z.string().nullish(),
      content: z.array(z.object({ type: z.string(), text: z.string().nullish() })).nullish(),
      attachments: z.array(z.object({ file_name: z.string().nullish() })).nullish(),
      files: z.array(z.object({ file_name: z.string().nullish() })).nullish(),
    }),
  ),
})

/** Gemini, in the activity of Google Takeout: one prompt with its answer. What belongs together is not stated. */
const geminiActivity = z.object({
  title: z.string(),
  time: z.string(),
  safeHtmlItem: z.array(z.object({ html: z.string().nullish() })).nullish(),
  subtitles: z.array(z.object({ name: z.string().nullish() })).nullish(),
})

const ofGemini = z.object({ time: z.string(), products: z.array(z.string()).optional(), header: z.string().optional() })

/** Whose export an object is of; `undefined` for anything else. */
export function assistantOf(element: unknown): Assistant | undefined {
  if (typeof element !== 'object' || element === null) return undefined
  if ('mapping' in element) return 'chatgpt'
  if ('chat_messages' in element) return 'claude'
  const { products = [], header = '' } = ofGemini.safeParse(element).data ?? {}
  return [...products, header].some((product) => /gemini|bard/i.test(product)) ? 'gemini' : undefined
}

/** @throws ZodError when it has another form than the exports that are known */
export function exportedChat(element: unknown): ExportedChat | undefined {
  const assistant = assistantOf(element)
  if (assistant === 'claude') return fromClaude(claudeChat.parse(element))
  if (assistant === 'gemini') return fromGemini(geminiActivity.parse(element))
  return assistant === 'chatgpt' ? fromChatgpt(chatgptChat.parse(element)) : undefined
}

function fromChatgpt(chat: z.infer<typeof chatgptChat>): ExportedChat | undefined {
  const id = chat.conversation_id ?? chat.id
  if (id === undefined) return undefined
  const createdAt = atSeconds(chat.create_time)
  return {
    assistant: 'chatgpt',
    id,
    stamp: String(chat.update_time ?? chat.create_time ?? ''),
    ...(createdAt && { createdAt }),
    parts: () => [...titlePart(chat.title), ...shownMessages(chat)],
  }
}

/** From the shown end of the tree back to its root. */
function shownMessages({ mapping, current_node: current }: z.infer<typeof chatgptChat>): SessionPart[] {
  const leaves = Object.keys(mapping)
  const seen = new Set<string>()
  const parts: SessionPart[][] = []
  let at: string | null | undefined = current && mapping[current] ? current : leaves.at(-1)
  while (at !== null && at !== undefined && !seen.has(at)) {
    seen.add(at)
    const node: z.infer<typeof chatgptChat>['mapping'][string] | undefined = mapping[at]
    if (node?.message) parts.push(chatgptMessage(node.message))
    at = node?.parent
  }
  return parts.toReversed().flat()
}

type ChatgptMessage = NonNullable<z.infer<typeof chatgptChat>['mapping'][string]['message']>

const SPOKEN = new Set(['text', 'multimodal_text', 'code'])

function chatgptMessage({ author, recipient, content, metadata, create_time }: ChatgptMessage): SessionPart[] {
  const { role } = author
  if (role !== 'user' && role !== 'assistant') return []
  // What is addressed to a tool is no answer.
  if ((recipient ?? 'all') !== 'all' || metadata?.is_visually_hidden_from_conversation) return []
  if (!SPOKEN.has(content.content_type)) return []
  const texts = content.parts?.map(chatgptText) ?? [content.text ?? '']
  const text = texts.filter((one) => one.trim() !== '').join('\n\n')
  return spokenPart(role, shownAnswer(text), atSeconds(create_time))
}

function chatgptText(part: unknown): string {
  if (typeof part === 'string') return part
  const isSpeech = typeof part === 'object' && part !== null && 'content_type' in part && 'text' in part
  return isSpeech && part.content_type === 'audio_transcription' && typeof part.text === 'string' ? part.text : ''
}

function fromClaude(chat: z.infer<typeof claudeChat>): ExportedChat {
  const createdAt = instant(chat.created_at)
  return {
    assistant: 'claude',
    id: chat.uuid,
    stamp: chat.updated_at ?? chat.created_at ?? '',
    ...(createdAt && { createdAt }),
    parts: () => [...titlePart(chat.name), ...chat.chat_messages.flatMap(claudeMessage)],
  }
}

function claudeMessage(message: z.infer<typeof claudeChat>['chat_messages'][number]): SessionPart[] {
  const { sender, content, text, attachments, files } = message
  const role = sender === 'human' ? 'user' : sender === 'assistant' ? 'assistant' : undefined
  if (role === undefined) return []
  const blocks = (content ?? []).flatMap((block) => (block.type === 'text' ? (block.text ?? '') : []))
  const said = blocks.some((block) => block.trim() !== '') ? blocks.join('\n\n') : (text ?? '')
  const names = [...(attachments ?? []), ...(files ?? [])].flatMap(({ file_name }) => file_name || [])
  const attached = names.length === 0 ? '' : `\n\nAttached: ${names.join(', ')}`
  return spokenPart(role, `${said}${attached}`, instant(message.created_at))
}

/** Before a prompt, in the language of the account. */
const PROMPT = /^(?:Prompted\s+|Eingegebener Prompt:\s*)/
/** Activity that is no conversation. */
const NO_PROMPT = /^(?:Gave feedback|Used |Selected preferred|Created Gemini Canvas)/

/** Named by its day (UTC): what was asked on one day becomes one conversation. */
function fromGemini({
  title,
  time,
  safeHtmlItem,
  subtitles,
}: z.infer<typeof geminiActivity>): ExportedChat | undefined {
  const at = instant(time)
  if (at === undefined) return undefined
  const prompt = title.replace(PROMPT, '').trim()
  const attached = (subtitles ?? []).flatMap(({ name }) => name ?? []).join('\n')
  const answer = (safeHtmlItem ?? []).map(({ html }) => htmlToMarkdown(html ?? '').markdown).join('\n\n')
  return {
    assistant: 'gemini',
    id: at.toISOString().slice(0, 10),
    stamp: at.toISOString(),
    createdAt: at,
    parts: () =>
      safeHtmlItem?.length || !NO_PROMPT.test(title)
        ? [
            ...spokenPart('user', [prompt, attached].filter(Boolean).join('\n\n'), at),
            ...spokenPart('assistant', answer, at),
          ]
        : [],
  }
}

function titlePart(title: string | null | undefined): SessionPart[] {
  return title ? [{ type: 'title', text: title, rank: TITLE_RANKS.agent }] : []
}

function atSeconds(value: number | null | undefined): Date | undefined {
  return value === null || value === undefined ? undefined : instant(value * 1000)
}
