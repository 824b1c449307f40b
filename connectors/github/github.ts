import type {
  Change,
  Connector,
  Context,
  ItemRef,
  Partition,
  SourceItem,
  StoredRef,
} from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { discussionChanges, discussionInventory, readDiscussionItem } from './discussion-changes.ts'
import { documentChanges, documentInventory, readDocumentItem } from './document-changes.ts'
import { githubAccount, githubDeviceToken } from './github-account.ts'
import type { Repository } from './github-answers.ts'
import {
  type CursorOf,
  GITHUB_NEED,
  type GithubConfig,
  type GithubCursor,
  githubConfig,
  githubCursor,
} from './github-config.ts'
import { type GithubGateway, gatewayOf } from './github-gateway.ts'
import { GraphqlState } from './graphql-state.ts'
import { issueChanges, issueInventory, readIssueItem } from './issue-changes.ts'
import { readReleaseItem, releaseChanges, releaseInventory } from './release-changes.ts'
import { configuredRepositories, repositoryById, repositoryChoices } from './repositories.ts'
import type { RepositorySource } from './repository-source.ts'

const DAY_MS = 24 * 60 * 60_000
const GROUPS = ['issues', 'discussions', 'releases', 'documents'] as const
type Group = (typeof GROUPS)[number]

/** Opens the form for a token with everything filled in but the repositories. */
const GITHUB_TOKEN_LINK = `https://github.com/settings/personal-access-tokens/new?${new URLSearchParams({
  name: 'recalld',
  description: 'recalld reads what you choose, and never writes.',
  expires_in: '366',
  ...Object.fromEntries(
    ['metadata', 'issues', 'pull_requests', 'contents', 'discussions'].map((permission) => [permission, 'read']),
  ),
})}`

/** Issues, pull requests, discussions, releases and documents of GitHub and GitHub Enterprise. */
export const github: Connector<GithubConfig, GithubCursor> = {
  manifest: {
    id: 'github',
    title: 'GitHub',
    sourceTypes: ['github'],
    auth: 'token',
    config: githubConfig,
    cursor: githubCursor,
    schedule: '*/15 * * * *',
    deletions: 'inventory',
    inventoryEveryMs: DAY_MS,
    vanished: 'forget',
    provider: 'github',
    // 900 points a minute for REST and 2,000 for GraphQL, one a request that reads; at most 100 at once. A query of many
    // pull requests keeps GitHub's processors busy, of which it allows a minute in each minute.
    quotas: { core: { atOnce: 8, perMinute: 900 }, graphql: { atOnce: 4, perMinute: 2_000 } },
    version: 1,
    quietPeriodMs: 10 * 60_000,
    recentRead: (cursor, since) =>
      (cursor.kind === 'issues-walk' &&
        (cursor.reached === undefined || Date.parse(cursor.reached) < since.getTime())) ||
      (cursor.kind === 'discussions-walk' && cursor.recentRead === true),
    selection: ({ repositories, exclude, kinds, bots, documents, since }) => ({
      repositories,
      exclude,
      kinds,
      bots,
      documents,
      since: since?.toISOString(),
    }),
    grant: { ...GITHUB_NEED, scopes: () => GITHUB_NEED.scopes },
    listing: {
      summary: 'Issues, pull requests, discussions, releases and documents of your repositories.',
      icon: 'pull-request',
      group: 'Work',
      partNoun: { one: 'repository', many: 'repositories' },
      tokenSteps: [
        `Open this link for a fine-grained token; name, expiration and read-only permissions are filled in: ${GITHUB_TOKEN_LINK}`,
        'Choose the owner of the repositories and the repositories to sync. The permissions are: Metadata, Issues, Pull requests, Contents, Discussions.',
        'Generate the token and copy it; it starts with github_pat_. For an organization, an owner may have to approve it first, under "Personal access tokens", "Pending requests"; until then its private repositories are missing.',
      ],
    },
    documentation: {
      item: 'an issue, pull request or discussion (one item per 60 comments), a release, a text file of the default branch',
      removed: 'within a day; files at the next sync after a push',
      api: 'GitHub REST 2022-11-28 and GraphQL: issues, comments, releases, discussions, git trees',
      cursor: 'update time of the last issue; ETags; digests of files and discussions',
      limits: '5,000 requests per hour; secondary limits are respected',
      verified: 'local fake server with limits and faults; simulation; recorded responses',
      needs:
        'a token of a person, or an installed app, with read access to metadata, issues, pull requests, contents and discussions',
    },
  },
  check: githubAccount,
  partitions,
  changes,
  read,
  inventory,
  deviceToken: githubDeviceToken,
  choosing: { setting: 'repositories', choices: (context) => repositoryChoices(gatewayOf(context), context.config) },
}

