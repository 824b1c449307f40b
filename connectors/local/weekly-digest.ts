import { createHash } from 'node:crypto'
import type { MemorizedItem, SourceItem, SourceType } from '../../src/connector/connector.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { type CalendarDay, startOfZonedDay, zonedDay } from '../../src/connector/source-time.ts'

const DAY_MS = 86_400_000

/** A week from Monday to Sunday. */
export interface IsoWeek {
  /** ISO 8601: `2026-W47`. Sorts by time. */
  readonly name: string
  readonly monday: CalendarDay
}

/** The week of an instant in the person's time zone. */
export function isoWeek(instant: Date, timeZone: string): IsoWeek {
  return weekOfDay(zonedDay(instant, timeZone))
}

export function weekAfter({ monday }: IsoWeek, weeks = 1): IsoWeek {
  return weekOfDay({ ...monday, day: monday.day + 7 * weeks })
}

/** The week of a name from `isoWeek`; `undefined` for other names. */
export function weekNamed(name: string): IsoWeek | undefined {
  const [, year, number] = /^(\d{4})-W(\d{2})$/.exec(name) ?? []
  if (year === undefined) return undefined
  // The fourth of January is always in the first week.
  const week = weekOfDay({ year: Number(year), month: 1, day: 4 + 7 * (Number(number) - 1) })
  return week.name === name ? week : undefined
}

/** The start of a week and of the next one. */
export function weekSpan(week: IsoWeek, timeZone: string): { readonly since: Date; readonly until: Date } {
  return {
    since: startOfZonedDay(week.monday, timeZone),
    until: startOfZonedDay(weekAfter(week).monday, timeZone),
  }
}

function weekOfDay({ year, month, day }: CalendarDay): IsoWeek {
  const date = new Date(Date.UTC(year, month - 1, day))
  const monday = new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS)
  // A week belongs to the year of its Thursday.
  const thursday = new Date(monday.getTime() + 3 * DAY_MS)
  const number = 1 + Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * DAY_MS))
  return {
    name: `${thursday.getUTCFullYear()}-W${String(number).padStart(2, '0')}`,
    monday: { year: monday.getUTCFullYear(), month: monday.getUTCMonth() + 1, day: monday.getUTCDate() },
  }
}

/** Maximum items listed per source; more are only counted. */
const MOST_TITLES = 20
const LONGEST_TITLE = 200

/** Display name of a source. */
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

/** Data shared by all digests. */
export interface DigestOwner {
  /** A short id of the account. */
  readonly account: string
  /** IANA name. */
  readonly timeZone: string
}

export function digestRef({ name }: IsoWeek, { account }: DigestOwner) {
  return { sourceType: 'weekly_updates' as const, itemId: sourceItemId('weekly', account, name), locator: name }
}

/** The digest of a week. @param items dated in it, oldest first, at least one */
export function weeklyDigest(week: IsoWeek, items: readonly MemorizedItem[], owner: DigestOwner): SourceItem {
  const { since, until } = weekSpan(week, owner.timeZone)
  const days = `${dayName(since, owner, 'long')} to ${dayName(new Date(until.getTime() - 1), owner, 'long')}`
  const sources = [...Map.groupBy(items, ({ sourceType }) => sourceType)].sort(([, a], [, b]) => b.length - a.length)
  const counts = sources.map(([source, of]) => `${of.length} from ${sourceName(source)}`)
  const things = items.length === 1 ? 'one thing' : `${items.length} things`
  const lead = `In the week from ${days} I took in ${things}: ${counts.join(', ')}.`
  const sections = sources.map(([source, of]) => section(sourceName(source), of, owner))
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
  // Repeated titles become one line with the first day.
  const lines = new Map<string, MemorizedItem>()
  for (const item of items) {
    const title = cleanTitle(item.title)
    if (!lines.has(title)) lines.set(title, item)
  }
  const titles = [...lines].slice(0, MOST_TITLES).map(([title, { at, url }]) => {
    const link = url === undefined ? undefined : url.replaceAll('(', '%28').replaceAll(')', '%29')
    return `- ${dayName(at, owner, 'short')}: ${link === undefined ? title : `[${title}](${link})`}`
  })
  if (lines.size > MOST_TITLES) titles.push(`- and ${lines.size - MOST_TITLES} more`)
  return `## From ${name}: ${items.length}\n\n${titles.join('\n')}`
}

function sourceName(source: SourceType): string {
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
