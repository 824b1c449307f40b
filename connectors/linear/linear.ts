import type {
  Change,
  CheckContext,
  Connector,
  Context,
  ItemRef,
  Partition,
  SourceItem,
} from '../../src/connector/connector.ts'
import { chosenParts } from '../../src/connector/listed-parts.ts'
import { type ListedRows, oddRowChange } from '../../src/connector/listed-rows.ts'
import { nextPage } from '../../src/connector/next-page.ts'
import {
  changedCommentsAnswer,
  commentsAnswer,
  identityAnswer,
  issueIdsAnswer,
  issuesAnswer,
  type LinearComment,
  type LinearIssue,
  type PageInfo,
  teamsAnswer,
} from './linear-answers.ts'
import { type LinearConfig, type LinearCursor, linearConfig, linearCursor } from './linear-config.ts'
import { linearQueries } from './linear-gateway.ts'
import { issueItem, issueRef } from './linear-issue.ts'

const DAY_MS = 24 * 60 * 60_000
/** Changes are listed this far back again, because clocks differ and writes take a moment. */
const OVERLAP_MS = 2 * 60_000
/** Issues with new comments are read this many at a time. */
const ISSUES_AT_ONCE = 40

/** Issues of Linear with their comments. */
export const linear: Connector<LinearConfig, LinearCursor> = {
  manifest: {
    id: 'linear',
    title: 'Linear',
    sourceTypes: ['tasks'],
    auth: 'token',
    config: linearConfig,
    cursor: linearCursor,
    schedule: '*/15 * * * *',
    deletions: 'inventory',
    inventoryEveryMs: DAY_MS,
    // An issue that changes while a listing is read moves to its first page.
    missingMayExist: true,
    vanished: 'forget',
    provider: 'linear',
    quotas: { graphql: { atOnce: 4 } },
    version: 1,
    quietPeriodMs: 10 * 60_000,
    selection: ({ since, include, exclude }) => ({ since: since?.toISOString(), include, exclude }),
    listing: {
      summary: 'Issues of your teams, with their comments.',
      icon: 'check',
      group: 'Work',
      partNoun: { one: 'team', many: 'teams' },
      tokenSteps: [
        'Open https://linear.app/settings/account/security and create a personal API key with the permission "Read" only.',
        'Copy the key; it starts with lin_api_. If there is no such button, an administrator has switched off personal keys under "Administration", "API".',
      ],
    },
    documentation: {
      item: 'an issue with its description, state and comments',
      removed: 'issues in the trash at the next sync, deleted ones within a day; archived ones stay',
      needs: 'a personal API key with the permission to read',
      api: 'Linear GraphQL API: issues, comments, teams',
      cursor: 'the time of the last run',
      limits:
        'Linear limits requests and their complexity per hour, which is respected; deleted comments are noticed when their issue changes',
      verified: 'local fake server with limits and faults',
    },
  },

  async check(context) {
    const { viewer, organization } = await linearQueries(context)(
      'Identity',
      {},
      { answer: identityAnswer, asked: 'your account' },
    )
    const title = `${organization.name ?? organization.id} (${viewer.email ?? viewer.name ?? viewer.id})`
    return { account: `${organization.id}:${viewer.id}`, title }
  },

  async *partitions(context) {
    for (let after: string | undefined; ; ) {
      const { teams } = await linearQueries(context)('Teams', { after }, { answer: teamsAnswer, asked: 'your teams' })
      yield* chosenParts(teams.nodes, 'Linear team', context)
      after = followingPage(teams.pageInfo, after, 'your teams')
      if (after === undefined) return
    }
  },

  async *changes(partition, cursor, context) {
    const begun = cursor?.scan?.begun ?? context.clock().toISOString()
    const from = cursor?.readAt === undefined ? undefined : new Date(Date.parse(cursor.readAt) - OVERLAP_MS)
    const seen = new Set<string>()
    for await (const { issues, endCursor } of issuePages(
      filterOf(partition, context, from),
      cursor?.scan?.after,
      context,
    )) {
      for (const { id } of [...issues.taken, ...issues.odd]) seen.add(id)
      yield* changesOf(issues, context)
      const readAt = cursor?.readAt
      if (endCursor !== undefined)
        yield { type: 'checkpoint', cursor: { ...(readAt && { readAt }), scan: { after: endCursor, begun } } }
    }
    if (from !== undefined) yield* issuesWithNewComments(partition, { from, seen }, context)
    yield { type: 'checkpoint', cursor: { readAt: begun } }
  },

  async read({ locator, partition }, context) {
    if (locator === undefined) return undefined
    const filter = { ...filterOf(partition, context), id: { eq: locator } }
    for await (const { issues } of issuePages(filter, undefined, context)) {
      const [issue] = issues.taken
      const [odd] = issues.odd.map((row) => oddRowChange('Linear', issueRef(row), row))
      if (odd?.type === 'failed') throw odd.error
      return issue && !issue.trashed ? itemOf(issue, context) : undefined
    }
    return undefined
  },

  async *inventory(partition, context): AsyncGenerator<ItemRef> {
    const filter = filterOf(partition, context)
    for (let after: string | undefined; ; ) {
      const about = { answer: issueIdsAnswer, asked: `the issues of ${partition.title}` }
      const { issues } = await linearQueries(context)('IssueIds', { filter, after }, about)
      for (const issue of issues.nodes) if (!issue.trashed) yield issueRef(issue)
      after = followingPage(issues.pageInfo, after, about.asked)
      if (after === undefined) return
    }
  },
}

