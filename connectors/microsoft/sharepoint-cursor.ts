import { z } from 'zod'

/** How far a site was read. */
export const sharePointCursor = z.strictObject({
  /** By drive: `@odata.nextLink` of a walk, or `@odata.deltaLink` of one that ended. */
  drives: z.record(z.string(), z.string()),
  /** By list, likewise. */
  lists: z.record(z.string(), z.string()),
  /** Pages that were there, with a digest of what the listing said of them; 50 bytes each. */
  pages: z.record(z.string(), z.string()).optional(),
})

export type SharePointCursor = z.infer<typeof sharePointCursor>
