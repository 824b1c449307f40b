import { createHash } from 'node:crypto'

export interface WorldComment {
  readonly id: number
  readonly login: string | undefined
  body: string
  readonly createdAt: Date
  updatedAt: Date
  /** Only of comments on a line. */
  readonly path?: string
  readonly hunk?: string
}

export interface WorldReview {
  readonly id: number
  readonly login: string
  readonly body: string
  readonly state: string
  readonly at: Date
}

export interface WorldIssue {
  readonly id: number
  readonly number: number
  readonly isPullRequest: boolean
  title: string
  body: string
  login: string | undefined
  state: 'open' | 'closed'
  stateReason?: string
  mergedAt?: Date
  closedAt?: Date
  labels: string[]
  assignees: string[]
  milestone?: string
  readonly comments: WorldComment[]
  readonly reviews: WorldReview[]
  readonly reviewComments: WorldComment[]
  readonly files: string[]
  readonly createdAt: Date
  updatedAt: Date
}

export interface WorldRelease {
  readonly id: number
  readonly tag: string
  name: string
  body: string
  readonly draft: boolean
  readonly at: Date
}

export interface WorldDiscussion {
  readonly number: number
  title: string
  body: string
  readonly comments: (WorldComment & { readonly isAnswer: boolean; readonly replies: WorldComment[] })[]
  readonly createdAt: Date
  updatedAt: Date
}

export interface WorldRepository {
  readonly id: number
  owner: string
  name: string
  private: boolean
  archived: boolean
  hasIssues: boolean
  hasDiscussions: boolean
  readonly formerNames: string[]
  /** Not among the repositories of the person who asks. */
  readonly isForeign: boolean
  readonly issues: Map<number, WorldIssue>
  /** Where issues went that are not here any more. */
  readonly moved: Map<number, { readonly repositoryId: number; readonly number: number }>
  readonly releases: WorldRelease[]
  readonly discussions: WorldDiscussion[]
  readonly files: Map<string, string>
  pushedAt?: Date
  lastNumber: number
}

type IssueFields = Partial<Omit<WorldIssue, 'id' | 'number' | 'comments' | 'reviews' | 'reviewComments'>>

const SECOND = 1000

/** What a made-up GitHub holds, with a clock of its own. Each change takes a second. */
export class GithubWorld {
  now = new Date('2026-11-20T10:00:00Z')
  readonly user = { id: 4242, login: 'ada' }
  readonly repositories: WorldRepository[] = []
  #lastId = 1000

  pass(ms: number): void {
    this.now = new Date(this.now.getTime() + ms)
  }

  addRepository(fullName: string, fields: Partial<WorldRepository> = {}): WorldRepository {
    const [owner = '', name = ''] = fullName.split('/')
    const repository: WorldRepository = {
      id: this.#id(),
      owner,
      name,
      private: false,
      archived: false,
      hasIssues: true,
      hasDiscussions: false,
      formerNames: [],
      isForeign: false,
      issues: new Map(),
      moved: new Map(),
      releases: [],
      discussions: [],
      files: new Map(),
      lastNumber: 0,
      ...fields,
    }
    this.repositories.push(repository)
    return repository
  }

  addIssue(repository: WorldRepository, fields: IssueFields = {}): WorldIssue {
    const at = this.#tick()
    const number = ++repository.lastNumber
    const issue: WorldIssue = {
      id: this.#id(),
      number,
      isPullRequest: false,
      title: `Issue ${number}`,
      body: `Something is wrong in part ${number}.`,
      login: 'ada',
      state: 'open',
      labels: [],
      assignees: [],
      comments: [],
      reviews: [],
      reviewComments: [],
      files: [],
      createdAt: at,
      updatedAt: at,
      ...fields,
    }
    repository.issues.set(number, issue)
    return issue
  }

  addPullRequest(repository: WorldRepository, fields: IssueFields = {}): WorldIssue {
    return this.addIssue(repository, { title: 'A change', isPullRequest: true, files: ['src/shop.ts'], ...fields })
  }

