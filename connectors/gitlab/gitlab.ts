import type { Change, Connector, Context, ItemRef, Partition, SourceItem } from '../../src/connector/connector.ts'
import { type OddRow, oddRowChange } from '../../src/connector/listed-rows.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import {
  type GitlabProject,
  gitlabRequests,
  listingPages,
  projectAnswer,
  threadAnswer,
  userAnswer,
} from './gitlab-api.ts'
import {
  type GitlabConfig,
  type GitlabCursor,
  type GitlabKind,
  gitlabConfig,
  gitlabCursor,
  includesProject,
  KINDS,
} from './gitlab-config.ts'
import { namedThread, threadItem, threadRef } from './gitlab-thread.ts'

const DAY_MS = 24 * 60 * 60_000
const OVERLAP_MS = 2 * 60_000

/** Issues and merge requests of GitLab with their comments. */
export const gitlab: Connector<GitlabConfig, GitlabCursor> = {
  manifest: {
    id: 'gitlab',
    title: 'GitLab',
    sourceTypes: ['github'],
    auth: 'token',
    config: gitlabConfig,
    cursor: gitlabCursor,
    schedule: '*/15 * * * *',
    deletions: 'inventory',
    inventoryEveryMs: DAY_MS,
    vanished: 'forget',
    provider: 'gitlab',
    quotas: { rest: { atOnce: 6 } },
    version: 1,
    quietPeriodMs: 10 * 60_000,
    selection: ({ site, since, include, exclude }) => ({ site, since: since?.toISOString(), include, exclude }),
    listing: {
      summary: 'Issues and merge requests of your projects, with their comments.',
      icon: 'code',
      group: 'Work',
      partNoun: { one: 'project', many: 'projects' },
      tokenSteps: [
        'Open https://gitlab.com/-/user_settings/personal_access_tokens?name=recalld&scopes=read_api (or the same page of your own GitLab, which goes into the setting `site`); name and scope are filled in.',
        'Choose an expiration, create the token and copy it; it starts with glpat-. If a group forbids personal tokens, ask an owner for a group access token with the role Reporter and the scope read_api.',
      ],
    },
    documentation: {
      item: 'an issue or merge request with its description, state and comments',
      removed: 'within a day',
      needs: 'a personal access token with the scope read_api',
      api: 'GitLab REST API v4: projects, issues, merge_requests, notes',
      cursor: 'the time of the last run',
      limits: '`Retry-After` and `RateLimit-Reset` are respected; files and wikis are left out',
      verified: 'local fake server with limits and faults',
    },
  },

  async check(context) {
    const found = await gitlabRequests(context)({ path: 'user', answer: userAnswer, asked: 'your account' })
    if (found === undefined) throw new SourceError('retry', 'GitLab sent no account.')
    const { id, username, name } = found.answer
    const { host } = new URL(context.config.site)
    return { account: `${host}:${id}`, title: `${host} (${username ?? name ?? id})` }
  },

  async *partitions(context) {
    const { chosen, odd } = await projects(context)
    for (const project of chosen.values()) yield { id: String(project.id), title: project.path_with_namespace }
    // Left out, it would look lost; its own run says what is wrong with it.
    const known = odd.length === 0 ? [] : await context.knownPartitions()
    for (const { id } of odd) {
      const found = known.find((one) => one.id === id)
      if (found !== undefined || context.config.include === undefined) yield found ?? { id, title: `project ${id}` }
    }
  },

  async *changes(partition, cursor, context) {
    const begun = cursor?.scan?.begun ?? context.clock().toISOString()
    const readAt = cursor?.readAt
    const known = readAt === undefined ? undefined : new Date(Date.parse(readAt) - OVERLAP_MS)
    const kinds = await listedKinds(partition, context)
    const unread = new Set(cursor?.refused)
    let refused: SourceError | undefined
    let broken: SourceError | undefined
    for (const kind of kinds.slice(Math.max(0, kinds.indexOf(cursor?.scan?.kind ?? 'issues')))) {
      const from = cursor?.scan?.kind === kind ? cursor.scan.page : 1
      const since = unread.has(kind) ? undefined : known
      try {
        for await (const { found, next } of threadPages(kind, partition, { since, from }, context)) {
          for (const thread of found.taken) yield { type: 'item', item: await itemOf(kind, thread, partition, context) }
          for (const row of found.odd) yield oddThread(kind, row, partition, context)
          if (next === undefined || broken !== undefined) continue
          const kept = { ...(readAt && { readAt }), refused: [...unread] }
          yield { type: 'checkpoint', cursor: { ...kept, scan: { kind, page: next, begun } } }
        }
        unread.delete(kind)
      } catch (error) {
        if (!isOfOneListing(error)) throw error
        if (error.remedy !== 'skip') broken ??= error
        else {
          unread.add(kind)
          refused ??= refusal(kind, partition, error)
        }
      }
    }
    // After everything else of the project was read; the cursor stays where it was.
    if (broken !== undefined) throw broken
    yield { type: 'checkpoint', cursor: { readAt: begun, refused: [...unread] } }
    // Nothing is compared then, so that nothing of that listing counts as deleted.
    if (refused !== undefined) throw refused
  },

  async read({ itemId, partition }, context): Promise<SourceItem | undefined> {
    const named = namedThread(itemId)
    if (named === undefined) return undefined
    // Through the listing: GitLab answers 404 for a single thread both when it was deleted and when access is missing.
    for await (const { found } of threadPages(named.kind, partition, { iid: named.iid }, context)) {
      const [odd] = found.odd.map((row) => oddThread(named.kind, row, partition, context))
      if (odd?.type === 'failed') throw odd.error
      return found.taken[0] && itemOf(named.kind, found.taken[0], partition, context)
    }
    return undefined
  },

  async *inventory(partition, context): AsyncGenerator<ItemRef> {
    for (const kind of await listedKinds(partition, context)) {
      for await (const { found } of threadPages(kind, partition, {}, context)) {
        for (const thread of found.taken) yield threadRef(kind, thread, partition, context)
        for (const { id } of found.odd) yield threadRef(kind, { iid: Number(id), title: '' }, partition, context)
      }
    }
  },
}

