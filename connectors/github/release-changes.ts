import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { type Release, releaseAnswer } from './github-answers.ts'
import type { CursorOf, GithubCursor } from './github-config.ts'
import { steadyPages } from './listing-pages.ts'
import { loginOf, paragraphs, quotedMarkdown } from './readable-markdown.ts'
import {
  githubItemId,
  lostPartition,
  type RepositorySource,
  repositoryFields,
  repositoryRoute,
} from './repository-source.ts'

/**
 * Every release, newest first, if the first page has changed; a release older than the newest 100 is compared in
 * the daily inventory.
 */
export async function* releaseChanges(
  source: RepositorySource,
  cursor: CursorOf<'releases'> | undefined,
): AsyncGenerator<Change<GithubCursor>> {
  const releases = await readReleases(source, cursor?.etag)
  if (releases === undefined) return yield { type: 'checkpoint', cursor: cursor ?? { kind: 'releases' } }
  yield { type: 'expected', items: releases.taken.length }
  for (const release of releases.taken) yield { type: 'item', item: releaseItem(source, release) }
  const { etag } = releases
  yield { type: 'checkpoint', cursor: { kind: 'releases', ...(etag !== undefined && { etag }) } }
}

export async function* releaseInventory(source: RepositorySource): AsyncGenerator<ItemRef> {
  const releases = await readReleases(source)
  for (const release of releases?.taken ?? []) {
    const { sourceType, itemId, title, revision } = releaseItem(source, release)
    yield { sourceType, itemId, title, revision }
  }
}

export async function readReleaseItem(source: RepositorySource, id: number): Promise<SourceItem | undefined> {
  const answer = await source.gateway.get(releaseAnswer, repositoryRoute(source, '/releases/{id}', { id }))
  return answer.outcome === 'found' && !answer.data.draft ? releaseItem(source, answer.data) : undefined
}

/** Without drafts, which only some people see. `undefined`: unchanged. */
async function readReleases(source: RepositorySource, etag?: string) {
  const route = repositoryRoute(source, '/releases', { per_page: 100 })
  const pages = await steadyPages(source.gateway, z.array(releaseAnswer), route, etag)
  if (!('outcome' in pages)) {
    const taken = pages.flatMap(({ data }) => data).filter((release) => includesRelease(source, release))
    return { taken, etag: pages[0]?.etag }
  }
  if (pages.outcome === 'unchanged') return undefined
  throw lostPartition(source, pages.status)
}

function includesRelease({ context }: RepositorySource, { draft, published_at, created_at }: Release): boolean {
  const { since } = context.config
  const at = published_at ?? created_at
  return !draft && (since === undefined || at === null || at === undefined || at >= since)
}

function releaseItem(source: RepositorySource, release: Release): SourceItem {
  const { id, tag_name, name, prerelease, author, html_url, created_at, published_at } = release
  const createdAt = published_at ?? created_at
  const title = `${source.repository.full_name} ${name || tag_name}`
  const body = `${paragraphs([
    `${prerelease ? 'Prerelease' : 'Release'} ${tag_name}.`,
    quotedMarkdown(release.body, author),
  ])}\n`
  return {
    ...repositoryFields(source),
    itemId: githubItemId(source, { name: 'rel', value: String(id) }),
    // Older servers have no time of change, so the content itself is compared.
    revision: createHash('sha256')
      .update(`${name ?? ''}\n${body}`)
      .digest('base64url')
      .slice(0, 22),
    title,
    url: html_url,
    author: loginOf(author),
    ...(createdAt && { createdAt }),
    body,
  }
}
