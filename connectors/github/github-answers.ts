import { z } from 'zod'

/** The used fields of GitHub's responses; fields that older servers lack are optional. */

export const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
/** Of another kind than expected: as if it were absent. One odd field must not refuse a page. */
const text = z.string().nullish().catch(null)
/** Null for deleted people. Only the type `Bot` matters. */
export const personAnswer = z.object({ login: z.string(), type: text }).nullish().catch(null)
export type Person = z.infer<typeof personAnswer>

export const identityAnswer = z.object({ id: z.int(), login: z.string() })

/** All repositories of an app installation have one owner. */
export const installationAnswer = z.object({ repositories: z.array(z.object({ owner: identityAnswer })) })

export const repositoryAnswer = z.object({
  id: z.int(),
  name: z.string(),
  full_name: z.string(),
  owner: z.object({ login: z.string() }),
  html_url: z.string(),
  private: z.boolean().catch(true),
  /** Of organizations with enterprise accounts: `internal`. */
  visibility: text,
  default_branch: z.string().catch('main'),
  /** To any branch. */
  pushed_at: instant.nullish().catch(null),
  has_discussions: z.boolean().nullish().catch(null),
})
export type Repository = z.infer<typeof repositoryAnswer>

export const installedRepositoriesAnswer = z
  .object({ repositories: z.array(repositoryAnswer) })
  .transform(({ repositories }) => repositories)

export const issueAnswer = z.object({
  id: z.int(),
  number: z.int(),
  title: z.string().catch('(no title)'),
  body: text,
  user: personAnswer,
  state: z.string().catch('unknown'),
  state_reason: text,
  labels: z.array(z.union([z.string(), z.object({ name: text })])).catch([]),
  milestone: z.object({ title: z.string() }).nullish().catch(null),
  assignees: z
    .array(z.object({ login: z.string() }))
    .nullish()
    .catch(null),
  comments: z.int().catch(0),
  draft: z.boolean().nullish().catch(null),
  /** Only pull requests have it. */
  pull_request: z.object({ merged_at: text }).nullish(),
  html_url: z.string().catch(''),
  created_at: instant,
  updated_at: instant,
  /** Also of merged pull requests. */
  closed_at: instant.nullish().catch(null),
})
export type Issue = z.infer<typeof issueAnswer>

const comment = z.object({
  id: z.int(),
  user: personAnswer,
  body: text,
  html_url: z.string().catch(''),
  created_at: instant,
  updated_at: instant,
})
/** What an item shows of a comment. */
export type ThreadComment = Omit<z.infer<typeof comment>, 'html_url'>

/** Only the last line, which is commented on, is kept. */
export const lastHunkLine = text.transform((hunk) => hunk?.trimEnd().split('\n').at(-1))

export const issueCommentAnswer = comment.extend({ issue_url: z.string() })
export type IssueComment = z.infer<typeof issueCommentAnswer>

export const reviewCommentAnswer = comment.extend({
  pull_request_url: z.string(),
  path: z.string(),
  line: z.int().nullish().catch(null),
  original_line: z.int().nullish().catch(null),
  diff_hunk: lastHunkLine,
})
export type ReviewComment = z.infer<typeof reviewCommentAnswer>
export type ThreadLineComment = Omit<ReviewComment, 'html_url' | 'pull_request_url'>

export const reviewAnswer = z.object({
  id: z.int(),
  user: personAnswer,
  body: text,
  state: z.string().catch('unknown'),
  /** Absent while it is being written. */
  submitted_at: instant.nullish().catch(null),
})
export type Review = z.infer<typeof reviewAnswer>

const changedFile = z.object({
  filename: z.string(),
  status: z.string().catch('modified'),
  additions: z.int().catch(0),
  deletions: z.int().catch(0),
})
export type ChangedFile = z.infer<typeof changedFile>
/** Of a file without its name there is nothing to tell. */
export const changedFilesAnswer = z
  .array(changedFile.nullable().catch(null))
  .transform((files) => files.filter((file) => file !== null))

export const releaseAnswer = z.object({
  id: z.int(),
  tag_name: z.string().catch('(no tag)'),
  name: text,
  body: text,
  author: personAnswer,
  draft: z.boolean().catch(false),
  prerelease: z.boolean().catch(false),
  html_url: z.string().catch(''),
  created_at: instant.nullish().catch(null),
  published_at: instant.nullish().catch(null),
})
export type Release = z.infer<typeof releaseAnswer>

export const treeAnswer = z.object({
  sha: z.string(),
  tree: z.array(
    z.object({
      path: z.string(),
      type: z.string(),
      sha: z.string(),
      mode: z.string(),
      size: z.int().nullish(),
    }),
  ),
  truncated: z.boolean(),
})
export type Tree = z.infer<typeof treeAnswer>

export const blobAnswer = z.object({ content: z.string(), encoding: z.string() })
