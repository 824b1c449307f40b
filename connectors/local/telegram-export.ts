import { z } from 'zod'
import type { ChatMessage, ExportedMessages } from './exported-messages.ts'

const text = z.string().optional().catch(undefined)
const part = z.union([z.string(), z.looseObject({ type: text, text, href: text })])

const message = z.looseObject({
  type: text,
  date: text,
  date_unixtime: z.union([z.string(), z.number()]).optional().catch(undefined),
  from: z.string().nullish().catch(undefined),
  text: z
    .union([z.string(), z.array(part)])
    .optional()
    .catch(undefined),
  forwarded_from: z.string().nullish().catch(undefined),
  file_name: text,
  media_type: text,
  title: text,
  performer: text,
  poll: z
    .looseObject({ question: text, answers: z.array(z.looseObject({ text })).catch([]) })
    .optional()
    .catch(undefined),
  contact_information: z
    .looseObject({ first_name: text, last_name: text, phone_number: text })
    .optional()
    .catch(undefined),
  place_name: text,
  address: text,
})
type Message = z.infer<typeof message>

const chat = z.looseObject({
  id: z.union([z.number(), z.string()]),
  name: z.string().nullish(),
  type: text,
  messages: z.array(z.unknown()),
})

const whole = z.looseObject({
  chats: z.looseObject({ list: z.array(z.unknown()) }).optional(),
  left_chats: z.looseObject({ list: z.array(z.unknown()) }).optional(),
})

/** The chats of a `result.json` of Telegram Desktop: of one chat, or of the whole account. `undefined` for other files. */
export function telegramChats(source: string): ExportedMessages[] | undefined {
  const given: unknown = JSON.parse(source)
  const single = chat.safeParse(given).data
  if (single !== undefined) return [chatOf(single)]
  const { chats, left_chats: left } = whole.safeParse(given).data ?? {}
  if (chats === undefined && left === undefined) return undefined
  return [...(chats?.list ?? []), ...(left?.list ?? [])].flatMap((one) => {
    const found = chat.safeParse(one).data
    return found === undefined ? [] : [chatOf(found)]
  })
}

function chatOf({ id, name, type, messages }: z.infer<typeof chat>): ExportedMessages {
  const shown = name?.trim() || (type === 'saved_messages' ? 'Saved messages' : 'Deleted account')
  return { key: String(id), name: shown, messages: messages.flatMap(messageOf) }
}

function messageOf(given: unknown): ChatMessage[] {
  const found = message.safeParse(given).data
  // `service`: who joined, what was pinned.
  if (found === undefined || found.type !== 'message') return []
  const at = instantOf(found)
  const said = [spokenText(found), ...attached(found)].filter(Boolean).join('\n')
  if (at === undefined || said === '') return []
  const forwarded = found.forwarded_from ? `Forwarded from ${found.forwarded_from}: ` : ''
  return [{ at, from: found.from?.trim() || 'Deleted account', text: `${forwarded}${said}` }]
}

/** `date` is in the time zone of the computer that exported it, so it only stands in where there is nothing better. */
function instantOf({ date, date_unixtime: seconds }: Message): Date | undefined {
  const at = seconds === undefined ? new Date(`${date ?? ''}Z`) : new Date(Number(seconds) * 1000)
  return Number.isNaN(at.getTime()) ? undefined : at
}

function spokenText({ text: given = '' }: Message): string {
  const parts = typeof given === 'string' ? [given] : given.map(partText)
  return parts.join('').trim()
}

function partText(one: z.infer<typeof part>): string {
  if (typeof one === 'string') return one
  const words = one.text ?? ''
  if (one.type === 'text_link' && one.href && one.href !== words) return `${words} (${one.href})`
  if (one.type === 'pre') return `\n\`\`\`\n${words}\n\`\`\`\n`
  if (one.type === 'blockquote') return `${words.replace(/^/gm, '> ')}\n`
  return one.type === 'code' ? `\`${words}\`` : words
}

function attached({
  file_name: file,
  media_type: kind,
  title,
  performer,
  poll,
  contact_information: contact,
  place_name,
  address,
}: Message) {
  // Its file has the same name in every chat.
  if (kind === 'sticker') return []
  const song = [performer, title].filter(Boolean).join(' - ')
  const person = [contact?.first_name, contact?.last_name, contact?.phone_number].filter(Boolean).join(' ')
  const answers = poll?.answers.map(({ text: answer = '' }) => `- ${answer}`) ?? []
  return [
    file ? `[file: ${file}]` : song && `[file: ${song}]`,
    poll?.question && [`Poll: ${poll.question}`, ...answers].join('\n'),
    person && `Contact: ${person}`,
    [place_name, address].filter(Boolean).join(', '),
  ].filter((one): one is string => Boolean(one))
}
