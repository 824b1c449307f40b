import { createHash } from 'node:crypto'

export interface FakeComment {
  readonly id: number
  readonly login: string | undefined
  body: string
  readonly createdAt: Date
  updatedAt: Date
  /** Only of comments on a line. */
  readonly path?: string
  readonly hunk?: string
}

export interface FakeReview {
  readonly id: number
  readonly login: string
  readonly body: string
  readonly state: string
  readonly at: Date
}

export interface FakeIssue {
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
  readonly comments: FakeComment[]
  readonly reviews: FakeReview[]
  readonly reviewComments: FakeComment[]
  readonly files: string[]
  readonly createdAt: Date
  updatedAt: Date
}

export interface FakeRelease {
  readonly id: number
  readonly tag: string
  name: string
  body: string
  readonly draft: boolean
  readonly at: Date
}

export interface FakeDiscussion {
  readonly number: number
  title: string
  body: string
  readonly comments: (FakeComment & { readonly isAnswer: boolean; readonly replies: FakeComment[] })[]
  readonly createdAt: Date
  updatedAt: Date
}

export interface FakeRepository {
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
  readonly issues: Map<number, FakeIssue>
  /** Where issues went that are not here any more. */
  readonly moved: Map<number, { readonly repositoryId: number; readonly number: number }>
  readonly releases: FakeRelease[]
  readonly discussions: FakeDiscussion[]
  readonly files: Map<string, string>
  pushedAt?: Date
  lastNumber: number
}

type IssueFields = Partial<Omit<FakeIssue, 'id' | 'number' | 'comments' | 'reviews' | 'reviewComments'>>

const SECOND = 1000

/** What a made-up GitHub holds, with a clock of its own. Each change takes a second. */
export class FakeGithub {
  now = new Date('2026-11-20T10:00:00Z')
  readonly user = { id: 4242, login: 'ada' }
  readonly repositories: FakeRepository[] = []
  #lastId = 1000

  pass(ms: number): void {
    this.now = new Date(this.now.getTime() + ms)
  }

  addRepository(fullName: string, fields: Partial<FakeRepository> = {}): FakeRepository {
    const [owner = '', name = ''] = fullName.split('/')
    const repository: FakeRepository = {
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

  addIssue(repository: FakeRepository, fields: IssueFields = {}): FakeIssue {
    const at = this.#tick()
    const number = ++repository.lastNumber
    const issue: FakeIssue = {
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

  addPullRequest(repository: FakeRepository, fields: IssueFields = {}): FakeIssue {
    return this.addIssue(repository, { title: 'A change', isPullRequest: true, files: ['src/shop.ts'], ...fields })
  }

  editIssue(issue: FakeIssue, fields: Partial<Pick<FakeIssue, 'title' | 'body' | 'state' | 'labels'>>): void {
    Object.assign(issue, fields, { updatedAt: this.#tick() })
  }

  comment(issue: FakeIssue, body: string, login: string | undefined = 'bob'): FakeComment {
    return this.#said(issue, issue.comments, { body, login })
  }

  review(issue: FakeIssue, state: string, body = '', login = 'carl'): FakeReview {
    const review = { id: this.#id(), login, body, state, at: this.#tick() }
    issue.reviews.push(review)
    issue.updatedAt = this.now
    return review
  }

  commentOnLine(issue: FakeIssue, body: string, path = 'src/shop.ts', hunk = '@@ -1 +1,2 @@\n context\n+added') {
    return this.#said(issue, issue.reviewComments, { body, login: 'carl', path, hunk })
  }

  /** @param touch whether the issue counts as changed, which GitHub does not always do */
  editComment(comment: FakeComment, body: string, touch?: FakeIssue): void {
    comment.body = body
    comment.updatedAt = this.#tick()
    if (touch) touch.updatedAt = this.now
  }

  deleteIssue(repository: FakeRepository, issue: FakeIssue): void {
    repository.issues.delete(issue.number)
    this.#tick()
  }

  transferIssue(from: FakeRepository, issue: FakeIssue, to: FakeRepository): FakeIssue {
    from.issues.delete(issue.number)
    const moved = this.addIssue(to, { title: issue.title, body: issue.body })
    from.moved.set(issue.number, { repositoryId: to.id, number: moved.number })
    return moved
  }

  rename(repository: FakeRepository, fullName: string): void {
    const [owner = '', name = ''] = fullName.split('/')
    repository.formerNames.push(`${repository.owner}/${repository.name}`)
    Object.assign(repository, { owner, name })
  }

  removeRepository(repository: FakeRepository): void {
    this.repositories.splice(this.repositories.indexOf(repository), 1)
  }

  addRelease(repository: FakeRepository, tag: string, body = `What is new in ${tag}.`, draft = false): FakeRelease {
    const release = { id: this.#id(), tag, name: `Version ${tag}`, body, draft, at: this.#tick() }
    repository.releases.unshift(release)
    return release
  }

  addDiscussion(repository: FakeRepository, title: string, body = 'What do you think?'): FakeDiscussion {
    const at = this.#tick()
    const number = ++repository.lastNumber
    const discussion: FakeDiscussion = { number, title, body, comments: [], createdAt: at, updatedAt: at }
    repository.discussions.push(discussion)
    return discussion
  }

  discuss(
    discussion: FakeDiscussion,
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

  writeFile(repository: FakeRepository, path: string, text: string): void {
    repository.files.set(path, text)
    repository.pushedAt = this.#tick()
  }

  deleteFile(repository: FakeRepository, path: string): void {
    repository.files.delete(path)
    repository.pushedAt = this.#tick()
  }

  #said(issue: FakeIssue, list: FakeComment[], fields: Pick<FakeComment, 'body' | 'login' | 'path' | 'hunk'>) {
    const at = this.#tick()
    const comment: FakeComment = { id: this.#id(), createdAt: at, updatedAt: at, ...fields }
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
