import { parseFeed } from 'feedsmith'
import { SourceError } from '../../src/connector/source-error.ts'
import { htmlToMarkdown } from '../../src/connector/source-text.ts'
import type { FeedAnswer } from './feed-request.ts'
import { feedTitle } from './feeds-config.ts'

/** An entry of any kind of feed. */
export interface FeedEntry {
  /** Identity: its id, otherwise its link, otherwise its title and time. */
  readonly key: string
  readonly title: string | undefined
  readonly url: string | undefined
  readonly author: string | undefined
  readonly published: Date | undefined
  readonly updated: Date | undefined
  /** Markdown, created on demand, because converting a whole large feed at once would block for seconds. */
  text(): string
}

export interface Feed {
  readonly title: string | undefined
  /** In feed order, without duplicates. */
  readonly entries: readonly FeedEntry[]
}

interface RawEntry {
  readonly id?: string | undefined
  readonly link?: string | undefined
  readonly title?: Written
  readonly author?: string | undefined
  readonly published?: string | undefined
  readonly updated?: string | undefined
  readonly text?: Written
}

/** Text of a known or unknown kind. */
type Written = { readonly value?: string | undefined; readonly kind?: string | undefined } | undefined
type Parsed = ReturnType<typeof parsedFeed>
type Of<Format extends Parsed['format']> = Extract<Parsed, { format: Format }>['feed']