async function* partitions(context: Context<GithubConfig>): AsyncGenerator<Partition> {
  const { gateway, repositories } = runOf(context)
  const { found, missing } = await configuredRepositories(gateway, context)
  for (const repository of found) {
    repositories.set(repository.id, repository)
    for (const group of GROUPS) {
      if (!includesGroup(group, repository, context.config)) continue
      yield { id: `${repository.id}:${group}`, title: `${repository.full_name} ${group}` }
    }
  }
  // GitHub answers 404 without access too. While the settings name it, its partitions report the error, and its items stay.
  const names = missing.map((name) => `${name} `.toLowerCase())
  for (const known of names.length === 0 ? [] : await context.knownPartitions()) {
    const isListed = found.some(({ id }) => known.id.startsWith(`${id}:`))
    const isChosen = GROUPS.some((group) => known.id.endsWith(`:${group}`) && isGroupChosen(group, context.config))
    if (!isListed && isChosen && names.some((name) => known.title.toLowerCase().startsWith(name))) yield known
  }
}

function includesGroup(group: Group, repository: Repository, config: GithubConfig): boolean {
  return isGroupChosen(group, config) && (group !== 'discussions' || repository.has_discussions === true)
}

function isGroupChosen(group: Group, { kinds, documents }: GithubConfig): boolean {
  if (group === 'issues') return kinds.includes('issues') || kinds.includes('pull_requests')
  if (group === 'documents') return kinds.includes('documents') && documents.length > 0
  return kinds.includes(group)
}

async function* changes(
  partition: Partition,
  cursor: GithubCursor | undefined,
  context: Context<GithubConfig>,
): AsyncGenerator<Change<GithubCursor>> {
  const { source, group } = await openPartition(partition, context)
  switch (group) {
    case 'issues':
      return yield* issueChanges(source, own(cursor, 'issues', 'issues-walk'))
    case 'discussions':
      return yield* discussionChanges(source, own(cursor, 'discussions', 'discussions-walk'))
    case 'releases':
      return yield* releaseChanges(source, own(cursor, 'releases'))
    case 'documents':
      return yield* documentChanges(source, own(cursor, 'documents'))
  }
}

async function* inventory(partition: Partition, context: Context<GithubConfig>): AsyncGenerator<ItemRef> {
  const { source, group } = await openPartition(partition, context)
  switch (group) {
    case 'issues':
      return yield* issueInventory(source)
    case 'discussions':
      return yield* discussionInventory(source)
    case 'releases':
      return yield* releaseInventory(source)
    case 'documents':
      return yield* documentInventory(source)
  }
}

const ITEM = /^gh:(?:[0-9a-f]{10}:)?\d+:(issue|pr|disc|rel)=(\d+)(?::s=(\d+))?$/

async function read(ref: StoredRef, context: Context<GithubConfig>): Promise<SourceItem | undefined> {
  const { source } = await openPartition(ref.partition, context)
  if (ref.locator !== undefined) return readDocumentItem(source, ref.locator)
  const [, kind, value, segment = '0'] = ITEM.exec(ref.itemId) ?? []
  if (kind === 'rel') return readReleaseItem(source, Number(value))
  if (kind === 'disc') return readDiscussionItem(source, Number(value), Number(segment))
  if (kind === 'issue' || kind === 'pr') return readIssueItem(source, Number(value), Number(segment))
  throw new SourceError('skip', `${ref.title ?? ref.itemId} is not a GitHub item.`)
}

async function openPartition(partition: Partition, context: Context<GithubConfig>) {
  const { gateway, repositories, graphql } = runOf(context)
  const [id = '', name] = partition.id.split(':')
  const group = GROUPS.find((group) => group === name)
  const repository = repositories.get(Number(id)) ?? (await repositoryById(gateway, Number(id)))
  if (repository === undefined || group === undefined) {
    throw new SourceError('skip', `${partition.title} was deleted, or the token has no access to it.`)
  }
  repositories.set(repository.id, repository)
  const source: RepositorySource = { repository, partition, gateway, context, graphql }
  return { source, group }
}

/** A cursor of another group can only come from a damaged ledger. */
function own<Kind extends GithubCursor['kind']>(cursor: GithubCursor | undefined, ...kinds: readonly Kind[]) {
  if (cursor === undefined || isOneOf(cursor, kinds)) return cursor
  throw new SourceError('restart', 'The cursor belongs to a different kind of partition.')
}

function isOneOf<Kind extends GithubCursor['kind']>(
  cursor: GithubCursor,
  kinds: readonly Kind[],
): cursor is CursorOf<Kind> {
  return kinds.some((kind) => kind === cursor.kind)
}

interface GithubRun {
  readonly gateway: GithubGateway
  readonly graphql: GraphqlState
  /** Known repositories; others are requested. */
  readonly repositories: Map<number, Repository>
}

const runOf = perRun(
  (context: Context<GithubConfig>): GithubRun => ({
    gateway: gatewayOf(context),
    graphql: new GraphqlState(),
    repositories: new Map(),
  }),
)
