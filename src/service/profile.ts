import { AppError } from '../domain/errors.ts'
import type { KnowingMemory, SubjectKind } from '../domain/profile.ts'
import { createProfile, type Known, listSubjects, readKnown, readSubject } from '../retrieval/profile/profile.ts'
import { checkBilling } from './billing.ts'
import type { Principal } from './principal.ts'
import type { ServiceContext } from './service-context.ts'

export const DEFAULT_SUBJECT_LIMIT = 100
export const MAX_SUBJECT_LIMIT = 1_000

/** Profiles of the owner and of others: see `KnowingMemory`. Derived at each call within the scope of the key. */
export type ProfileUseCases = {
  [Name in keyof KnowingMemory]: (
    principal: Principal,
    ...rest: Parameters<KnowingMemory[Name]>
  ) => ReturnType<KnowingMemory[Name]>
}

export function profileUseCases(context: ServiceContext): ProfileUseCases {
  const known = (principal: Principal) => readKnownOf(context, principal)
  return {
    profile: async (principal) => await createProfile(await known(principal)),
    subjects: async (principal, { kind, limit = DEFAULT_SUBJECT_LIMIT, offset = 0, name = '' }) =>
      listSubjects(await known(principal), { kind, limit, offset, name }),
    async subject(principal, { kind, name }) {
      const { page, similar } = await readSubject(await known(principal), kind, name)
      if (page === undefined) throw nameNotFound(kind, name, similar)
      return page
    },
  }
}

/** What the key may see. */
export async function readKnownOf(context: ServiceContext, principal: Principal): Promise<Known> {
  await checkBilling(context, principal, 'recall')
  const { index } = context.store.scoped(principal.scope)
  const { timeZone, userName } = principal
  return readKnown({ index, timeZone, now: context.clock(), ...(userName !== undefined && { userName }) })
}

/** Written out, because the app translates whole sentences. */
const UNMENTIONED: Readonly<Record<SubjectKind, string>> = {
  person: 'No memory mentions a person called',
  project: 'No memory mentions a project called',
  place: 'No memory mentions a place called',
}

export function nameNotFound(kind: SubjectKind, name: string, similar: readonly string[], field = 'name'): AppError {
  const hint = similar.length === 0 ? '' : ` Did you mean ${similar.join(', ')}?`
  return new AppError('not_found', `${UNMENTIONED[kind]} ${name}.${hint}`, { field })
}
