import { z } from 'zod'
import { apiUrlField, connectionFields, grantFields, sinceField } from '../../src/connector/connection-fields.ts'

const GITHUB_KINDS = ['issues', 'pull_requests', 'discussions', 'releases', 'documents'] as const

export const GITHUB_API = 'https://api.github.com'

/** The OAuth family. GitHub apps have no scopes, so none is required. */
export const GITHUB_NEED = { provider: 'github', family: 'repositories', scopes: [] } as const

const DOCUMENTS = ['*.md', 'README*', 'CONTRIBUTING*', 'CHANGELOG*', 'docs/**', 'doc/**', '.github/*.md']

const repositoryRules = z.array(
  z.string().regex(/^[^/\s]+\/[^/\s]+$/, 'must be owner/name, where * matches any text, e.g. acme/shop or acme/*'),
)

export const githubConfig = z.strictObject({
  ...connectionFields(),
  ...grantFields(),
  base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address of your Enterprise server, e.g. https://github.acme.com, or https://acme.ghe.com; the addresses of its APIs follow from it.',
    ),
  api_url: apiUrlField(GITHUB_API).describe(
    `Address of the API itself, where \`base_url\` doesn't lead to it, e.g. behind a proxy. Default: ${GITHUB_API}.`,
  ),
  app_id: z
    .int()
    .optional()
    .describe(
      'ID of a GitHub App, instead of a token; with `installation_id` and `private_key_file`. Its tokens are requested and renewed automatically.',
    ),
  installation_id: z
    .int()
    .optional()
    .describe('ID of the installation of the app: the number at the end of the address of its settings page.'),
  private_key_file: z.string().min(1).optional().describe('File with the private key of the app (.pem).'),
  since: sinceField().describe(
    'Sync only issues, pull requests and discussions that changed on or after this day, e.g. 2024-01-01, and releases from then on. Files are synced whatever their age.',
  ),
  repositories: repositoryRules
    .optional()
    .describe(
      'Repositories to sync, e.g. ["acme/shop", "acme/doc-*"]. A full name can be any repository the token can read; `*` matches those you own, collaborate on or have access to as a member of an organization. Default: all of these; with an app, those it is installed on.',
    ),
  exclude: repositoryRules.default([]).describe('Repositories to exclude, e.g. ["acme/archive-*"].'),
  kinds: z
    .array(z.enum(GITHUB_KINDS))
    .min(1)
    .default([...GITHUB_KINDS])
    .describe(`What to sync from a repository: ${GITHUB_KINDS.join(', ')}. Default: all.`),
  bots: z
    .enum(['include', 'exclude'])
    .default('exclude')
    .describe(
      '`exclude`: skip comments by bots on issues, pull requests and discussions. What bots open, review and release is still synced.',
    ),
  documents: z
    .array(z.string().min(1))
    .default(DOCUMENTS)
    .describe(
      'Files of the default branch to sync, at most 1 MB each; `*` matches part of a name, `**` any folders. Text files only: md, markdown, mdx, txt, rst, adoc, asciidoc, org, textile, or a name without a dot.',
    ),
})

export type GithubConfig = z.infer<typeof githubConfig>

const instant = z.iso.datetime({ offset: true })

/** The page of a listing on which any later change appears, and its ETag. */
const tail = z.object({ since: instant.optional(), etag: z.string() })

export const githubCursor = z.discriminatedUnion('kind', [
  /** The first full scan, up to `reached`, or only of what is recent; what changes after `startedAt` is read after it. */
  z.object({ kind: z.literal('issues-walk'), startedAt: instant, reached: instant.optional() }),
  /** Every change before `watermark` was yielded. */
  z.object({
    kind: z.literal('issues'),
    watermark: instant,
    /** When the listings of comments were last requested. */
    commentsAt: instant,
    tails: z.object({ issues: tail.optional(), comments: tail.optional(), reviewComments: tail.optional() }),
  }),
  /** Without `after`: only what is recent was read. Scans of earlier versions did not begin with it. */
  z.object({
    kind: z.literal('discussions-walk'),
    startedAt: instant,
    after: z.string().optional(),
    recentRead: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('discussions'), watermark: instant }),
  z.object({ kind: z.literal('releases'), etag: z.string().optional() }),
  /** Without `tree`: the repository was empty. `push`: its last push, and the branch; absent when that was just now. */
  z.object({
    kind: z.literal('documents'),
    tree: z.string().optional(),
    etag: z.string().optional(),
    push: z.string().optional(),
  }),
])

export type GithubCursor = z.infer<typeof githubCursor>
export type CursorOf<Kind extends GithubCursor['kind']> = Extract<GithubCursor, { kind: Kind }>