  editIssue(issue: WorldIssue, fields: Partial<Pick<WorldIssue, 'title' | 'body' | 'state' | 'labels'>>): void {
    Object.assign(issue, fields, { updatedAt: this.#tick() })
  }

  comment(issue: WorldIssue, body: string, login: string | undefined = 'bob'): WorldComment {
    return this.#said(issue, issue.comments, { body, login })
  }

  review(issue: WorldIssue, state: string, body = '', login = 'carl'): WorldReview {
    const review = { id: this.#id(), login, body, state, at: this.#tick() }
    issue.reviews.push(review)
    issue.updatedAt = this.now
    return review
  }

  commentOnLine(issue: WorldIssue, body: string, path = 'src/shop.ts', hunk = '@@ -1 +1,2 @@\n context\n+added') {
    return this.#said(issue, issue.reviewComments, { body, login: 'carl', path, hunk })
  }

  /** @param touch whether the issue counts as changed, which GitHub does not always do */
  editComment(comment: WorldComment, body: string, touch?: WorldIssue): void {
    comment.body = body
    comment.updatedAt = this.#tick()
    if (touch) touch.updatedAt = this.now
  }

  deleteIssue(repository: WorldRepository, issue: WorldIssue): void {
    repository.issues.delete(issue.number)
    this.#tick()
  }

  transferIssue(from: WorldRepository, issue: WorldIssue, to: WorldRepository): WorldIssue {
    from.issues.delete(issue.number)
    const moved = this.addIssue(to, { title: issue.title, body: issue.body })
    from.moved.set(issue.number, { repositoryId: to.id, number: moved.number })
    return moved
  }

  rename(repository: WorldRepository, fullName: string): void {
    const [owner = '', name = ''] = fullName.split('/')
    repository.formerNames.push(`${repository.owner}/${repository.name}`)
    Object.assign(repository, { owner, name })
  }

  removeRepository(repository: WorldRepository): void {
    this.repositories.splice(this.repositories.indexOf(repository), 1)
  }

  addRelease(repository: WorldRepository, tag: string, body = `What is new in ${tag}.`, draft = false): WorldRelease {
    const release = { id: this.#id(), tag, name: `Version ${tag}`, body, draft, at: this.#tick() }
    repository.releases.unshift(release)
    return release
  }

  addDiscussion(repository: WorldRepository, title: string, body = 'What do you think?'): WorldDiscussion {
    const at = this.#tick()
    const number = ++repository.lastNumber
    const discussion: WorldDiscussion = { number, title, body, comments: [], createdAt: at, updatedAt: at }
    repository.discussions.push(discussion)
    return discussion
  }

  discuss(
    discussion: WorldDiscussion,
    body: string,
    replies: readonly string[] = [],
    isAnswer = false,
    login = 'bob',
  ): void {
    const at = this.#tick()
    const said = (text: string) => ({ id: this.#id(), login, body: text, createdAt: at, updatedAt: at })
    discussion.comments.push({ ...said(body), isAnswer, replies: replies.map(said) })
    discussion.updatedAt = at
  }

  writeFile(repository: WorldRepository, path: string, text: string): void {
    repository.files.set(path, text)
    repository.pushedAt = this.#tick()
  }

  deleteFile(repository: WorldRepository, path: string): void {
    repository.files.delete(path)
    repository.pushedAt = this.#tick()
  }

  #said(issue: WorldIssue, list: WorldComment[], fields: Pick<WorldComment, 'body' | 'login' | 'path' | 'hunk'>) {
    const at = this.#tick()
    const comment: WorldComment = { id: this.#id(), createdAt: at, updatedAt: at, ...fields }
    list.push(comment)
    issue.updatedAt = at
    return comment
  }

  #id(): number {
    return ++this.#lastId
  }

  #tick(): Date {
    this.pass(SECOND)
    return this.now
  }
}

export function gitHash(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
