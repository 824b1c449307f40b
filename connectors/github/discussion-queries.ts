import { z } from 'zod'
import type { QueryAnswer } from './github-answer.ts'
import { personAnswer } from './github-answers.ts'
import type { RepositorySource } from './repository-source.ts'

// GitHub allows 500,000 nodes per query and counts them against the rate limit: these page sizes result in at most
// 5,000.
const PAGE = 'pageInfo { hasNextPage endCursor }'
const SAID = 'id body createdAt author { login type: __typename }'
const REPLIES = `${PAGE} nodes { ${SAID} }`
const COMMENTS = `totalCount ${PAGE} nodes { ${SAID} isAnswer replies(first: 10) { ${REPLIES} } }`
const DISCUSSION = `number title body url createdAt updatedAt author { login type: __typename } category { name } comments(first: 20) { ${COMMENTS} }`
const IN_REPOSITORY = 'repository(owner: $owner, name: $name)'

const LIST = `query Discussions($owner: String!, $name: String!, $after: String, $direction: OrderDirection!) {
  ${IN_REPOSITORY} { discussions(first: 25, after: $after, orderBy: { field: UPDATED_AT, direction: $direction }) { ${PAGE} nodes { ${DISCUSSION} } } }
}`
const REFS = `query DiscussionRefs($owner: String!, $name: String!, $after: String) {
  ${IN_REPOSITORY} { discussions(first: 100, after: $after, orderBy: { field: CREATED_AT, direction: ASC }) { ${PAGE} nodes { number title updatedAt comments { totalCount } } } }
}`
const ONE = `query Discussion($owner: String!, $name: String!, $number: Int!) {
  ${IN_REPOSITORY} { discussion(number: $number) { ${DISCUSSION} } }
}`
const MORE_COMMENTS = `query DiscussionComments($owner: String!, $name: String!, $number: Int!, $after: String) {
  ${IN_REPOSITORY} { discussion(number: $number) { comments(first: 50, after: $after) { ${COMMENTS} } } }
}`
const MORE_REPLIES = `query DiscussionReplies($id: ID!, $after: String) {
  node(id: $id) { ... on DiscussionComment { replies(first: 100, after: $after) { ${REPLIES} } } }
}`

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
/** A page that has more but not where would end a listing, and what it lacks would count as deleted. */
const pageInfo = z
  .object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() })
  .refine(({ hasNextPage, endCursor }) => !hasNextPage || endCursor !== null)
const reply = z.object({
  id: z.string(),
  body: z.string().catch(''),
  createdAt: instant,
  author: personAnswer,
})
const replies = z.object({ pageInfo, nodes: z.array(reply) })
const comments = z.object({
  totalCount: z.int(),
  pageInfo,
  nodes: z.array(reply.extend({ isAnswer: z.boolean().catch(false), replies })),
})
const discussionRef = z.object({
  number: z.int(),
  title: z.string().catch('(no title)'),
  updatedAt: instant,
  comments: z.object({ totalCount: z.int() }),
})
const discussion = discussionRef.extend({
  body: z.string().catch(''),
  url: z.string().catch(''),
  createdAt: instant,
  author: personAnswer,
  category: z.object({ name: z.string() }).nullish().catch(null),
  comments,
})

export type DiscussionRef = z.infer<typeof discussionRef>
export type Discussion = z.infer<typeof discussion>
export type DiscussionReply = z.infer<typeof reply>
export type DiscussionComment = z.infer<typeof comments>['nodes'][number]

export interface DiscussionPage<T> {
  readonly nodes: readonly T[]
  /** Absent on the last page. */
  readonly after: string | undefined
  readonly at: Date
}

/** One page by the time of the last change; `undefined` when the repository does not exist. */
export async function discussionPage(
  source: RepositorySource,
  direction: 'ASC' | 'DESC',
  after: string | undefined,
): Promise<DiscussionPage<Discussion> | undefined> {
  const nodes = z.object({ pageInfo, nodes: z.array(discussion) })
  return pageOf(
    await ask(source, z.object({ repository: z.object({ discussions: nodes }) }), LIST, { after, direction }),
  )
}

/** One page by age, for comparing. */
export async function discussionRefPage(
  source: RepositorySource,
  after: string | undefined,
): Promise<DiscussionPage<DiscussionRef> | undefined> {
  const nodes = z.object({ pageInfo, nodes: z.array(discussionRef) })
  return pageOf(await ask(source, z.object({ repository: z.object({ discussions: nodes }) }), REFS, { after }))
}

export async function readDiscussion(source: RepositorySource, number: number): Promise<Discussion | undefined> {
  const schema = z.object({ repository: z.object({ discussion: discussion.nullable() }) })
  const answer = await ask(source, schema, ONE, { number })
  return answer?.data.repository.discussion ?? undefined
}

/** Its comments with all replies, in order; `undefined` when it was deleted. */
export async function discussionComments(
  source: RepositorySource,
  { number, comments: first }: Discussion,
): Promise<DiscussionComment[] | undefined> {
  const schema = z.object({ repository: z.object({ discussion: z.object({ comments }).nullable() }) })
  const all = [...first.nodes]
  for (let { hasNextPage, endCursor } = first.pageInfo; hasNextPage; ) {
    const answer = await ask(source, schema, MORE_COMMENTS, { number, after: endCursor })
    const page = answer?.data.repository.discussion?.comments
    if (page === undefined) return undefined
    all.push(...page.nodes)
    ;({ hasNextPage, endCursor } = page.pageInfo)
  }
  const whole: DiscussionComment[] = []
  for (const comment of all) whole.push(await withAllReplies(source, comment))
  return whole
}

async function withAllReplies(source: RepositorySource, comment: DiscussionComment): Promise<DiscussionComment> {
  // A deleted comment has no more replies.
  const schema = z.object({ node: z.object({ replies }).nullable() })
  const nodes = [...comment.replies.nodes]
  for (let { hasNextPage, endCursor } = comment.replies.pageInfo; hasNextPage; ) {
    const answer = await ask(source, schema, MORE_REPLIES, { id: comment.id, after: endCursor })
    const page = answer?.data.node?.replies
    nodes.push(...(page?.nodes ?? []))
    hasNextPage = page?.pageInfo.hasNextPage ?? false
    endCursor = page?.pageInfo.endCursor ?? null
  }
  return { ...comment, replies: { ...comment.replies, nodes } }
}

function ask<T>(
  { gateway, repository, partition }: RepositorySource,
  schema: z.ZodType<T>,
  text: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<QueryAnswer<T> | undefined> {
  const repositoryName = { owner: repository.owner.login, name: repository.name }
  return gateway.graphql(schema, { text, variables: { ...repositoryName, ...variables }, asked: partition.title })
}

type PageAnswer<T> = QueryAnswer<{
  readonly repository: { readonly discussions: { readonly pageInfo: z.infer<typeof pageInfo>; readonly nodes: T[] } }
}>

function pageOf<T>(answer: PageAnswer<T> | undefined): DiscussionPage<T> | undefined {
  if (answer === undefined) return undefined
  const { pageInfo, nodes } = answer.data.repository.discussions
  return { nodes, after: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined, at: answer.at }
}
