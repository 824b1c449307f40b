import { z } from 'zod'

/** How far a project, or the tasks of the person in a workspace, were read. */
export const asanaCursor = z.object({
  /** Everything that changed before was yielded. */
  modifiedSince: z.iso.datetime({ offset: true }),
  /** Token of the events that follow; absent where Asana gave none. */
  sync: z.string().optional(),
  /** Digest of the project as it was listed. */
  project: z.string().optional(),
  /** Other projects at which tasks of this one are taken: when one of them is lost, they are taken here. */
  homes: z.array(z.string()).default([]),
})

export type AsanaCursor = z.infer<typeof asanaCursor>
