import { createHash } from 'node:crypto'
import type { MemorizedItem, SourceItem, SourceType } from '../../src/connector/connector.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { zonedDay } from '../../src/connector/zoned-time.ts'
import { type IsoWeek, spanOf } from './iso-week.ts'

/** Of one source; more are only counted. */
const MOST_TITLES = 20
const LONGEST_TITLE = 200

/** What people call a source. */
const SOURCES: Readonly<Partial<Record<SourceType, string>>> = {
  text: 'notes',
  email: 'mail',
  pdf: 'PDF files',
  stream: 'the stream',
  browser: 'the web',
  vscode: 'VS Code',
  calendar: 'the calendar',
  github: 'GitHub',
  slack: 'Slack',
  asana: 'Asana',
  claude_code: 'Claude Code',
  cursor: 'Cursor',
  codex: 'Codex',
  google_meets: 'Google Meet',
  technical_docs: 'documents',
  weekly_updates: 'weekly updates',
  gdocs: 'Google Docs',
  youtube: 'YouTube',
  fit: 'Google Fit',
  'ms-outlook': 'Outlook',
  'ms-calendar': 'the Outlook calendar',
  'ms-teams': 'Teams',
  'ms-onedrive': 'OneDrive',
  'ms-sharepoint': 'SharePoint',
}

/** What digests have in common. */
export interface DigestOwner {
  /** Short stand-in for the account. */
  readonly account: string
  /** IANA name. */
  readonly timeZone: string
}

export function digestRef({ name }: IsoWeek, { account }: DigestOwner) {
  return { sourceType: 'weekly_updates' as const, itemId: sourceItemId('weekly', account, name), locator: name }
}

/** The digest of a week. @param items what was told in it, oldest first, at least one */
export function weeklyDigest(week: IsoWeek, items: readonly MemorizedItem[], owner: DigestOwner): SourceItem {
  const { since, until } = spanOf(week, owner.timeZone)
  const days = `${dayName(since, owner, 'long')} to ${dayName(new Date(until.getTime() - 1), owner, 'long')}`
  const sources = [...Map.groupBy(items, ({ sourceType }) => sourceType)].sort(([, a], [, b]) => b.length - a.length)
  const counts = sources.map(([source, of]) => `${of.length} from ${nameOf(source)}`)
  const things = items.length === 1 ? 'one thing' : `${items.length} things`
  const lead = `In the week from ${days} I took in ${things}: ${counts.join(', ')}.`
  const sections = sources.map(([source, of]) => section(nameOf(source), of, owner))
  const body = `${[lead, ...sections].join('\n\n')}\n`
  const [year, number] = week.name.split('-W')
  return {
    ...digestRef(week, owner),
    title: `Week ${Number(number)} of ${year}, ${days}`,
    revision: createHash('sha256').update(body).digest('hex').slice(0, 32),
    visibility: 'private',
    createdAt: since,
    body,
  }
}

function section(name: string, items: readonly MemorizedItem[], owner: DigestOwner): string {
  // What was told several times is one line, with the first day.
  const lines = new Map<string, MemorizedItem>()
  for (const item of items) {
    const title = cleanTitle(item.title)
    if (!lines.has(title)) lines.set(title, item)
  }
  const told = [...lines].slice(0, MOST_TITLES).map(([title, { at, url }]) => {
    const link = url === undefined ? undefined : url.replaceAll('(', '%28').replaceAll(')', '%29')
    return `- ${dayName(at, owner, 'short')}: ${link === undefined ? title : `[${title}](${link})`}`
  })
  if (lines.size > MOST_TITLES) told.push(`- and ${lines.size - MOST_TITLES} more`)
  return `## From ${name}: ${items.length}\n\n${told.join('\n')}`
}

function nameOf(source: SourceType): string {
  return SOURCES[source] ?? source
}

/** `16 November 2026`, or without the year. */
function dayName(instant: Date, { timeZone }: DigestOwner, length: 'long' | 'short'): string {
  const { year, month, day } = zonedDay(instant, timeZone)
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    ...(length === 'long' && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(Date.UTC(year, month - 1, day)))
}

function cleanTitle(title: string): string {
  const clean = title
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .trim()
  const characters = [...clean]
  return characters.length > LONGEST_TITLE ? `${characters.slice(0, LONGEST_TITLE - 1).join('')}…` : clean
}
