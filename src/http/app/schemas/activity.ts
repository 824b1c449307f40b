import { z } from 'zod'
import { ACTOR_TYPES, type ActivityActor, type ActivityEntry, isActivityKind } from '../../../domain/activity.ts'

export type { ActivityActor, ActivityEntry, ActivityKind } from '../../../domain/activity.ts'

const DEFAULT_LIMIT = 50
const MOST = 200
const ACTOR = new RegExp(`^(${ACTOR_TYPES.join('|')})(?::(.{1,300}))?$`, 's')

/** `GET /app/api/activity`: activity of the account, newest first. */
export const activityQuery = z.object({
  /** `next` of the previous page. */
  before: z.coerce.number().int().min(1).optional(),
  /** Separated by commas. */
  kinds: z
    .string()
    .transform((names) => names.split(','))
    .pipe(
      z.array(
        z.custom<ActivityEntry['kind']>(
          (name) => typeof name === 'string' && isActivityKind(name),
          'is not a known kind of activity',
        ),
      ),
    )
    .optional(),
  /** `key`, `person`, `connection` or `server`; with an id, one of them: `key:key_1`, `connection:slack/acme`. */
  actor: z
    .string()
    .regex(ACTOR, 'must be key, person, connection or server, with or without an id: key:key_1')
    .transform((text) => {
      const [, type, id] = ACTOR.exec(text) ?? []
      return { type: type as ActivityActor['type'], ...(id !== undefined && { id }) }
    })
    .optional(),
  limit: z.coerce.number().int().min(1).max(MOST).default(DEFAULT_LIMIT),
})

export interface ActivityPage {
  readonly entries: readonly ActivityRecord[]
  /** For `before` of the next page; null: this is the last page. */
  readonly next: number | null
}

export interface ActivityRecord {
  readonly id: number
  /** ISO 8601. */
  readonly at: string
  readonly actor: ActivityActor
  /** `text` is null for members if somebody else asked. */
  readonly entry: ActivityEntry
}

/** `GET /app/api/activity/actors`: everyone in it, most recently active first. */
export interface ActivityActors {
  readonly actors: readonly ActivityActor[]
}

/** A message of `GET /app/api/events`. The name is the first key of the affected queries. */
export type { LiveEvent, LiveProgress } from '../../../domain/activity.ts'
