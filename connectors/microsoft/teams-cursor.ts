import { z } from 'zod'

/** How far a channel or a chat was read. Links and paths are below the root of Graph; times are ISO. */
export const teamsCursor = z.discriminatedUnion('step', [
  /** A channel from its newest message back; `link` leads to the next page. */
  z.strictObject({ step: z.literal('history'), begun: z.string(), link: z.string().optional() }),
  z.strictObject({ step: z.literal('delta'), link: z.string() }),
  /** A chat from its newest day back; what is at or after `before` has been read. */
  z.strictObject({ step: z.literal('days'), begun: z.string(), before: z.string().optional() }),
  /** All that was changed before `at` has been read. */
  z.strictObject({ step: z.literal('changes'), at: z.string() }),
])

export type TeamsCursor = z.infer<typeof teamsCursor>
