import { stringify } from 'yaml'
import type { Body, SourceItem } from './connector.ts'
import { collapseWhitespace } from './source-text.ts'

/** An item in the form in which it is memorized. */
export interface ItemDocument {
  readonly bytes: Uint8Array
  readonly fileName: string
  readonly contentType: string
}

const MARKDOWN = 'text/markdown'
/** Of the title; longer ones are cut in file names. */
const FILE_NAME_LENGTH = 100

/**
 * What is memorized of an item. Text gets YAML front matter (`title, url, when, where, participants, author, parents,
 * visibility`); otherwise it and bytes stay as they are: what of it is not memorized, the service decides and records. The
 * same item gives the same bytes: its hash decides whether anything has changed.
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

/** Letters and digits of the title, for people who look at a listing. */
function fileNameOf(title: string): string {
  const name = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return [...name].slice(0, FILE_NAME_LENGTH).join('') || 'item'
}
