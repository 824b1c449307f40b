import type { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'
import type { Answer, Found } from './github-answer.ts'
import type { GithubGateway, Route } from './github-gateway.ts'

/** Before it is left to a later run. */
const ATTEMPTS = 3

/**
 * All pages of a listing that has page numbers only; of a page that is not found, its answer. When an entry is deleted
 * between two pages, one is skipped: so after each page the one before is asked for again, which is free while it is
 * unchanged (304), and when other entries stand on it everything is read anew.
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
  throw new SourceError('retry', 'A list of GitHub changed again and again while it was read.')
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