function followingPage(
  { hasNextPage: hasMore, endCursor: cursor }: PageInfo,
  before: string | undefined,
  asked: string,
) {
  return nextPage({ hasMore, cursor, before }, { title: 'Linear', asked })
}

function filterOf({ id }: Partition, { config: { since } }: Context<LinearConfig>, from?: Date) {
  const times = [since, from].flatMap((time) => time?.getTime() ?? [])
  const updatedAt = times.length > 0 && { updatedAt: { gte: new Date(Math.max(...times)).toISOString() } }
  return { team: { id: { eq: id } }, ...updatedAt }
}

/** Newest change first. @param after where to go on */
async function* issuePages(
  filter: object,
  after: string | undefined,
  context: CheckContext<LinearConfig>,
): AsyncGenerator<{ readonly issues: ListedRows<LinearIssue>; readonly endCursor: string | undefined }> {
  for (let from = after; ; ) {
    const about = { answer: issuesAnswer, asked: 'issues' }
    const { issues } = await linearQueries(context)('Issues', { filter, after: from }, about)
    const next = followingPage(issues.pageInfo, from, about.asked)
    yield { issues: issues.nodes, endCursor: next }
    if (next === undefined) return
    from = next
  }
}

/** A comment does not count as a change of its issue. */
async function* issuesWithNewComments(
  { id, title }: Partition,
  { from, seen }: { readonly from: Date; readonly seen: Set<string> },
  context: Context<LinearConfig>,
): AsyncGenerator<Change<LinearCursor>> {
  const filter = { updatedAt: { gte: from.toISOString() }, issue: { team: { id: { eq: id } } } }
  const ids = new Set<string>()
  for (let after: string | undefined; ; ) {
    const about = { answer: changedCommentsAnswer, asked: `the new comments of ${title}` }
    const { comments } = await linearQueries(context)('ChangedComments', { filter, after }, about)
    for (const { issue } of comments.nodes) if (issue && !seen.has(issue.id)) ids.add(issue.id)
    after = followingPage(comments.pageInfo, after, about.asked)
    if (after === undefined) break
  }
  const all = [...ids]
  for (let at = 0; at < all.length; at += ISSUES_AT_ONCE) {
    const some = { ...filterOf({ id, title }, context), id: { in: all.slice(at, at + ISSUES_AT_ONCE) } }
    for await (const { issues } of issuePages(some, undefined, context)) {
      yield* changesOf(issues, context)
    }
  }
}

function* changesOf({ taken, odd }: ListedRows<LinearIssue>, context: Context<LinearConfig>): Generator<Change<never>> {
  for (const issue of taken)
    yield issue.trashed ? { type: 'gone', ref: issueRef(issue) } : { type: 'item', item: itemOf(issue, context) }
  for (const row of odd) yield oddRowChange('Linear', issueRef(row), row)
}

function itemOf(issue: LinearIssue, context: Context<LinearConfig>): SourceItem {
  return issueItem(issue, async () => {
    const more: LinearComment[] = []
    const asked = `the comments of ${issue.identifier}`
    for (let after = followingPage(issue.comments.pageInfo, undefined, asked); after !== undefined; ) {
      const about = { answer: commentsAnswer, asked }
      const { comments } = (await linearQueries(context)('Comments', { id: issue.id, after }, about)).issue
      more.push(...comments.nodes)
      after = followingPage(comments.pageInfo, after, asked)
    }
    return more
  })
}
