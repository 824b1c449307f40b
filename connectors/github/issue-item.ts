import type { SourceItem } from '../../src/connector/connector.ts'
import type { NamedPart } from '../../src/connector/source-item-id.ts'
import type { ChangedFile, Issue, Review, ThreadLineComment } from './github-answers.ts'
import type { IssueThread } from './issue-thread.ts'
import { isBot, loginOf, paragraphs, quotedMarkdown, spokenHeading } from './readable-markdown.ts'
import { type RepositorySource, repositoryFields, takesBots } from './repository-source.ts'
import { ofSegment, segmentRefs } from './segment-refs.ts'

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
 * Equal for equal content, however it was read. An edited comment does not always change the time of its issue, nor
 * does a deleted one.
 *
 * @param commentsChangedAt last change of any comment on it, at least when that was after the issue's own
 */
export function issueRevision({ updated_at, comments }: Issue, commentsChangedAt: Date | undefined): string {
  const later = commentsChangedAt !== undefined && commentsChangedAt > updated_at ? commentsChangedAt : undefined
  return `${updated_at.toISOString()} ${comments}${later ? ` ${later.toISOString()}` : ''}`
}

interface Said {
  readonly at: Date
  readonly id: number
  readonly text: string
}

/**
 * The first segment has the description, the files, every review and the first 60 comments; the others 60 comments
 * each. `undefined` when the segment does not exist.
 */
function issueBody(
  issue: Issue,
  thread: IssueThread,
  { segment, withBots }: { readonly segment: number; readonly withBots: boolean },
): string | undefined {
  const inOrder = thread.comments.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime() || a.id - b.id)
  const inSegment = ofSegment(inOrder, segment)
  const comments = inSegment
    .filter(({ user }) => withBots || !isBot(user))
    .map(({ id, user, body, created_at }) => said(id, 'Comment', user, created_at, quotedMarkdown(body, user)))
  if (segment > 0) return inSegment.length === 0 ? undefined : `${paragraphs(comments.map(({ text }) => text))}\n`
  const reviews = thread.reviews.flatMap(saidInReview)
  const onLines = thread.reviewComments.map(saidOnLine)
  const turns = [...comments, ...reviews, ...onLines].sort((a, b) => a.at.getTime() - b.at.getTime() || a.id - b.id)
  return `${paragraphs([
    quotedMarkdown(issue.body, issue.user),
    stateLine(issue),
    fileList(thread.files, thread.hasMoreFiles),
    ...turns.map(({ text }) => text),
  ])}\n`
}

function stateLine(issue: Issue): string {
  const labels = issue.labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? [])))
  const list = (name: string, values: readonly string[]) => (values.length > 0 ? ` ${name}: ${values.join(', ')}.` : '')
  return [
    `State: ${stateOf(issue)}${issue.closed_at ? ` on ${issue.closed_at.toISOString().slice(0, 10)}` : ''}.`,
    list('Labels', labels),
    list('Milestone', issue.milestone ? [issue.milestone.title] : []),
    list(
      'Assignees',
      (issue.assignees ?? []).map(({ login }) => login),
    ),
  ].join('')
}

function stateOf({ state, state_reason, draft, pull_request }: Issue): string {
  if (pull_request?.merged_at) return 'merged'
  if (state === 'open') return draft ? 'open, draft' : 'open'
  if (pull_request) return 'closed without being merged'
  return state_reason ? `closed as ${state_reason.replaceAll('_', ' ')}` : 'closed'
}

function fileList(files: readonly ChangedFile[], hasMore: boolean): string | undefined {
  if (files.length === 0) return undefined
  const lines = files.map(
    ({ filename, status, additions, deletions }) => `- ${filename} (${status}, +${additions} -${deletions})`,
  )
  return ['Changed files:', '', ...lines, ...(hasMore ? ['- and more'] : [])].join('\n')
}

const VERDICTS: Readonly<Record<string, string>> = { APPROVED: 'Approved', CHANGES_REQUESTED: 'Changes requested' }

/** Reviews that only hold comments on lines say nothing themselves. */
function saidInReview({ id, user, body, state, submitted_at }: Review): Said[] {
  const text = quotedMarkdown(body, user)
  if (!submitted_at || (text === '' && VERDICTS[state] === undefined)) return []
  return [said(id, VERDICTS[state] ?? 'Review', user, submitted_at, text)]
}

function saidOnLine({ id, user, body, created_at, path, line, original_line, diff_hunk }: ThreadLineComment): Said {
  const number = line ?? original_line
  const location = `On \`${path}\`${number ? ` line ${number}` : ''}:`
  // Longer than any fence in the quoted lines.
  const fence = diff_hunk?.includes('```') ? '``````' : '```'
  const quoted = diff_hunk ? `${fence}diff\n${diff_hunk}\n${fence}` : undefined
  return said(id, 'Review comment', user, created_at, paragraphs([location, quoted, quotedMarkdown(body, user)]))
}

function said(id: number, what: string, who: Issue['user'], at: Date, text: string): Said {
  return { at, id, text: paragraphs([spokenHeading(what, who, at), text]) }
}

/** People known before any comment was read. */
function peopleOf({ user, assignees }: Issue): string[] {
  return [...new Set([loginOf(user), ...(assignees ?? []).map(({ login }) => login)])]
}
