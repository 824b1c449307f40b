import type { Connector, Context, ItemRef, Partition, SourceItem } from '../../src/connector/connector.ts'
import { type OddRow, oddRowChange } from '../../src/connector/listed-rows.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import {
  firstPage,
  type GitlabProject,
  gitlabRequests,
  listingPages,
  projectAnswer,
  repeatedPage,
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
import { namedThread, type ThreadProject, threadItem, threadRef } from './gitlab-thread.ts'

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
    // A thread that changes while a listing is read moves to its first page.
    missingMayExist: true,
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

  /** Issues and merge requests are separate partitions, because a token may list only one of them. */
  async *partitions(context) {
    const { chosen, odd } = await projects(context)
    for (const { id, ...project } of chosen.values()) {
      for (const kind of KINDS)
        if (project[`${kind}_enabled`] !== false) yield listedPart(id, kind, project.path_with_namespace)
    }
    // Left out, it would look lost; its own run says what is wrong with it.
    const known = odd.length === 0 ? [] : await context.knownPartitions()
    for (const { id } of odd) {
      const parts = known.filter((one) => ofPart(one).project === id)
      if (parts.length > 0) yield* parts
      else if (context.config.include === undefined) yield* KINDS.map((kind) => listedPart(id, kind, `project ${id}`))
    }
  },

  async *changes(partition, cursor, context) {
    const begun = cursor?.scan?.begun ?? context.clock().toISOString()
    const readAt = cursor?.readAt
    const since = readAt === undefined ? undefined : new Date(Date.parse(readAt) - OVERLAP_MS)
    const { kind, place } = await openPart(partition, context)
    for await (const { found, next } of threadPages(kind, place, { since, from: cursor?.scan?.page ?? 1 })) {
      for (const thread of found.taken) yield { type: 'item', item: threadItem(kind, thread, place) }
      for (const row of found.odd) yield oddThread(kind, row, place)
      if (next === undefined) continue
      yield { type: 'checkpoint', cursor: { ...(readAt && { readAt }), scan: { page: next, begun } } }
    }
    yield { type: 'checkpoint', cursor: { readAt: begun } }
  },

  async read({ itemId, partition }, context): Promise<SourceItem | undefined> {
    const named = namedThread(itemId)
    if (named === undefined) return undefined
    const { place } = await openPart(partition, context)
    // Through the listing: GitLab answers 404 for a single thread both when it was deleted and when access is missing.
    for await (const { found } of threadPages(named.kind, place, { iid: named.iid })) {
      const [odd] = found.odd.map((row) => oddThread(named.kind, row, place))
      if (odd?.type === 'failed') throw odd.error
      return found.taken[0] && threadItem(named.kind, found.taken[0], place)
    }
    return undefined
  },

  async *inventory(partition, context): AsyncGenerator<ItemRef> {
    const { kind, place } = await openPart(partition, context)
    for await (const { found } of threadPages(kind, place, {})) {
      for (const thread of found.taken) yield threadRef(kind, thread, place)
      for (const { id } of found.odd) yield threadRef(kind, { iid: Number(id), title: '' }, place)
    }
  },
}

function listedPart(project: number | string, kind: GitlabKind, path: string): Partition {
  return { id: `${project}:${kind}`, title: `${path} ${kindTitle(kind)}` }
}

function ofPart({ id }: Partition): { readonly project: string; readonly kind: GitlabKind } {
  const [project = '', name] = id.split(':')
  return { project, kind: KINDS.find((kind) => kind === name) ?? 'issues' }
}

function kindTitle(kind: GitlabKind): string {
  return kind.replace('_', ' ')
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
  // By id and not by page: where one is deleted meanwhile, a page number would skip another, which would look lost.
  for (let after = 0, isLast = false; !isLast; ) {
    const query = { membership: true, order_by: 'id', sort: 'asc', ...(after > 0 && { id_after: after }) }
    const { found, next } = await firstPage(request, query, context)
    odd.push(...found.odd)
    for (const project of found.taken)
      if (includesProject(project.path_with_namespace, context.config)) chosen.set(String(project.id), project)
    const last = Math.max(after, ...[...found.taken, ...found.odd].map(({ id }) => Number(id)))
    isLast = next === undefined
    // Not a number: one of them has an id in an unexpected form.
    if (!isLast && !(last > after)) throw repeatedPage(request.asked)
    after = last
  }
  return { chosen, odd }
})

/** @throws SourceError `skip` for a project in an unexpected form */
async function openPart(partition: Partition, context: Context<GitlabConfig>) {
  const { project: id, kind } = ofPart(partition)
  const { chosen, odd } = await projects(context)
  const row = odd.find((one) => one.id === id)
  if (row !== undefined)
    throw new SourceError('skip', `GitLab sent project ${id} in an unexpected form (${row.field}), so it was not read.`)
  const project = chosen.get(id)
  const path = project?.path_with_namespace ?? partition.title.replace(/ (?:issues|merge requests)$/, '')
  return { kind, place: { projectId: id, path, project, context } }
}

function oddThread(kind: GitlabKind, row: OddRow, place: ThreadProject) {
  return oddRowChange('GitLab', threadRef(kind, { iid: Number(row.id), title: '' }, place), row)
}

/** Newest change first. @throws SourceError `skip` when the token may not list them */
async function* threadPages(
  kind: GitlabKind,
  { projectId, path: title, context }: ThreadProject,
  { since, from, iid }: { readonly since?: Date | undefined; readonly from?: number; readonly iid?: string },
) {
  const times = [since, context.config.since].flatMap((time) => time?.getTime() ?? [])
  const updatedAfter = times.length === 0 ? undefined : new Date(Math.max(...times)).toISOString()
  const order = { order_by: 'updated_at', sort: 'desc' }
  const query = { scope: 'all', state: 'all', ...order, updated_after: updatedAfter, 'iids[]': iid }
  const listing = kindTitle(kind)
  const request = { path: `projects/${projectId}/${kind}`, element: threadAnswer, id: 'iid' }
  try {
    yield* listingPages({ ...request, asked: `the ${listing} of ${title}` }, query, context, from)
  } catch (cause) {
    if (!(cause instanceof SourceError) || cause.remedy !== 'skip') throw cause
    const problem = `The ${listing} of ${title} can't be listed, so their changes and deletions are not synced. Give the token more rights, or add the project to exclude.`
    throw new SourceError('skip', problem, { cause })
  }
}
