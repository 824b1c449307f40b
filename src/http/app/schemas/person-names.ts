import { z } from 'zod'

export type { NameDecisionEntry, NameDecisionList, NameDecisionResult } from '../../../domain/name-decision.ts'

const NAME_MAX_CHARACTERS = 300
const name = z.string().min(1, 'must not be empty').max(NAME_MAX_CHARACTERS, 'is too long')

/** In the path of `/app/api/person-names/:name` and below. */
export const personName = z.object({ name })

/** `PUT /app/api/person-names/:name/merge` */
export const mergeRequest = z.object({ into: name })

/** `DELETE /app/api/person-names/:name` */
export interface UndoneDecision {
  readonly undone: number
}
