import type { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'
import type { Answer, Found } from './github-answer.ts'
import type { GithubGateway, Route } from './github-gateway.ts'
import type { OddRow, Rows } from './listing-rows.ts'

/** GitHub's maximum. */
export const PAGE_SIZE = 100

/** A listing by the time of the last change, oldest first. */
export interface Listing<T> {
  /** What changed at or after `since`; everything without. */
  first(since: Date | undefined, etag?: string): Promise<Answer<Rows<T>>>
  next(url: string): Promise<Answer<Rows<T>>>
  /** The meaning of a missing listing. */
  absent(status: number): Found<Rows<T>>
}

export interface Stamped {
  readonly id: number
  readonly updated_at: Date
}

/** The page that shows any later change, with its ETag. */
export interface Tail {
  readonly since: Date | undefined
  readonly etag: string
}

/** The first page, already requested. */
export interface Begun<T> {
  readonly since: Date | undefined
  readonly page: Found<Rows<T>>
}

export interface AscendingPage<T> {
  readonly items: readonly T[]
  /** Those that nobody can read. */
  readonly odd: readonly OddRow[]
  /** Where to resume the scan if it is interrupted after this page. */
  readonly reached: Date | undefined
  readonly isLast: boolean
  /** Number of pages, if GitHub states it. */
  readonly pages: number | undefined
  /** Only of the last page, when a change would show on it. */
  readonly tail: Tail | undefined
}

/**
 * Reads a listing by time, not by page number: an entry that changes meanwhile moves to the end, and every number after its
 * old position would skip one. GitHub's times are full seconds, and its manual leaves open whether `since` is
 * inclusive, so each page begins one second before the last entry of the page before; page numbers are used only among
 * entries of one second.
 */
export async function* ascendingPages<T extends Stamped>(
  listing: Listing<T>,
  begun: Begun<T>,
): AsyncGenerator<AscendingPage<T>> {
  let { since: from, page } = begun
  let numbered = false
  const seen = new Map<number, number>()
  for (;;) {
    const { taken, odd, count } = page.data
    const items = taken.filter(({ id, updated_at }) => seen.get(id) !== updated_at.getTime())
    for (const { id, updated_at } of items) seen.set(id, updated_at.getTime())
    const last = taken.at(-1)?.updated_at
    const reached = last && new Date(last.getTime() - 1000)
    // A full page stays the same when entries are added after it; a numbered page shifts with changes before it.
    const shows = page.next === undefined && !numbered && count < PAGE_SIZE
    const tail = shows && page.etag !== undefined ? { since: from, etag: page.etag } : undefined
    yield { items, odd, reached, isLast: page.next === undefined, pages: page.lastPage, tail }
    if (page.next === undefined) return
    numbered = reached === undefined || (from !== undefined && reached <= from)
    if (!numbered) from = reached
    page = await found(listing, numbered ? listing.next(page.next) : listing.first(from))
  }
}

export async function beginning<T>(listing: Listing<T>, since: Date | undefined): Promise<Begun<T>> {
  return { since, page: await found(listing, listing.first(since)) }
}

async function found<T>(listing: Listing<T>, asked: Promise<Answer<Rows<T>>>): Promise<Found<Rows<T>>> {
  const answer = await asked
  if (answer.outcome === 'found') return answer
  return listing.absent(answer.outcome === 'missing' ? answer.status : 304)
}

/** Attempts before it is left to a later run. */
const ATTEMPTS = 3

/**
 * All pages of a listing with page numbers; for a page that is not found, its response. When an entry is deleted
 * between two pages, one is skipped, so after each page the previous one is requested again, which is free while it is
 * unchanged (304). If it has changed, everything is read again.
 *
 * @param etag of the first page: `unchanged` when it is still the same
 */
export async function steadyPages<T extends { readonly id: number }>(
  gateway: GithubGateway,
  schema: z.ZodType<T[]>,
  route: Route,
  etag?: string,
): Promise<readonly Found<T[]>[] | Exclude<Answer<T[]>, Found<T[]>>> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const first = await gateway.get(schema, route, etag)
    if (first.outcome !== 'found') return first
    const pages = await followed(gateway, schema, route, first)
    if (pages !== undefined) return pages
  }
  throw new SourceError('retry', 'A GitHub list kept changing while it was read.')
}

/** `undefined`: it changed meanwhile. */
async function followed<T extends { readonly id: number }>(
  gateway: GithubGateway,
  schema: z.ZodType<T[]>,
  route: Route,
  first: Found<T[]>,
): Promise<readonly Found<T[]>[] | undefined> {
  const pages = [first]
  let before: Route | string = route
  for (let page = first; page.next !== undefined; ) {
    const next = await gateway.get(schema, page.next)
    const again = await gateway.get(schema, before, page.etag)
    const same = again.outcome === 'unchanged' || (again.outcome === 'found' && ids(again.data) === ids(page.data))
    if (next.outcome !== 'found' || !same) return undefined
    before = page.next
    page = next
    pages.push(next)
  }
  return pages
}

function ids(entries: readonly { readonly id: number }[]): string {
  return entries.map(({ id }) => id).join(' ')
}
