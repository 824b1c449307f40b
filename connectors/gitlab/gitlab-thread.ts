import type { Context, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { type GitlabProject, type GitlabThread, listingPages, noteAnswer } from './gitlab-api.ts'
import type { GitlabConfig, GitlabKind } from './gitlab-config.ts'

const MARKS: Readonly<Record<GitlabKind, { readonly id: string; readonly sign: string; readonly noun: string }>> = {
  issues: { id: 'issue', sign: '#', noun: 'Issue' },
  merge_requests: { id: 'mr', sign: '!', noun: 'Merge request' },
}

export function threadRef(
  kind: GitlabKind,
  { iid, title }: Pick<GitlabThread, 'iid' | 'title'>,
  { projectId, path, context: { config } }: ThreadProject,
): ItemRef & { readonly title: string } {
  const itemId = sourceItemId('gitlab', new URL(config.site).host, projectId, MARKS[kind].id, String(iid))
  return { sourceType: 'github', itemId, title: `${path}${MARKS[kind].sign}${iid} ${title}`.trim() }
}

/** What an id made by `threadRef` refers to. */
export function namedThread(itemId: string): { readonly kind: GitlabKind; readonly iid: string } | undefined {
  const [, id, iid] = /:(issue|mr):(\d+)$/.exec(itemId) ?? []
  if (iid === undefined) return undefined
  return { kind: id === 'mr' ? 'merge_requests' : 'issues', iid }
}

/** The project of a thread. */
export interface ThreadProject {
  readonly projectId: string
  /** `acme/shop` */
  readonly path: string
  readonly project: GitlabProject | undefined
  readonly context: Context<GitlabConfig>
}

export function threadItem(kind: GitlabKind, thread: GitlabThread, place: ThreadProject): SourceItem {
  const { author, assignees, reviewers, web_url: url, created_at: createdAt, updated_at: updatedAt } = thread
  const people = [author, ...(assignees ?? []), ...(reviewers ?? [])].flatMap((who) => who?.name ?? [])
  const { path: project } = place
  return {
    ...threadRef(kind, thread, place),
    // Comments change it too.
    revision: updatedAt.toISOString(),
    ...(url && { url }),
    ...(author?.name && { author: author.name }),
    people: [...new Set(people)],
    where: project,
    parents: project.split('/'),
    visibility: thread.confidential ? 'private' : place.project?.visibility === 'public' ? 'public' : 'shared',
    createdAt,
    updatedAt,
    body: async () => {
      const said = await noteTexts(kind, thread, place)
      return `${[plain(thread.description), stateLine(kind, thread), ...said].filter(Boolean).join('\n\n')}\n`
    },
  }
}

async function noteTexts(
  kind: GitlabKind,
  { iid, updated_at: changedAt }: GitlabThread,
  { projectId, context }: ThreadProject,
): Promise<string[]> {
  const path = `projects/${projectId}/${kind}/${iid}/notes`
  const request = { path, element: noteAnswer, id: 'id', asked: 'comments', absent: [403, 404] }
  const texts: string[] = []
  for await (const { found } of listingPages(request, { sort: 'asc', order_by: 'created_at' }, context)) {
    for (const { body, author, created_at: at, system } of found.taken) {
      const text = system ? '' : plain(body)
      if (text !== '')
        texts.push(`## Comment by ${author?.name ?? 'Somebody'} at ${(at ?? changedAt).toISOString()}`, text)
    }
  }
  return texts
}

function stateLine(kind: GitlabKind, thread: GitlabThread): string {
  const names = (of: GitlabThread['assignees']) => (of ?? []).flatMap(({ name }) => name ?? []).join(', ')
  const { source_branch: source, target_branch: target } = thread
  const facts = [
    [MARKS[kind].noun, thread.state],
    ['Assignees', names(thread.assignees)],
    ['Reviewers', names(thread.reviewers)],
    ['Branch', source && target && `${source} into ${target}`],
    ['Milestone', thread.milestone?.title],
    ['Due', thread.due_date],
    ['Labels', (thread.labels ?? []).join(', ')],
  ]
  return facts.flatMap(([label, value]) => (value ? [`${label}: ${value}.`] : [])).join(' ')
}

/** A heading that looks like a comment of somebody else is escaped. */
function plain(text: string | null | undefined): string {
  return (text ?? '')
    .replace(/\r\n?/g, '\n')
    .replace(/^(#{2,4} [^\n]{1,80} by \S)/gm, '\\$1')
    .trim()
}
