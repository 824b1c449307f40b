import { z } from 'zod'
import { SUBJECT_KINDS } from '../../../domain/profile.ts'

export type { KnownStatement, Profile, SubjectList, SubjectPage } from '../../../domain/profile.ts'

const NAME_MAX_CHARACTERS = 300
const kind = z.enum(SUBJECT_KINDS, { error: `must be one of ${SUBJECT_KINDS.join(', ')}` })

/** `GET /app/api/subjects/:kind` */
export const subjectKind = z.object({ kind })
export const subjectListQuery = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(60),
  /** Only those with this text in a name. */
  name: z.string().max(NAME_MAX_CHARACTERS, 'is too long').default(''),
})

/** `GET /app/api/subjects/:kind/:name` */
export const subjectReference = z.object({
  kind,
  name: z.string().min(1, 'must not be empty').max(NAME_MAX_CHARACTERS, 'is too long'),
})
