import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, execute, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql'
import type { FakeComment, FakeGithub, FakeIssue, FakeRepository } from './fake-github.ts'
import { discussionObject, repliesObject } from './github-discussions.ts'
import { actorObject, type Bounds, connection } from './github-graphql-objects.ts'
import { fullName, timeJson } from './github-json.ts'
import { type QueryCost, queryCost } from './github-query-cost.ts'

export interface GraphqlAnswer {
  readonly body: unknown
  /** In points of the rate limit. */
  readonly cost: number
}

/** An error of one repository (`acme/shop`) or of one issue or pull request (`acme/shop#3`); the rest is answered. */
export type GraphqlProblems = ReadonlyMap<string, { readonly type?: string; readonly message: string }>

interface Variables {
  readonly [name: string]: unknown
}

let published: GraphQLSchema | undefined

/** The schema that GitHub publishes: a query that it refuses is refused here too. */
export function publishedSchema(): GraphQLSchema {
  if (published === undefined) {
    const file = join(import.meta.dirname, '../../../node_modules/@octokit/graphql-schema/schema.graphql')
    // It repeats two fields, which the validation of schemas refuses.
    published = buildSchema(readFileSync(file, 'utf8'), { assumeValid: true, assumeValidSDL: true })
  }
  return published
}

/** Evaluates a query over the state of a fake GitHub. */
export async function answerGraphql(
  fake: FakeGithub,
  query: string,
  variables: Variables,
  { problems, rateLimit }: { problems: GraphqlProblems; rateLimit: (cost: QueryCost) => object },
): Promise<GraphqlAnswer> {
  const schema = publishedSchema()
  const document = parse(query)
  const invalid = validate(schema, document)
  if (invalid.length > 0) return { body: { errors: invalid.map(errorJson) }, cost: 1 }
  const cost = queryCost(schema, document, variables)
  if (cost.problem !== undefined) return { body: { errors: [cost.problem] }, cost: 1 }
  const { data, errors } = await execute({
    schema,
    document,
    variableValues: variables,
    rootValue: rootObject(fake, problems, rateLimit(cost)),
  })
  return { body: { data, ...(errors && { errors: errors.map(errorJson) }) }, cost: cost.points }
}

/** GitHub has the type of an error beside its message. */
function errorJson({ message, path, extensions }: GraphQLError) {
  return { ...extensions, message, ...(path && { path }) }
}

function rootObject(fake: FakeGithub, problems: GraphqlProblems, rateLimit: object) {
  return {
    rateLimit,
    repository({ owner, name }: { owner: string; name: string }) {
      fail(problems.get(`${owner}/${name}`))
      const wanted = `${owner}/${name}`
      const repository =
        fake.repositories.find((it) => fullName(it) === wanted) ??
        fake.repositories.find(({ formerNames }) => formerNames.includes(wanted))
      return repository ? repositoryObject(repository, problems) : notFound(`Repository with the name '${wanted}'.`)
    },
    node({ id }: { id: string }) {
      const threads = fake.repositories.flatMap(({ discussions }) => discussions.flatMap(({ comments }) => comments))
      const thread = threads.find((comment) => String(comment.id) === id)
      return thread
        ? { __typename: 'DiscussionComment', replies: (bounds: Bounds) => repliesObject(thread, bounds) }
        : notFound(`node with the global id of '${id}'`)
    },
  }
}

function repositoryObject(repository: FakeRepository, problems: GraphqlProblems) {
  const { discussions, issues } = repository
  const numbered = (wanted: 'Issue' | 'PullRequest') => (args: { number: number }) => {
    fail(problems.get(`${fullName(repository)}#${args.number}`))
    const found = issues.get(args.number)
    if (found === undefined || found.isPullRequest !== (wanted === 'PullRequest')) {
      return notFound(`${wanted} with the number of ${args.number}.`)
    }
    return threadObject(found)
  }
  return {
    issue: numbered('Issue'),
    pullRequest: numbered('PullRequest'),
    discussions({ orderBy, ...bounds }: Bounds & { orderBy?: { field: string; direction: string } }) {
      const by = orderBy?.field === 'UPDATED_AT' ? 'updatedAt' : 'createdAt'
      const sorted = discussions.toSorted((a, b) => a[by].getTime() - b[by].getTime())
      if (orderBy?.direction === 'DESC') sorted.reverse()
      return connection(sorted, bounds, discussionObject)
    },
    discussion({ number }: { number: number }) {
      const one = discussions.find((it) => it.number === number)
      return one ? discussionObject(one) : notFound(`Discussion with the number of ${number}.`)
    },
  }
}

function threadObject(issue: FakeIssue) {
  return {
    number: issue.number,
    comments: (bounds: Bounds) => connection(issue.comments, bounds, commentObject),
    reviews: (bounds: Bounds) =>
      connection(issue.reviews, bounds, ({ id, login, body, state, at }) => ({
        fullDatabaseId: String(id),
        author: actorObject(login),
        body,
        state,
        submittedAt: timeJson(at),
      })),
    reviewThreads: (bounds: Bounds) =>
      connection(issue.reviewComments, bounds, (comment) => ({
        comments: (inner: Bounds) => connection([comment], inner, lineCommentObject),
      })),
    files: (bounds: Bounds) =>
      connection(issue.files, bounds, (path) => ({ path, changeType: 'MODIFIED', additions: 3, deletions: 1 })),
  }
}

function commentObject({ id, login, body, createdAt, updatedAt }: FakeComment) {
  return {
    fullDatabaseId: String(id),
    author: actorObject(login),
    body,
    createdAt: timeJson(createdAt),
    updatedAt: timeJson(updatedAt),
  }
}

function lineCommentObject(comment: FakeComment) {
  const { path, hunk } = comment
  return { ...commentObject(comment), path, line: 2, originalLine: 2, diffHunk: hunk, state: 'SUBMITTED' }
}

function notFound(what: string): never {
  throw new GraphQLError(`Could not resolve to a ${what}`, { extensions: { type: 'NOT_FOUND' } })
}

function fail(problem: { readonly type?: string; readonly message: string } | undefined): void {
  if (problem === undefined) return
  throw new GraphQLError(problem.message, { extensions: problem.type === undefined ? {} : { type: problem.type } })
}
