import type { Change, CheckContext, Connector, Context, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { type JsonRequest, requestJson } from '../../src/connector/json-requests.ts'
import { type ListedRows, oddRowChange } from '../../src/connector/listed-rows.ts'
import { mapInOrder } from '../../src/connector/map-in-order.ts'
import { incompleteResponse, nextPage } from '../../src/connector/next-page.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { tokenAccess } from '../../src/connector/token-access.ts'
import {
  blocksAnswer,
  meAnswer,
  type NotionPage,
  type NotionPaging,
  pageAnswer,
  searchAnswer,
} from './notion-answers.ts'
import { type NotionConfig, type NotionCursor, notionConfig, notionCursor } from './notion-config.ts'
import { type BlockTree, blocksText, pageTitle, propertyLines } from './notion-text.ts'

const DAY_MS = 24 * 60 * 60_000
/** Notion states edits to the minute, and its search is a little behind. */
const OVERLAP_MS = 10 * 60_000
const VERSION = '2022-06-28'
const PER_PAGE = 100
/** Blocks inside blocks beyond this depth are left out. */
const MOST_DEPTH = 8
/** Larger pages are cut off, with a note. */
const MOST_BLOCKS = 5_000
const BRANCHES_AT_ONCE = 3

/** Pages and database rows of Notion that are shared with an integration. */
export const notion: Connector<NotionConfig, NotionCursor> = {
  manifest: {
    id: 'notion',
    title: 'Notion',
    sourceTypes: ['technical_docs'],
    auth: 'token',
    config: notionConfig,
    cursor: notionCursor,
    schedule: '*/20 * * * *',
    deletions: 'inventory',
    inventoryEveryMs: DAY_MS,
    // The search promises no completeness, and a page that is edited meanwhile moves to its beginning.
    missingMayExist: true,
    vanished: 'forget',
    provider: 'notion',
    // Three requests a second on average.
    quotas: { api: { perMinute: 180, atOnce: 3 } },
    version: 1,
    quietPeriodMs: 10 * 60_000,
    selection: ({ since }) => since?.toISOString() ?? null,
    listing: {
      summary: 'Pages and database entries that you share with your integration.',
      icon: 'file',
      group: 'Work',
      partNoun: { one: 'workspace', many: 'workspaces' },
      tokenSteps: [
        'Open https://www.notion.so/profile/integrations, "New integration", type "Internal", and choose your workspace. Only workspace owners may; ask one otherwise.',
        'Under "Capabilities", leave only "Read content" and "Read user information without email addresses".',
        'Under "Access", choose the pages to sync; pages inside them are included.',
        'Copy the "Internal Integration Secret"; it starts with ntn_ or secret_.',
      ],
    },
    documentation: {
      item: 'a page with its text, or an entry of a database with its properties; files by name only',
      removed: 'within a day, also when a page is no longer shared with the integration',
      needs: 'the secret of an internal integration',
      api: 'Notion API 2022-06-28: search, blocks',
      cursor: 'the time of the last run',
      limits:
        'three requests a second, which is respected; comments are left out; pages of more than 5,000 blocks are cut off',
      verified: 'local fake server with limits and faults',
    },
  },

  async check(context) {
    const { id, name, bot } = await ask({ path: 'users/me', answer: meAnswer, asked: 'your account' }, context)
    return { account: bot?.workspace_id ?? id, title: bot?.workspace_name ?? name ?? id }
  },

  async *partitions({ account }) {
    yield { id: 'workspace', title: account.title ?? 'Notion' }
  },

  async *changes(_partition, cursor, context) {
    const begun = cursor?.scan?.begun ?? context.clock().toISOString()
    const known = cursor?.readAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(cursor.readAt) - OVERLAP_MS
    const from = Math.max(known, context.config.since?.getTime() ?? Number.NEGATIVE_INFINITY)
    for await (const { pages, next } of searchPages(cursor?.scan?.after, context)) {
      const isNew = (page: NotionPage) => page.last_edited_time.getTime() >= from
      for (const page of pages.taken.filter(isNew)) yield changeOf(page, context)
      for (const row of pages.odd) yield oddRowChange('Notion', idRef(row.id), row)
      if (next === undefined || !pages.taken.every(isNew)) break
      yield {
        type: 'checkpoint',
        cursor: { ...(cursor?.readAt && { readAt: cursor.readAt }), scan: { after: next, begun } },
      }
    }
    yield { type: 'checkpoint', cursor: { readAt: begun } }
  },

  async read({ locator }, context) {
    if (locator === undefined) return undefined
    const request = { path: `pages/${locator}`, answer: pageAnswer, asked: 'a page' }
    const page = await askOptional({ ...request, absent: [404] }, context)
    return page === undefined || isGone(page) || !isSince(page, context) ? undefined : pageItem(page, context)
  },

  async *inventory(_partition, context): AsyncGenerator<ItemRef> {
    for await (const { pages } of searchPages(undefined, context)) {
      for (const page of pages.taken) if (!isGone(page) && isSince(page, context)) yield pageRef(page)
      for (const { id } of pages.odd) yield idRef(id)
    }
  },
}

type NotionRequest<T> = Pick<JsonRequest<T>, 'answer' | 'asked' | 'absent' | 'body'> & { readonly path: string }

async function askOptional<T>(
  { path, ...request }: NotionRequest<T>,
  context: CheckContext<NotionConfig>,
): Promise<T | undefined> {
  const access = tokenAccess(context, { provider: 'notion', family: 'notion', scopes: [] }, 'Notion')
  const headers = (token: string) => ({ authorization: `Bearer ${token}`, 'notion-version': VERSION })
  const url = new URL(path, context.config.api_url.replace(/\/*$/, '/'))
  return (await requestJson({ title: 'Notion', api: 'api', access, headers }, { ...request, url }, context))?.answer
}

async function ask<T>(request: NotionRequest<T>, context: CheckContext<NotionConfig>): Promise<T> {
  const found = await askOptional(request, context)
  if (found === undefined) throw new SourceError('retry', `Notion sent no answer for ${request.asked}.`)
  return found
}

/** Newest edit first. @param after where to go on; Notion refuses one that is too old */
async function* searchPages(
  after: string | undefined,
  context: Context<NotionConfig>,
): AsyncGenerator<{ readonly pages: ListedRows<NotionPage>; readonly next: string | undefined }> {
  for (let from = after; ; ) {
    const body = {
      filter: { property: 'object', value: 'page' },
      sort: { timestamp: 'last_edited_time', direction: 'descending' },
      page_size: PER_PAGE,
      ...(from !== undefined && { start_cursor: from }),
    }
    const absent = from === undefined ? [] : [400]
    const answer = await askOptional(
      { path: 'search', body, answer: searchAnswer, asked: 'your pages', absent },
      context,
    )
    if (answer === undefined) throw new SourceError('restart', 'Notion no longer accepts where the listing stopped.')
    const next = followingPage(answer, from, 'your pages')
    const { taken, odd } = answer.results
    yield { pages: { taken: taken.filter(({ object }) => object === 'page'), odd }, next }
    if (next === undefined) return
    from = next
  }
}

function followingPage(
  { has_more: hasMore, next_cursor: cursor }: NotionPaging,
  before: string | undefined,
  asked: string,
): string | undefined {
  return nextPage({ hasMore, cursor, before }, { title: 'Notion', asked })
}

function isSince({ last_edited_time: editedAt }: NotionPage, { config: { since } }: Context<NotionConfig>): boolean {
  return since === undefined || editedAt >= since
}

function isGone({ archived, in_trash: isTrashed }: NotionPage): boolean {
  return archived === true || isTrashed === true
}

function changeOf(page: NotionPage, context: Context<NotionConfig>): Change<NotionCursor> {
  return isGone(page) ? { type: 'gone', ref: pageRef(page) } : { type: 'item', item: pageItem(page, context) }
}

function pageRef(page: NotionPage): ItemRef & { readonly title: string } {
  return { ...idRef(page.id), title: pageTitle(page) }
}

function idRef(id: string): ItemRef {
  return { sourceType: 'technical_docs', itemId: sourceItemId('notion', id.replaceAll('-', '')), locator: id }
}

function pageItem(page: NotionPage, context: Context<NotionConfig>): SourceItem {
  const { url, created_by: author, created_time: createdAt, last_edited_time: updatedAt } = page
  return {
    ...pageRef(page),
    revision: updatedAt.toISOString(),
    ...(url && { url }),
    ...(author?.name && { author: author.name }),
    where: context.account.title ?? 'Notion',
    visibility: 'shared',
    createdAt,
    updatedAt,
    body: async () => {
      const lines = propertyLines(page)
      const count = { blocks: 0 }
      const text = blocksText(await childrenOf(page.id, 0, count, context))
      const cut = count.blocks > MOST_BLOCKS ? 'The rest of this page was left out: it has more than 5,000 blocks.' : ''
      return `${[lines.join('\n'), text, cut].filter(Boolean).join('\n\n')}\n`
    },
  }
}

/** @param count of the whole page */
async function childrenOf(
  id: string,
  depth: number,
  count: { blocks: number },
  context: Context<NotionConfig>,
): Promise<BlockTree[]> {
  const trees: BlockTree[] = []
  for (let from: string | undefined; ; ) {
    const query = new URLSearchParams({
      page_size: String(PER_PAGE),
      ...(from !== undefined && { start_cursor: from }),
    })
    const request = { path: `blocks/${id}/children?${query}`, answer: blocksAnswer, asked: 'the text of a page' }
    const answer = await askOptional({ ...request, absent: [404] }, context)
    if (answer === undefined) {
      // If the page itself is gone, a later run finds out; blocks in it may be hidden.
      if (depth === 0) throw incompleteResponse({ title: 'Notion', asked: request.asked })
      return trees
    }
    count.blocks += answer.results.length
    const isDeep = depth >= MOST_DEPTH || count.blocks > MOST_BLOCKS
    const withChildren = mapInOrder(answer.results, BRANCHES_AT_ONCE, async (block) => {
      // Pages inside are items of their own.
      const isPage = block.type === 'child_page' || block.type === 'child_database'
      const isLeaf = !block.has_children || isPage || isDeep
      return { block, children: isLeaf ? [] : await childrenOf(block.id, depth + 1, count, context) }
    })
    for await (const tree of withChildren) trees.push(tree)
    if (count.blocks > MOST_BLOCKS) return trees
    from = followingPage(answer, from, request.asked)
    if (from === undefined) return trees
  }
}
