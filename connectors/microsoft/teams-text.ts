import { z } from 'zod'
import { htmlToMarkdown } from '../../src/connector/source-text.ts'

export const attachmentAnswer = z.looseObject({
  id: z.string().nullish(),
  name: z.string().nullish(),
  contentType: z.string().nullish(),
  /** Content of quotes and cards, as JSON. */
  content: z.unknown().optional(),
})

export type TeamsAttachment = z.infer<typeof attachmentAnswer>

const sender = z.looseObject({ user: z.looseObject({ displayName: z.string().nullish() }).nullish() }).nullish()
const quoted = z.looseObject({ messagePreview: z.string(), messageSender: sender })
const forwarded = z.looseObject({ originalMessageContent: z.string(), originalMessageSender: sender })

const CARD = /^application\/vnd\.microsoft\.(?:teams\.)?card\./
/** The readable text of a card; the rest is layout and button payloads. */
const CARD_WORDS: ReadonlySet<string> = new Set([
  'title',
  'subtitle',
  'text',
  'summary',
  'activityTitle',
  'activitySubtitle',
  'activityText',
])
const CARD_LENGTH = 4_000
const CARD_DEPTH = 40

/** A message as Markdown, with its quotes in place, the names of its files and the text of its cards. */
export function teamsText(
  body: { readonly contentType?: string | null | undefined; readonly content?: string | null | undefined },
  attachments: readonly TeamsAttachment[],
): string {
  const content = body.content ?? ''
  const text = body.contentType === 'html' ? htmlToMarkdown(standardHtml(content, attachments)).markdown : content
  return [text, ...attachments.map(attachmentText)]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n')
}

/** Teams has its own elements for quotes, emoji, pictures and code. */
function standardHtml(html: string, attachments: readonly TeamsAttachment[]): string {
  return html
    .replace(/<attachment\b([^<>]{0,200})>(?:<\/attachment>)?/gi, (_, tag: string) => {
      const id = attribute(tag, 'id')
      return quoteOf(attachments.find((attachment) => attachment.id === id))
    })
    .replace(/<(?:custom)?emoji\b([^<>]{0,2000})>(?:<\/(?:custom)?emoji>)?/gi, (_, tag: string) =>
      attribute(tag, 'alt'),
    )
    .replace(/<img\b([^<>]{0,4000})>/gi, (image, tag: string) => {
      if (/schema\.skype\.com\/Emoji/i.test(tag)) return attribute(tag, 'alt')
      // Its URL is useless without the token.
      return /hostedContents/.test(tag) ? `[${attribute(tag, 'alt') || 'image'}]` : image
    })
    .replace(
      /<codeblock\b([^<>]{0,200})>\s*<code>([\s\S]*?)<\/code>\s*<\/codeblock>/gi,
      (_, tag: string, code: string) => {
        const lines = code.replace(/<br\s*\/?>/gi, '\n').replace(/&nbsp;/g, ' ')
        return `<pre><code class="language-${attribute(tag, 'class').toLowerCase()}">${lines}</code></pre>`
      },
    )
}

/** As written in HTML. */
function attribute(tag: string, name: string): string {
  return new RegExp(`\\b${name}="([^"<>]*)"`, 'i').exec(tag)?.[1] ?? ''
}

function quoteOf(attachment: TeamsAttachment | undefined): string {
  const content = jsonOf(attachment?.content)
  if (attachment?.contentType === 'messageReference') {
    const { data } = quoted.safeParse(content)
    return data === undefined ? '' : quote(senderName(data.messageSender), escaped(data.messagePreview))
  }
  const { data } = forwarded.safeParse(content)
  if (attachment?.contentType !== 'forwardedMessageReference' || data === undefined) return ''
  return quote(`Forwarded, from ${senderName(data.originalMessageSender)}`, data.originalMessageContent)
}

function quote(who: string, html: string): string {
  return `<blockquote><p>${escaped(who)}: ${html.replace(/^\s*<p>/, '')}</p></blockquote>`
}

function senderName(given: z.infer<typeof sender>): string {
  return given?.user?.displayName || 'Somebody'
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function attachmentText({ name, contentType, content }: TeamsAttachment): string {
  if (!CARD.test(contentType ?? '')) return name ? `[${name}]` : ''
  const words = cardWords(jsonOf(content), 0).join('\n').slice(0, CARD_LENGTH)
  return words || (name ? `[${name}]` : '')
}

function cardWords(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth > CARD_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((part) => cardWords(part, depth + 1))
  const fact = z.looseObject({ type: z.undefined().optional(), value: z.string() }).safeParse(value).data
  return Object.entries(value).flatMap(([name, part]) => {
    if (typeof part !== 'string') return name === 'actions' ? [] : cardWords(part, depth + 1)
    const isNameOfFact = fact !== undefined && (name === 'title' || name === 'name')
    return isNameOfFact ? [`${part}: ${fact.value}`] : CARD_WORDS.has(name) ? [part] : []
  })
}

function jsonOf(content: unknown): unknown {
  if (typeof content !== 'string') return content
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}