const MARKUP = /<[a-z!/][^<>]*>|&(?:#\d+|#x[\da-f]+|[a-z]+\d*);/i

/**
 * @param configured address in the configuration, for messages
 * @throws SourceError `skip` when it is not a feed
 */
export function feedEntries(answer: FeedAnswer, configured: string): Feed {
  const text = decoded(answer)
  const { title, entries } = raw(text, answer, configured)
  const found = new Map<string, FeedEntry>()
  for (const entry of entries) {
    const known = knownEntry(entry, answer.url)
    // The first of several entries with the same id wins, because feeds list the newest first.
    if (known !== undefined && !found.has(known.key)) found.set(known.key, known)
  }
  return { title: lineOrNothing(plainText(title)), entries: [...found.values()] }
}

/**
 * The encoding is stated by the first bytes, the server or the first line (RFC 7303, 3); XML without any of
 * them is UTF-8. Servers often state one encoding for all files, so one that does not fit is ignored.
 */
function decoded({ bytes, contentType }: FeedAnswer): string {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const labels = [
    MARKS.find(([mark]) => head.startsWith(mark))?.[1],
    /charset=["']?([\w-]+)/i.exec(contentType)?.[1],
    /^<\?xml[^>]*\bencoding=["']([\w-]+)/i.exec(head)?.[1],
    'utf-8',
  ]
  for (const label of labels) {
    const text = label === undefined ? undefined : textIn(label, bytes)
    if (text !== undefined) return text
  }
  return new TextDecoder().decode(bytes)
}

const MARKS = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
] as const

function textIn(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Dates as written. */
function parsedFeed(text: string) {
  return parseFeed(text)
}

function raw(text: string, { contentType }: FeedAnswer, configured: string) {
  let parsed: Parsed
  try {
    parsed = parsedFeed(text)
  } catch (cause) {
    const isPage = contentType.includes('html') || /^\s*<(?:!doctype html|html)\b/i.test(text)
    const what = isPage
      ? 'is a web page, not a feed. Look for the feed address on it'
      : 'is not an RSS, Atom or JSON feed'
    throw new SourceError('skip', `${feedTitle(configured)} ${what}.`, { cause })
  }
  switch (parsed.format) {
    case 'atom':
      return atom(parsed.feed)
    case 'json':
      return json(parsed.feed)
    case 'rdf':
      return rdf(parsed.feed)
    case 'rss':
      return rss(parsed.feed)
  }
}

function rss({ title, items = [] }: Of<'rss'>) {
  const entries = items.map((item): RawEntry => {
    const { guid, link, description, content, dc, pubDate, authors, atom } = item
    return {
      id: guid?.value,
      // Without a link, the id is the link, unless it is marked as no permalink.
      link: link ?? (guid?.isPermaLink === false || !URL.canParse(guid?.value ?? '') ? undefined : guid?.value),
      title: { value: item.title },
      author: dc?.creators?.[0] ?? personName(authors?.[0]),
      published: pubDate ?? dc?.dates?.[0],
      updated: atom?.updated,
      text: { value: content?.encoded ?? description },
    }
  })
  return { title: { value: title }, entries }
}

/** `ada@acme.test (Ada Lovelace)` is how RSS names people. */
function personName(person: unknown): string | undefined {
  if (typeof person !== 'string') return undefined
  return /\(([^()]+)\)\s*$/.exec(person)?.[1] ?? person
}

function rdf({ title, items = [] }: Of<'rdf'>) {
  const entries = items.map((item): RawEntry => {
    const { link, description, content, dc } = item
    return {
      id: item.rdf?.about,
      link,
      title: { value: item.title },
      author: dc?.creators?.[0],
      published: dc?.dates?.[0],
      text: { value: content?.encoded ?? description },
    }
  })
  return { title: { value: title }, entries }
}

function atom({ title, entries: given = [] }: Of<'atom'>) {
  const entries = given.map((entry): RawEntry => {
    const { id, links = [], authors, published, updated, content, summary } = entry
    const link = links.find(({ rel }) => rel === undefined || rel === 'alternate')?.href
    return {
      id,
      link,
      title: { value: entry.title?.value, kind: entry.title?.type },
      author: authors?.[0]?.name,
      published,
      updated,
      text: content?.value === undefined ? written(summary) : written(content),
    }
  })
  return { title: written(title), entries }
}

function written(text: { value?: string; type?: string } | undefined): Written {
  return text && { value: text.value, kind: text.type }
}

function json({ title, items = [] }: Of<'json'>) {
  const entries = items.map((item): RawEntry => {
    const { id, url, content_html: html, content_text: plain, summary, authors, date_published, date_modified } = item
    return {
      id,
      link: url,
      title: { value: item.title, kind: 'text' },
      author: authors?.[0]?.name,
      published: date_published,
      updated: date_modified,
      text: html === undefined ? { value: plain ?? summary, kind: 'text' } : { value: html, kind: 'html' },
    }
  })
  return { title: { value: title, kind: 'text' }, entries }
}

function knownEntry(entry: RawEntry, base: string): FeedEntry | undefined {
  const { id, link } = entry
  const title = lineOrNothing(plainText(entry.title))
  const url = link === undefined ? undefined : webAddress(link, base)
  const text = () => markdown(entry.text, url ?? base).trim()
  const published = instant(entry.published)
  if (title === undefined && url === undefined && text() === '') return undefined
  const key = id?.trim() || link?.trim() || [title ?? text(), published?.toISOString()].join('\n')
  const author = lineOrNothing(entry.author ?? '')
  return { key, title, url, author, published, updated: instant(entry.updated), text }
}

function webAddress(link: string, base: string): string | undefined {
  const url = URL.parse(link.trim(), base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** Times without a zone are UTC, so that an entry is the same on every machine. The year 1 means no time. */
function instant(text = ''): Date | undefined {
  const written = text.trim()
  const at = new Date(/\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(written) ? `${written}Z` : written)
  return at.getUTCFullYear() > 1 ? at : undefined
}

function markdown(text: Written, base: string): string {
  const { value = '', kind } = text ?? {}
  if (isHtml(text)) return htmlToMarkdown(withAddresses(value, base)).markdown
  // Atom encodes content other than text as Base64 (RFC 4287, 4.1.3.3).
  return kind?.includes('/') && !/^text\/|xml/.test(kind) ? '' : value
}

/** Resolves links relative to the entry; drops embedded pictures and scripts. */
function withAddresses(html: string, base: string): string {
  return html.replace(
    /\s(href|src)=(?:"([^"<>]*)"|'([^'<>]*)')/gi,
    (_, name: string, double?: string, single?: string) => {
      const url = URL.parse((double ?? single ?? '').trim(), base)
      return url !== null && /^(https?|mailto):$/.test(url.protocol) ? ` ${name}="${url.href}"` : ''
    },
  )
}

/** Plain text for titles, without emphasis. */
function plainText(text: Written): string {
  const { value = '' } = text ?? {}
  return isHtml(text) ? htmlToMarkdown(value.replace(/<[^<>]*>/g, '')).markdown : value
}

/** Many feeds do not say whether a text is HTML. */
function isHtml({ value = '', kind }: NonNullable<Written> = {}): boolean {
  return kind === undefined ? MARKUP.test(value) : kind.includes('html')
}

function lineOrNothing(text: string): string | undefined {
  return text.replace(/\s+/g, ' ').trim() || undefined
}
