import { z } from 'zod'

export const liveProgress = z.object({
  /** Title of the partition that is read. */
  partition: z.string().optional(),
  partitionsDone: z.number(),
  partitionsTotal: z.number(),
  memorized: z.number(),
  unchanged: z.number(),
  removed: z.number(),
  failed: z.number(),
  /** Waits for a rate limit until then, ISO 8601. */
  waitingUntil: z.string().optional(),
})
export type LiveProgress = z.infer<typeof liveProgress>

/** A message of `GET /app/api/events`: what changed, never its contents. The name is the first key of the queries it is about. */
export const liveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['items', 'sources', 'activity', 'keys', 'people']) }),
  z.object({ type: z.literal('sync'), connection: z.string(), progress: liveProgress }),
])
export type LiveEvent = z.infer<typeof liveEvent>
