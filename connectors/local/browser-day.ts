import { createHash } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import type { SourceItem } from '../../src/connector/connector.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import type { KeptPage } from './browser-privacy.ts'

/** One item: the pages visited on one domain on one day. */
export interface BrowserDay {
  /** `2026-11-20`, in the person's time zone. */
  readonly day: string
  readonly domain: string
  readonly visits: readonly DayVisit[]
}

export interface DayVisit {
  readonly at: Date
  readonly page: KeptPage
  readonly title: string | undefined
}

/** Further pages of a domain on one day are only counted. */
const MOST_PAGES = 100
const LONGEST_TITLE = 300

/** @param profile a short, stable id of the profile */
export function browserDayItem(browserDay: BrowserDay, profile: string, timeZone: string): SourceItem {
  const { day, domain, visits } = browserDay
  const sorted = visits.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const site = domainToUnicode(domain) || domain
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
  const body = dayNarrative(sorted, `On ${date} I read`, site, timeZone)
  const times = { createdAt: sorted[0]?.at, updatedAt: sorted.at(-1)?.at }
  return {
    ...browserDayRef(day, domain, profile),
    title: `${site} on ${date}`,
    revision: createHash('sha256').update(`${times.updatedAt?.getTime()}\n${body}`).digest('hex').slice(0, 32),
    url: `https://${domain}/`,
    where: site,
    visibility: 'private',
    ...(times.createdAt && { createdAt: times.createdAt }),
    ...(times.updatedAt && { updatedAt: times.updatedAt }),
    body,
  }
}

export function browserDayRef(day: string, domain: string, profile: string) {
  return {
    sourceType: 'browser' as const,
    itemId: sourceItemId('browser', profile, { name: 'day', value: day }, { name: 'd', value: domain }),
    locator: `${day} ${domain}`,
  }
}

interface Page {
  readonly url: string
  readonly first: Date
  last: Date
  title: string | undefined
  count: number
}

function dayNarrative(visits: readonly DayVisit[], lead: string, site: string, timeZone: string): string {
  const pages = pagesOf(visits)
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
  const lines = pages.slice(0, MOST_PAGES).map(({ first, last, count, title, url }) => {
    const [from, to] = [clock.format(first), clock.format(last)]
    const times = count === 1 ? '' : `, ${count === 2 ? 'twice' : `${count} times`}${to === from ? '' : ` until ${to}`}`
    return `- ${from} [${title ?? withoutScheme(url)}](${url})${times}`
  })
  if (pages.length > MOST_PAGES) lines.push(`- and ${pages.length - MOST_PAGES} more pages`)
  const pagesRead = pages.length === 1 ? 'a page' : `${pages.length} pages`
  return `${lead} ${pagesRead} on ${site}.\n\n${lines.join('\n')}\n`
}

function pagesOf(visits: readonly DayVisit[]): Page[] {
  const pages = new Map<string, Page>()
  for (const { at, page, title } of visits) {
    // Parentheses would end a Markdown link.
    const url = page.url.replaceAll('(', '%28').replaceAll(')', '%29')
    const known = pages.get(url)
    if (known === undefined) pages.set(url, { url, first: at, last: at, title: cleanTitle(title), count: 1 })
    else {
      known.last = at
      known.count += 1
      known.title = cleanTitle(title) ?? known.title
    }
  }
  return [...pages.values()]
}

/** Removes unread counts such as `(3) Inbox`, which change with each visit. */
function cleanTitle(title: string | undefined): string | undefined {
  const clean = title
    ?.replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/^ ?\(\d+\+?\) /, '')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .trim()
  return clean ? [...clean].slice(0, LONGEST_TITLE).join('') : undefined
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
