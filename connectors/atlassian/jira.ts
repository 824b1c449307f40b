import { z } from 'zod'
import type { Connector, Context, ItemRef, Partition, SourceItem } from '../../src/connector/connector.ts'
import { chosenParts, listedPart } from '../../src/connector/listed-parts.ts'
import { listedRows, oddRowChange } from '../../src/connector/listed-rows.ts'
import { incompleteResponse, nextPage } from '../../src/connector/next-page.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { adfText } from './adf-text.ts'
import {
  ATLASSIAN_TOKEN_STEPS,
  type AtlassianConfig,
  type AtlassianCursor,
  absentIn,
  askAtlassian,
  atlassianAccount,
  atlassianConfig,
  atlassianCursor,
  isSince,
} from './atlassian-api.ts'

const DAY_MS = 24 * 60 * 60_000
const MINUTE_MS = 60_000
/** Jira compares times to the minute. */
const OVERLAP_MINUTES = 5

const text = z.string().nullish().catch(undefined)
const time = z
  .string()
  .transform((value) => new Date(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')))
  .pipe(z.date())
const person = z.looseObject({ displayName: text }).nullish().catch(undefined)
const named = z.looseObject({ name: text }).nullish().catch(undefined)
const namedList = z
  .array(z.looseObject({ name: text }))
  .nullish()
  .catch(undefined)

const issue = z.looseObject({
  id: z.string().min(1),
  key: z.string().min(1),
  fields: z.looseObject({
    summary: text,
    description: z.unknown().optional(),
    created: time,
    updated: time,
    duedate: text,
    status: named,
    priority: named,
    issuetype: named,
    assignee: person,
    reporter: person,
    labels: z.array(z.string()).nullish().catch(undefined),
    components: namedList,
    fixVersions: namedList,
    parent: z
      .looseObject({ key: text, fields: z.looseObject({ summary: text }).optional() })
      .nullish()
      .catch(undefined),
    project: z.looseObject({ id: text, name: text }).nullish().catch(undefined),
  }),
})
type Issue = z.infer<typeof issue>
const FIELDS = Object.keys(issue.shape.fields.shape)

const paging = { nextPageToken: z.string().nullish(), isLast: z.boolean().nullish() }
const searchAnswer = z.looseObject({ issues: listedRows(issue, 'id'), ...paging })
const idsAnswer = z.looseObject({ issues: z.array(z.looseObject({ id: z.string().min(1), key: text })), ...paging })
const projectsAnswer = z.looseObject({ values: z.array(listedPart), isLast: z.boolean(), total: z.number().optional() })
const comment = z.looseObject({ author: person, body: z.unknown(), created: time.optional().catch(undefined) })
const commentsAnswer = z.looseObject({ comments: z.array(comment), total: z.number() })

/** Issues of Jira Cloud with their comments. */
export const jira: Connector<AtlassianConfig, AtlassianCursor> = {
  manifest: {
    id: 'jira',
    title: 'Jira',
    sourceTypes: ['tasks'],
    auth: 'token',
    config: atlassianConfig('projects'),
    cursor: atlassianCursor,
    schedule: '*/15 * * * *',
    deletions: 'inventory',
    inventoryEveryMs: DAY_MS,
    // The search is a little behind, and an issue that changes while it is read moves to its first page.
    missingMayExist: true,
    vanished: 'forget',
    provider: 'atlassian',
    quotas: { jira: { atOnce: 4 } },
    version: 1,
    quietPeriodMs: 10 * MINUTE_MS,
    selection: ({ site, since, include, exclude }) => ({ site, since: since?.toISOString(), include, exclude }),
    listing: {
      summary: 'Issues of the projects you see, with their comments.',
      icon: 'check',
      group: 'Work',
      partNoun: { one: 'project', many: 'projects' },
      tokenSteps: ATLASSIAN_TOKEN_STEPS,
    },
    documentation: {
      item: 'an issue with its description, state and comments',
      removed: 'within a day',
      needs: 'the address of your site, your email address and an API token',
      api: 'Jira Cloud REST API 3: search/jql, comments, project/search',
      cursor: 'the time of the last run',
      limits: '`Retry-After` is respected; files by name only; Jira Data Center is not supported',
      verified: 'local fake server with limits and faults',
    },
  },

  check: (context) => atlassianAccount(context, 'Jira'),

  async *partitions(context) {
    const asked = 'your projects'
    const listed = new Set<string>()
    let total: number | undefined
    for (let from = 0, isLast = false; !isLast; ) {
      const path = `rest/api/3/project/search?startAt=${from}&maxResults=50&orderBy=key`
      const found = await askAtlassian('Jira', { path, answer: projectsAnswer, asked }, context)
      const { values = [], isLast: isEnd = false, total: stated = listed.size + values.length } = found ?? {}
      total ??= stated
      for (const { id } of values) listed.add(id)
      isLast = isEnd
      // A project that the pages skip would look lost.
      if ((values.length === 0 && !isLast) || (isLast && (stated < total || listed.size < stated)))
        throw incompleteResponse({ title: 'Jira', asked })
      yield* chosenParts(values, 'Jira project', context)
      from += values.length
    }
  },

  async *changes(partition, cursor, context) {
    const begun = cursor?.scan?.begun ?? context.clock().toISOString()
    const jql = query(partition, context, cursor?.readAt)
    for (let after = cursor?.scan?.after; ; ) {
      const found = await search(jql, after, FIELDS, searchAnswer, context)
      for (const one of found.issues.taken) yield { type: 'item', item: issueItem(one, context) }
      for (const row of found.issues.odd) yield oddRowChange('Jira', issueRef(row.id, undefined, context), row)
      after = followingPage(found, after)
      if (after === undefined) break
      yield { type: 'checkpoint', cursor: { ...(cursor?.readAt && { readAt: cursor.readAt }), scan: { after, begun } } }
    }
    yield { type: 'checkpoint', cursor: { readAt: begun } }
  },

  async read({ locator, partition }, context) {
    if (locator === undefined) return undefined
    const path = `rest/api/3/issue/${encodeURIComponent(locator)}?fields=${FIELDS.join(',')}`
    const found = await askAtlassian('Jira', { path, answer: issue, asked: 'an issue', absent: [404] }, context)
    if (found === undefined)
      return absentIn('Jira', `rest/api/3/project/${encodeURIComponent(partition.id)}`, partition, context)
    const { project, updated } = found.fields
    // The project that it moved to yields it.
    const isHere = (project?.id ?? partition.id) === partition.id
    return isHere && isSince(updated, context) ? issueItem(found, context) : undefined
  },

  async *inventory(partition, context): AsyncGenerator<ItemRef> {
    for (let after: string | undefined; ; ) {
      const found = await search(query(partition, context), after, ['id'], idsAnswer, context)
      for (const { id, key } of found.issues) yield issueRef(id, key ?? undefined, context)
      after = followingPage(found, after)
      if (after === undefined) return
    }
  },
}

async function search<T>(
  jql: string,
  nextPageToken: string | undefined,
  fields: readonly string[],
  answer: z.ZodType<T>,
  context: Context<AtlassianConfig>,
): Promise<T> {
  const body = { jql, fields, maxResults: fields.length === 1 ? 1_000 : 100, ...(nextPageToken && { nextPageToken }) }
  const request = { path: 'rest/api/3/search/jql', body, answer, asked: ISSUES, absent: nextPageToken ? [400] : [] }
  const found = await askAtlassian('Jira', request, context)
  if (found === undefined) throw new SourceError('restart', 'Jira no longer accepts where the listing stopped.')
  return found
}

const ISSUES = 'issues'

function followingPage(
  { nextPageToken: cursor, isLast }: { readonly nextPageToken?: string | null; readonly isLast?: boolean | null },
  before: string | undefined,
): string | undefined {
  const hasMore = isLast === false || (isLast !== true && Boolean(cursor))
  return nextPage({ hasMore, cursor, before }, { title: 'Jira', asked: ISSUES })
}

/** Times relative to now, because Jira takes absolute ones to be in the time zone of the person's profile. */
function query({ id }: Partition, { clock, config: { since } }: Context<AtlassianConfig>, readAt?: string): string {
  const now = clock().getTime()
  const known = readAt === undefined ? undefined : Date.parse(readAt) - OVERLAP_MINUTES * MINUTE_MS
  const times = [known, since?.getTime()].filter((at) => at !== undefined)
  const minutes = Math.ceil((now - Math.max(...times)) / MINUTE_MS)
  const changed = times.length === 0 ? '' : ` AND updated >= -${Math.max(1, minutes)}m`
  return `project = ${id}${changed} ORDER BY updated DESC`
}

function issueRef(id: string, key: string | undefined, { config }: Context<AtlassianConfig>): ItemRef {
  const itemId = sourceItemId('jira', new URL(config.site).host, id)
  return { sourceType: 'tasks', itemId, locator: id, ...(key && { title: key }) }
}

function issueItem({ id, key, fields }: Issue, context: Context<AtlassianConfig>): SourceItem {
  const { summary, created, updated, reporter, assignee, project } = fields
  const people = [reporter, assignee].flatMap((who) => who?.displayName ?? [])
  return {
    ...issueRef(id, key, context),
    title: `${key} ${summary ?? ''}`.trim(),
    // Comments change it too.
    revision: updated.toISOString(),
    url: `${context.config.site}/browse/${key}`,
    ...(reporter?.displayName && { author: reporter.displayName }),
    people: [...new Set(people)],
    ...(project?.name && { where: project.name, parents: [project.name] }),
    visibility: 'shared',
    createdAt: created,
    updatedAt: updated,
    body: async () => {
      const said = await commentTexts(id, created, context)
      return `${[adfText(fields.description), stateLine(fields), ...said].filter(Boolean).join('\n\n')}\n`
    },
  }
}

/** @param issueAt when the issue was created: the time of a comment without one */
async function commentTexts(id: string, issueAt: Date, context: Context<AtlassianConfig>): Promise<string[]> {
  const texts: string[] = []
  for (let from = 0; ; ) {
    const path = `rest/api/3/issue/${id}/comment?startAt=${from}&maxResults=100&orderBy=created`
    const request = { path, answer: commentsAnswer, asked: 'the comments of an issue', absent: [404] }
    const found = await askAtlassian('Jira', request, context)
    // If the issue itself is gone, a later run finds out.
    if (found === undefined) throw incompleteResponse({ title: 'Jira', asked: request.asked })
    for (const { author, created, body } of found.comments) {
      const said = adfText(body).replace(/^(#{2,4} [^\n]{1,80} by \S)/gm, '\\$1')
      if (said !== '')
        texts.push(`## Comment by ${author?.displayName ?? 'Somebody'} at ${(created ?? issueAt).toISOString()}`, said)
    }
    from += found.comments.length
    if (found.comments.length === 0 || from >= found.total) return texts
  }
}

function stateLine(fields: Issue['fields']): string {
  const names = (of: Issue['fields']['components']) => (of ?? []).flatMap(({ name }) => name ?? []).join(', ')
  const facts = [
    ['Type', fields.issuetype?.name],
    ['State', fields.status?.name],
    ['Assignee', fields.assignee?.displayName],
    ['Priority', fields.priority?.name],
    ['Due', fields.duedate],
    ['Components', names(fields.components)],
    ['Versions', names(fields.fixVersions)],
    ['Labels', (fields.labels ?? []).join(', ')],
    ['Part of', fields.parent && [fields.parent.key, fields.parent.fields?.summary].filter(Boolean).join(' ')],
  ]
  return facts.flatMap(([label, value]) => (value ? [`${label}: ${value}.`] : [])).join(' ')
}
