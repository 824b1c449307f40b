import {
  type FakeComment,
  type FakeGithub,
  type FakeIssue,
  type FakeRelease,
  type FakeRepository,
  gitHash,
} from './fake-github.ts'

/** Times as GitHub writes them: full seconds. */
export function timeJson(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z')
}

export function fullName({ owner, name }: FakeRepository): string {
  return `${owner}/${name}`
}

/** The answers of the REST interface, with addresses below `base`. */
export function githubJson(base: string, fake: FakeGithub) {
  const person = (login: string | undefined) =>
    login === undefined ? null : { login, id: login.length, type: login.endsWith('[bot]') ? 'Bot' : 'User' }
  const web = (repository: FakeRepository) => `https://github.test/${fullName(repository)}`
  const api = (repository: FakeRepository) => `${base}/repos/${fullName(repository)}`

  const comment = ({ id, login, body, createdAt, updatedAt }: FakeComment) => ({
    id,
    user: person(login),
    body,
    created_at: timeJson(createdAt),
    updated_at: timeJson(updatedAt),
  })

  return {
    user: () => fake.user,
    repository: (repository: FakeRepository) => ({
      id: repository.id,
      name: repository.name,
      full_name: fullName(repository),
      owner: { login: repository.owner, id: 7 },
      private: repository.private,
      visibility: repository.private ? 'private' : 'public',
      html_url: web(repository),
      archived: repository.archived,
      has_issues: repository.hasIssues,
      has_discussions: repository.hasDiscussions,
      default_branch: 'main',
      pushed_at: repository.pushedAt ? timeJson(repository.pushedAt) : null,
    }),
    issue: (repository: FakeRepository, issue: FakeIssue) => ({
      id: issue.id,
      number: issue.number,
      title: issue.title,
      body: issue.body,
      user: person(issue.login),
      state: issue.state,
      state_reason: issue.stateReason ?? null,
      labels: issue.labels.map((name) => ({ name })),
      assignees: issue.assignees.map(person),
      milestone: issue.milestone === undefined ? null : { title: issue.milestone },
      comments: issue.comments.length,
      html_url: `${web(repository)}/${issue.isPullRequest ? 'pull' : 'issues'}/${issue.number}`,
      repository_url: api(repository),
      created_at: timeJson(issue.createdAt),
      updated_at: timeJson(issue.updatedAt),
      closed_at: issue.closedAt ? timeJson(issue.closedAt) : null,
      ...(issue.isPullRequest && {
        draft: false,
        pull_request: { merged_at: issue.mergedAt ? timeJson(issue.mergedAt) : null },
      }),
    }),
    issueComment: (repository: FakeRepository, issue: FakeIssue, entry: FakeComment) => ({
      ...comment(entry),
      html_url: `${web(repository)}/${issue.isPullRequest ? 'pull' : 'issues'}/${issue.number}#issuecomment-${entry.id}`,
      issue_url: `${api(repository)}/issues/${issue.number}`,
    }),
    reviewComment: (repository: FakeRepository, issue: FakeIssue, entry: FakeComment) => ({
      ...comment(entry),
      html_url: `${web(repository)}/pull/${issue.number}#discussion_r${entry.id}`,
      pull_request_url: `${api(repository)}/pulls/${issue.number}`,
      path: entry.path,
      line: 2,
      original_line: 2,
      diff_hunk: entry.hunk,
    }),
    reviews: (issue: FakeIssue) =>
      issue.reviews.map(({ id, login, body, state, at }) => ({
        id,
        user: person(login),
        body,
        state,
        submitted_at: timeJson(at),
      })),
    files: (issue: FakeIssue) =>
      issue.files.map((filename) => ({ filename, status: 'modified', additions: 3, deletions: 1, patch: '@@ secret' })),
    release: (repository: FakeRepository, { id, tag, name, body, draft, at }: FakeRelease) => ({
      id,
      tag_name: tag,
      name,
      body,
      draft,
      prerelease: false,
      author: person('ada'),
      html_url: `${web(repository)}/releases/tag/${tag}`,
      created_at: timeJson(at),
      published_at: draft ? null : timeJson(at),
    }),
  }
}

export interface TreeEntry {
  readonly path: string
  readonly type: 'blob' | 'tree'
  readonly mode: string
  readonly sha: string
  readonly size?: number
}

export interface GitTree {
  readonly sha: string
  readonly entries: readonly TreeEntry[]
}

/** The root and every folder below it, each with its own entries; the root comes last. */
export function gitTrees(files: ReadonlyMap<string, string>): GitTree[] {
  const trees: GitTree[] = []
  const build = (folder: string): GitTree => {
    const names = [...files.keys()].filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length))
    const entries = [...new Set(names.map((name) => name.split('/')[0] ?? ''))].sort().map((name): TreeEntry => {
      const text = files.get(`${folder}${name}`)
      if (text === undefined) {
        return { path: name, type: 'tree', mode: '040000', sha: build(`${folder}${name}/`).sha }
      }
      return { path: name, type: 'blob', mode: '100644', sha: gitHash(text), size: Buffer.byteLength(text) }
    })
    const tree = { sha: gitHash(JSON.stringify(entries)), entries }
    trees.push(tree)
    return tree
  }
  build('')
  return trees
}
