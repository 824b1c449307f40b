import { fileText } from './file-text.ts'
import { list, record, trimmedText } from './loose-values.ts'
import { emojiCharacter, richText, tableText } from './rich-text.ts'

/** What Slack and apps put in place of a text that only blocks can show. */
const NOT_SHOWN = /^(?:this (?:content|message|block) (?:can['’]?t|cannot) be displayed|no text)\.?$/i

/**
 * The whole text of a message as mrkdwn: its text, app blocks, attachments and link previews, and its files by name,
 * with what Slack gives of their text. Emoji become characters where Slack provides them.
 */
export function messageText(message: Readonly<Record<string, unknown>>): string {
  const blocks = list(message.blocks).map(record)
  const given = trimmedText(message.text)
  const text = NOT_SHOWN.test(given) ? '' : withEmoji(given, blocks)
  const parts = [
    ...withoutRepeats([text, blocksText(blocks, text)]),
    ...list(message.attachments).map((attachment) => attachmentText(record(attachment))),
    ...list(message.files).map(fileText),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** Of the notification text and the blocks, one often contains the other. */
function withoutRepeats([text, blocks]: [string, string]): string[] {
  if (blocks.includes(text)) return [blocks]
  return text.includes(blocks) ? [text] : [text, blocks]
}

/** @param text of the message: Slack repeats rich text in it, unless an app gave a shorter one for notifications */
function blocksText(blocks: readonly Record<string, unknown>[], text: string): string {
  return blocks
    .map((block) => {
      const shown = blockText(block)
      return block.type === 'rich_text' && !saysMore(shown, text) ? '' : shown
    })
    .filter((part) => part !== '')
    .join('\n')
}

/** Marks, dates and emoji may be written differently in both. */
const MOST_DIFFERENT = 0.3

function saysMore(rich: string, text: string): boolean {
  if (text === '') return true
  const words = rich.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const known = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
  return words.filter((word) => !known.has(word)).length > words.length * MOST_DIFFERENT
}

function blockText(block: Record<string, unknown>): string {
  switch (block.type) {
    case 'section':
      return [block.text, ...list(block.fields)]
        .map((part) => trimmedText(record(part).text))
        .filter(Boolean)
        .join('\n')
    case 'header':
      return trimmedText(record(block.text).text)
    case 'markdown':
      return trimmedText(block.text)
    case 'context':
      return list(block.elements)
        .map((part) => trimmedText(record(part).text))
        .filter(Boolean)
        .join(' ')
    case 'image':
    case 'video':
      return trimmedText(record(block.title).text) || trimmedText(block.alt_text)
    case 'rich_text':
      return richText(block)
    case 'table':
      return tableText(block)
    default:
      return ''
  }
}

function attachmentText(attachment: Record<string, unknown>): string {
  const fields = list(attachment.fields).map((field) => {
    const { title, value } = record(field)
    return [trimmedText(title), trimmedText(value)].filter(Boolean).join(': ')
  })
  const inner = [...list(attachment.blocks), ...list(attachment.message_blocks).map((part) => record(part).message)]
    .map(record)
    .flatMap((part) => (Array.isArray(part.blocks) ? part.blocks.map(record) : [part]))
  const parts = [attachment.pretext, attachment.author_name, attachment.title, attachment.text]
    .map(trimmedText)
    .concat(fields)
    .filter(Boolean)
  const shown = blocksText(inner, parts.join('\n'))
  if (shown !== '' && !parts.includes(shown)) parts.push(shown)
  return parts.join('\n') || trimmedText(attachment.fallback)
}

/** `:tada:` as the character that the message's blocks give; custom emoji keep their names. */
function withEmoji(text: string, blocks: readonly Record<string, unknown>[]): string {
  if (!/:[^\s:]+:/.test(text)) return text
  const known = new Map<string, string>()
  const collect = (elements: unknown) => {
    for (const element of list(elements).map(record)) {
      const character = element.type === 'emoji' ? emojiCharacter(element.unicode) : undefined
      if (character !== undefined) known.set(trimmedText(element.name), character)
      collect(element.elements)
    }
  }
  for (const block of blocks) collect(block.elements)
  if (known.size === 0) return text
  return text.replace(/:([^\s:]+):(:skin-tone-\d:)?/g, (whole, name: string) => known.get(name) ?? whole)
}

/** The people, channels and groups behind the ids in messages. */
export interface Names {
  person(id: string): string | undefined
  channel(id: string): string | undefined
  group(id: string): string | undefined
}

const REFERENCE = /<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g

/** Readable text: mentions by name, links with their URL, fences on their own lines, no entities. */
export function plainText(mrkdwn: string, names: Names): string {
  return mrkdwn
    .replace(REFERENCE, (_, mark: string, target: string, label: string = '') => {
      if (mark === '@') return `@${names.person(target) || label || target}`
      if (mark === '#') return `#${label || names.channel(target) || target}`
      return mark === '!' ? special(target, label, names) : link(target, label)
    })
    .replace(/[ \t]*```\n?([\s\S]+?)\n?```[ \t]*/g, (_, code: string) => `\n\`\`\`\n${code}\n\`\`\`\n`)
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Ids of the people that a text mentions. */
export function mentioned(mrkdwn: string): string[] {
  return [...mrkdwn.matchAll(REFERENCE)].flatMap(([, mark, target]) => (mark === '@' && target ? [target] : []))
}

/** `<!here>`, `<!subteam^S012|@designers>`, `<!date^1392734382^{date}|Feb 18, 2014>` */
function special(target: string, label: string, names: Names): string {
  const [kind = '', id = ''] = target.split('^')
  if (kind === 'date') return label || id
  if (kind === 'subteam') return label || `@${names.group(id) || id}`
  return `@${kind}`
}

function link(target: string, label: string): string {
  const address = target.replace(/^(mailto|tel):/, '')
  const shown = label.trim()
  // Slack labels a typed `acme.test` with the same text.
  return shown === '' || address.replace(/^https?:\/\//, '').replace(/\/$/, '') === shown || address === shown
    ? address
    : `${shown} (${address})`
}
