import type { FakeComment, FakeDiscussion, FakeRepository } from './fake-github.ts'
import { timeJson } from './github-json.ts'

type Variables = Readonly<Record<string, unknown>>
type FakeThread = FakeDiscussion['comments'][number]

/** Answers the queries of the connector by their names; the sizes of pages are read from the query's text. */
export function answerDiscussions(repositories: readonly FakeRepository[], query: string, variables: Variables) {
  const name = /query (\w+)/.exec(query)?.[1]
  if (name === 'DiscussionReplies') {
    const threads = repositories.flatMap(({ discussions }) => discussions.flatMap(({ comments }) => comments))
    const thread = threads.find(({ id }) => String(id) === variables.id)
    return { data: { node: thread ? { replies: replies(thread, query, variables.after) } : null } }
  }
  const repository = repositories.find(({ owner, name }) => owner === variables.owner && name === variables.name)
  if (repository === undefined) {
    return { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve to a Repository' }] }
  }
  const { discussions } = repository
  const one = discussions.find(({ number }) => number === variables.number)
  const rendered = (discussion: FakeDiscussion) => discussionJson(discussion, query)
  switch (name) {
    case 'Discussions': {
      const sorted = discussions.toSorted((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime())
      if (variables.direction === 'DESC') sorted.reverse()
      return {
        data: {
          repository: { discussions: connection(sorted, size(query, 'discussions'), variables.after, rendered) },
        },
      }
    }
    case 'DiscussionRefs':
      return { data: { repository: { discussions: connection(discussions, 100, variables.after, rendered) } } }
    case 'Discussion':
      return one === undefined
        ? { data: { repository: { discussion: null } }, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve' }] }
        : { data: { repository: { discussion: rendered(one) } } }
    case 'DiscussionComments':
      return { data: { repository: { discussion: one ? { comments: comments(one, query, variables.after) } : null } } }
    default:
      return { errors: [{ message: `No such query: ${name}` }] }
  }
}

function discussionJson(discussion: FakeDiscussion, query: string) {
  const { number, title, body, createdAt, updatedAt } = discussion
  return {
    number,
    title,
    body,
    url: `https://github.test/discussions/${number}`,
    createdAt: timeJson(createdAt),
    updatedAt: timeJson(updatedAt),
    author: { login: 'ada', type: 'User' },
    category: { name: 'Ideas' },
    comments: comments(discussion, query, undefined),
  }
}

function comments({ comments: all }: FakeDiscussion, query: string, after: unknown) {
  const render = (thread: FakeThread) => ({
    ...said(thread),
    isAnswer: thread.isAnswer,
    replies: replies(thread, query, undefined),
  })
  return { totalCount: all.length, ...connection(all, size(query, 'comments'), after, render) }
}

function replies(thread: FakeThread, query: string, after: unknown) {
  return connection(thread.replies, size(query, 'replies'), after, said)
}

function said({ id, login, body, createdAt }: FakeComment) {
  // GraphQL has no `[bot]` in the names of bots.
  const author = login === undefined ? null : { login, type: login.endsWith('-app') ? 'Bot' : 'User' }
  return { id: String(id), body, createdAt: timeJson(createdAt), author }
}

function size(query: string, field: string): number {
  return Number(new RegExp(`${field}\\(first: (\\d+)`).exec(query)?.[1] ?? 1)
}

function connection<T, J>(all: readonly T[], first: number, after: unknown, render: (entry: T) => J) {
  const start = typeof after === 'string' ? Number(after.slice(1)) : 0
  const nodes = all.slice(start, start + first).map(render)
  const end = start + nodes.length
  return { pageInfo: { hasNextPage: end < all.length, endCursor: nodes.length > 0 ? `c${end}` : null }, nodes }
}
