import type { SourceItem } from '../../src/connector/connector.ts'
import type { NamedPart } from '../../src/connector/source-item-id.ts'
import type { Issue } from './github-answers.ts'
import { issueBody, peopleOf } from './issue-body.ts'
import type { IssueThread } from './issue-thread.ts'
import { type RepositorySource, repositoryFields, takesBots } from './repository-source.ts'
import { segmentRefs } from './segment-refs.ts'
import { loginOf } from './spoken-markdown.ts'

/** The documents of an issue or pull request; their bodies share one reading of the thread. */
export function issueItems(
  source: RepositorySource,
  issue: Issue,
  revision: string,
  thread: () => Promise<IssueThread | undefined>,
): SourceItem[] {
  let reading: Promise<IssueThread | undefined> | undefined
  return issueRefs(source, issue).map((ref, segment) => ({
    ...ref,
    ...repositoryFields(source),
    revision,
    url: issue.html_url,
    author: loginOf(issue.user),
    people: peopleOf(issue),
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    async body() {
      reading ??= thread()
      const read = await reading
      return read && issueBody(issue, read, { segment, withBots: takesBots(source) })
    },
  }))
}

export function issueRefs(source: RepositorySource, issue: Issue) {
  const title = `${source.repository.full_name}#${issue.number}: ${issue.title}`
  return segmentRefs(source, issuePart(issue), { title, comments: issue.comments })
}

/** `issue=7` or `pr=7`. */
export function issuePart({ number, pull_request }: Pick<Issue, 'number' | 'pull_request'>): NamedPart {
  return { name: pull_request ? 'pr' : 'issue', value: String(number) }
}

/**
 * The same for the same content, however it was come by. An edited comment does not always touch the time of its issue, nor
 * does a deleted one.
 *
 * @param commentsChangedAt last change of any comment on it, at least when that was after the issue's own
 */
export function issueRevision({ updated_at, comments }: Issue, commentsChangedAt: Date | undefined): string {
  const later = commentsChangedAt !== undefined && commentsChangedAt > updated_at ? commentsChangedAt : undefined
  return `${updated_at.toISOString()} ${comments}${later ? ` ${later.toISOString()}` : ''}`
}
