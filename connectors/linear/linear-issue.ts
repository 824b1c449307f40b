import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { digest, sourceItemId } from '../../src/connector/source-item-id.ts'
import type { LinearComment, LinearIssue } from './linear-answers.ts'

export function issueRef({ id, title }: { readonly id: string; readonly title?: string | null | undefined }): ItemRef {
  return { sourceType: 'tasks', itemId: sourceItemId('linear', id), locator: id, ...(title && { title }) }
}

/** @param moreComments the comments after the first page */
export function issueItem(issue: LinearIssue, moreComments: () => Promise<readonly LinearComment[]>): SourceItem {
  const { identifier, title, url, createdAt, updatedAt, creator, assignee, team, project, comments } = issue
  const { nodes, pageInfo } = comments
  const people = [creator, assignee, ...nodes.map(authorOf)].flatMap((who) => who?.name ?? [])
  const where = project?.name ?? team?.name
  const parents = [team?.name, project?.name].flatMap((name) => name ?? [])
  return {
    ...issueRef(issue),
    title: `${identifier} ${title}`,
    revision: digest([title, updatedAt, bodyOf(issue, nodes)]),
    url,
    ...(creator?.name && { author: creator.name }),
    people: [...new Set(people)],
    ...(where && { where }),
    ...(parents.length > 0 && { parents }),
    visibility: team?.private ? 'private' : 'shared',
    createdAt,
    updatedAt: new Date(Math.max(updatedAt.getTime(), ...nodes.map((comment) => saidAt(comment, issue).getTime()))),
    body: pageInfo.hasNextPage
      ? async () => bodyOf(issue, [...nodes, ...(await moreComments())])
      : bodyOf(issue, nodes),
  }
}

function authorOf({ user, botActor }: LinearComment) {
  return user ?? botActor
}

/** A comment without a time has that of its issue. */
function saidAt({ createdAt }: LinearComment, issue: LinearIssue): Date {
  return createdAt ?? issue.createdAt
}

function bodyOf(issue: LinearIssue, comments: readonly LinearComment[]): string {
  const said = comments
    .toSorted((a, b) => saidAt(a, issue).getTime() - saidAt(b, issue).getTime() || (a.id < b.id ? -1 : 1))
    .flatMap((comment) => {
      const text = plain(comment.body)
      const heading = `## Comment by ${authorOf(comment)?.name ?? 'Somebody'} at ${saidAt(comment, issue).toISOString()}`
      return text === '' ? [] : [heading, text]
    })
  return `${[plain(issue.description), stateLine(issue), ...said].filter(Boolean).join('\n\n')}\n`
}

function stateLine({ state, assignee, priorityLabel, dueDate, project, cycle, parent, labels }: LinearIssue): string {
  const names = (labels?.nodes ?? []).flatMap(({ name }) => name ?? []).sort()
  const facts = [
    ['State', state?.name],
    ['Assignee', assignee?.name],
    ['Priority', priorityLabel === 'No priority' ? undefined : priorityLabel],
    ['Due', dueDate],
    ['Project', project?.name],
    ['Cycle', cycle?.name],
    ['Part of', parent && [parent.identifier, parent.title].filter(Boolean).join(' ')],
    ['Labels', names.join(', ')],
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
