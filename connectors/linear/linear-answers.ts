import { z } from 'zod'
import { listedPart } from '../../src/connector/listed-parts.ts'
import { listedRows } from '../../src/connector/listed-rows.ts'

const text = z.string().nullish().catch(undefined)
const named = z.looseObject({ name: text }).nullish().catch(undefined)
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value))
const page = z.looseObject({ hasNextPage: z.boolean(), endCursor: z.string().nullish() })
export type PageInfo = z.infer<typeof page>
const labels = z
  .looseObject({ nodes: z.array(z.looseObject({ name: text })) })
  .optional()
  .catch(undefined)

const comment = z.looseObject({
  id: z.string().min(1),
  body: text,
  createdAt: time.optional().catch(undefined),
  user: named,
  botActor: named,
})
export type LinearComment = z.infer<typeof comment>

const issue = z.looseObject({
  id: z.string().min(1),
  identifier: z.string().min(1),
  title: z.string().catch('(no title)'),
  description: text,
  url: z.string().catch(''),
  createdAt: time,
  updatedAt: time,
  dueDate: text,
  trashed: z.boolean().nullish().catch(undefined),
  priorityLabel: text,
  state: named,
  creator: named,
  assignee: named,
  project: named,
  cycle: named,
  parent: z.looseObject({ identifier: text, title: text }).nullish().catch(undefined),
  labels,
  team: z
    .looseObject({ name: text, private: z.boolean().nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
  comments: z.looseObject({ nodes: z.array(comment), pageInfo: page }),
})
export type LinearIssue = z.infer<typeof issue>

const answer = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject({ data: z.looseObject(shape) }).transform(({ data }) => data)

export const identityAnswer = answer({
  viewer: z.looseObject({ id: z.string().min(1), name: text, email: text }),
  organization: z.looseObject({ id: z.string().min(1), name: text }),
})
export const teamsAnswer = answer({
  teams: z.looseObject({
    nodes: z.array(listedPart),
    pageInfo: page,
  }),
})
export const issuesAnswer = answer({ issues: z.looseObject({ nodes: listedRows(issue, 'id'), pageInfo: page }) })
export const issueIdsAnswer = answer({
  issues: z.looseObject({
    nodes: z.array(
      z.looseObject({ id: z.string().min(1), title: text, trashed: z.boolean().nullish().catch(undefined) }),
    ),
    pageInfo: page,
  }),
})
export const changedCommentsAnswer = answer({
  comments: z.looseObject({
    nodes: z.array(z.looseObject({ issue: z.looseObject({ id: z.string().min(1) }).nullish() })),
    pageInfo: page,
  }),
})
export const commentsAnswer = answer({
  issue: z.looseObject({ comments: z.looseObject({ nodes: z.array(comment), pageInfo: page }) }),
})

const COMMENT = 'id body createdAt user { name } botActor { name }'
const PAGE = 'pageInfo { hasNextPage endCursor }'

export const QUERIES = {
  Identity: 'query Identity { viewer { id name email } organization { id name } }',
  Teams: `query Teams($after: String) { teams(first: 100, after: $after) { nodes { id name key } ${PAGE} } }`,
  Issues: `query Issues($filter: IssueFilter, $after: String) {
    issues(filter: $filter, first: 40, after: $after, orderBy: updatedAt, includeArchived: true) {
      nodes {
        id identifier title description url createdAt updatedAt dueDate trashed priorityLabel
        state { name } creator { name } assignee { name } project { name } cycle { name }
        parent { identifier title } labels { nodes { name } } team { name private }
        comments(first: 50) { nodes { ${COMMENT} } ${PAGE} }
      }
      ${PAGE}
    }
  }`,
  IssueIds: `query IssueIds($filter: IssueFilter, $after: String) {
    issues(filter: $filter, first: 250, after: $after, orderBy: updatedAt, includeArchived: true) {
      nodes { id title trashed } ${PAGE}
    }
  }`,
  ChangedComments: `query ChangedComments($filter: CommentFilter, $after: String) {
    comments(filter: $filter, first: 250, after: $after, orderBy: updatedAt) { nodes { issue { id } } ${PAGE} }
  }`,
  Comments: `query Comments($id: String!, $after: String) {
    issue(id: $id) { comments(first: 100, after: $after) { nodes { ${COMMENT} } ${PAGE} } }
  }`,
} as const
