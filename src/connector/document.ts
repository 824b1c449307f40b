import { stringify } from 'yaml'
import { collapseWhitespace } from './collapse-whitespace.ts'
import type { Body, SourceItem } from './connector.ts'

/** An item in the form in which it is memorized. */
export interface ItemDocument {
  readonly bytes: Uint8Array
  readonly fileName: string
  readonly contentType: string
}

const MARKDOWN = 'text/markdown'
/** Longest part of the title in a file name. */
const FILE_NAME_LENGTH = 100

/**
 * An item as it is memorized. Text gets YAML front matter (`title, url, when, where, participants, author, parents,
 * visibility`); other text and bytes stay unchanged, and the service decides what to skip. The same item gives the same
 * bytes, because their hash shows whether anything changed.
 */
export function renderDocument(item: SourceItem, body: Body): ItemDocument {
  const contentType = item.contentType ?? MARKDOWN
  const fileName = item.fileName ?? `${fileNameOf(item.title)}.md`
  if (typeof body !== 'string') return { bytes: body, fileName, contentType }
  const whole = contentType === MARKDOWN ? `${frontMatter(item)}${body}` : body
  return { bytes: new TextEncoder().encode(whole), fileName, contentType }
}

function frontMatter(item: SourceItem): string {
  const fields = {
    title: collapseWhitespace(item.title),
    url: item.url,
    when: (item.createdAt ?? item.updatedAt)?.toISOString(),
    where: item.where && collapseWhitespace(item.where),
    author: item.author && collapseWhitespace(item.author),
    participants: item.people?.length ? item.people.map(collapseWhitespace) : undefined,
    parents: item.parents?.length ? item.parents.map(collapseWhitespace) : undefined,
    visibility: item.visibility,
  }
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''))
  return `---\n${stringify(known, { lineWidth: 0 })}---\n\n`
}

/** Letters and digits of the title, for readable file names. */
function fileNameOf(title: string): string {
  const name = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return [...name].slice(0, FILE_NAME_LENGTH).join('') || 'item'
}