interface Projects {
  readonly chosen: ReadonlyMap<string, GitlabProject>
  /** In an unexpected form. */
  readonly odd: readonly OddRow[]
}

/** Those that the settings choose, by id; listed once in a run. */
const projects = perRun(async (context: Context<GitlabConfig>): Promise<Projects> => {
  const chosen = new Map<string, GitlabProject>()
  const odd: OddRow[] = []
  const request = { path: 'projects', element: projectAnswer, id: 'id', asked: 'your projects' }
  const query = { membership: true, order_by: 'id', sort: 'asc', archived: undefined }
  for await (const { found } of listingPages(request, query, context)) {
    odd.push(...found.odd)
    for (const project of found.taken)
      if (includesProject(project.path_with_namespace, context.config)) chosen.set(String(project.id), project)
  }
  return { chosen, odd }
})

/**
 * What the project has not switched off.
 * @throws SourceError `skip` for a project in an unexpected form
 */
async function listedKinds({ id }: Partition, context: Context<GitlabConfig>): Promise<readonly GitlabKind[]> {
  const { chosen, odd } = await projects(context)
  const row = odd.find((one) => one.id === id)
  if (row !== undefined)
    throw new SourceError('skip', `GitLab sent project ${id} in an unexpected form (${row.field}), so it was not read.`)
  const project = chosen.get(id)
  return KINDS.filter((kind) => project?.[`${kind}_enabled`] !== false)
}

/** What another listing of the project may not have: missing rights, or an error of the server. */
function isOfOneListing(error: unknown): error is SourceError {
  const { remedy, limited, retryAt } = error instanceof SourceError ? error : {}
  return remedy === 'skip' || (remedy === 'retry' && limited !== true && retryAt === undefined)
}

/** Why the project can't be read completely. */
function refusal(kind: GitlabKind, { title }: Partition, cause: SourceError): SourceError {
  const listing = kind.replace('_', ' ')
  const problem = `The ${listing} of ${title} can't be listed, so they are missing, and deletions in this project are not detected. Give the token more rights, or add the project to exclude.`
  return new SourceError('skip', problem, { cause })
}

function oddThread(kind: GitlabKind, row: OddRow, partition: Partition, context: Context<GitlabConfig>) {
  return oddRowChange('GitLab', threadRef(kind, { iid: Number(row.id), title: '' }, partition, context), row)
}

/** Newest change first. */
function threadPages(
  kind: GitlabKind,
  { id, title }: Partition,
  { since, from, iid }: { readonly since?: Date | undefined; readonly from?: number; readonly iid?: string },
  context: Context<GitlabConfig>,
) {
  // A thread that is asked for by its number may be older.
  const times = (iid === undefined ? [since, context.config.since] : []).flatMap((time) => time?.getTime() ?? [])
  const updatedAfter = times.length === 0 ? undefined : new Date(Math.max(...times)).toISOString()
  const order = { order_by: 'updated_at', sort: 'desc' }
  const query = { scope: 'all', state: 'all', ...order, updated_after: updatedAfter, 'iids[]': iid }
  const asked = `the ${kind.replace('_', ' ')} of ${title}`
  const request = { path: `projects/${id}/${kind}`, element: threadAnswer, id: 'iid', asked }
  return listingPages(request, query, context, from)
}

async function itemOf(
  kind: GitlabKind,
  thread: Parameters<typeof threadItem>[1],
  partition: Partition,
  context: Context<GitlabConfig>,
): Promise<Extract<Change<GitlabCursor>, { type: 'item' }>['item']> {
  return threadItem(kind, thread, { partition, project: (await projects(context)).chosen.get(partition.id), context })
}
