import type { FakeComment, FakeDiscussion } from './fake-github.ts'
import { actorObject, type Bounds, connection } from './github-graphql-objects.ts'
import { timeJson } from './github-json.ts'

type FakeThread = FakeDiscussion['comments'][number]

/** A discussion as GraphQL has it. */
export function discussionObject(discussion: FakeDiscussion) {
  const { number, title, body, createdAt, updatedAt } = discussion
  return {
    number,
    title,
    body,
    url: `https://github.test/discussions/${number}`,
    createdAt: timeJson(createdAt),
    updatedAt: timeJson(updatedAt),
    author: actorObject('ada'),
    category: { name: 'Ideas' },
    comments: (bounds: Bounds) => connection(discussion.comments, bounds, threadObject),
  }
}

export function repliesObject({ replies }: FakeThread, bounds: Bounds) {
  return connection(replies, bounds, commentObject)
}

function threadObject(thread: FakeThread) {
  const replies = (bounds: Bounds) => repliesObject(thread, bounds)
  return { ...commentObject(thread), isAnswer: thread.isAnswer, replies }
}

function commentObject({ id, login, body, createdAt }: FakeComment) {
  return { id: String(id), body, createdAt: timeJson(createdAt), author: actorObject(login) }
}
