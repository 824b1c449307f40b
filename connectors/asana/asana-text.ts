import { htmlToMarkdown } from '../../src/connector/source-text.ts'
import type { Named } from './asana-answers.ts'

const PREFORMATTED = /(<pre\b[^<>]{0,400}>[\s\S]*?<\/pre>)/i
const NAMED_PERSON = /<a\b[^<>]{0,1000}\bdata-asana-type="user"[^<>]{0,1000}>([^<]{0,200})<\/a>/gi

/** Rich text of Asana as Markdown; the plain form where there is none. */
export function writtenText(html: string | undefined, plain: string | undefined): string {
  const text = html === undefined || html.trim() === '' ? (plain ?? '') : markdownOf(html)
  // Escape headings, so that they can't be mistaken for another person's comment.
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/^(#{2,4} [^\n]{1,80} by \S)/gm, '\\$1')
    .trim()
}

/** Asana ends lines with line breaks, which HTML ignores. */
function markdownOf(html: string): string {
  const lines = html
    .replace(NAMED_PERSON, '$1')
    .split(PREFORMATTED)
    .map((part) => (PREFORMATTED.test(part) ? part : part.replace(/\r?\n/g, '<br>')))
  return htmlToMarkdown(lines.join('')).markdown
}

export function personName(who: Named | undefined): string {
  return who?.name?.trim() || 'Somebody'
}

/** `## Comment by Ada at 2026-03-04T10:12:00.000Z`, the form in which a reader of the document finds who said what. */
export function spokenHeading(what: string, who: Named | undefined, at: Date | undefined): string {
  return `## ${what} by ${personName(who)}${at === undefined ? '' : ` at ${at.toISOString()}`}`
}

/** `Due: 2026-03-04.`, or nothing. */
export function labelled(label: string, value: string | undefined): string[] {
  return value === undefined || value.trim() === '' ? [] : [`${label}: ${value.trim()}.`]
}

/** Joins the parts with empty lines; skips empty parts. */
export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

export function byTime<T extends { readonly gid: string; readonly created_at?: Date | undefined }>(a: T, b: T): number {
  return (a.created_at?.getTime() ?? 0) - (b.created_at?.getTime() ?? 0) || byGid(a.gid, b.gid)
}

/** Ids are numbers of any length, as text. */
export function byGid(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}
