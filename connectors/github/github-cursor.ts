import { z } from 'zod'

const instant = z.iso.datetime({ offset: true })

/** The one page of a listing that shows any later change, and its ETag. */
const tail = z.object({ since: instant.optional(), etag: z.string() })

export const githubCursor = z.discriminatedUnion('kind', [
  /** The first walk, up to `reached`; what changes after `startedAt` is read after it. */
  z.object({ kind: z.literal('issues-walk'), startedAt: instant, reached: instant }),
  /** Everything that changed before `watermark` was yielded. */
  z.object({
    kind: z.literal('issues'),
    watermark: instant,
    /** When the listings of comments were last asked for. */
    commentsAt: instant,
    tails: z.object({ issues: tail.optional(), comments: tail.optional(), reviewComments: tail.optional() }),
  }),
  z.object({ kind: z.literal('discussions-walk'), startedAt: instant, after: z.string() }),
  z.object({ kind: z.literal('discussions'), watermark: instant }),
  z.object({ kind: z.literal('releases'), etag: z.string().optional() }),
  /** Without `tree`: the repository was empty. `push`: the last one to it, and the branch; absent when it was just now. */
  z.object({
    kind: z.literal('documents'),
    tree: z.string().optional(),
    etag: z.string().optional(),
    push: z.string().optional(),
  }),
])

export type GithubCursor = z.infer<typeof githubCursor>
export type CursorOf<Kind extends GithubCursor['kind']> = Extract<GithubCursor, { kind: Kind }>
