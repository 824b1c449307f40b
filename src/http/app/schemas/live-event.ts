/** A message of `GET /app/api/events`. The name is the first key of the affected queries. */
export type { LiveEvent, LiveProgress } from '../../../domain/activity.ts'
