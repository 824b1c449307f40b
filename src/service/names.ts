import { AppError } from '../domain/errors.ts'
import { foldName } from '../domain/fold-name.ts'
import type { NameDecisionEntry, NameDecisionResult, NamingMemory } from '../domain/name-decision.ts'
import { type Known, namedSubject, similarNames, subjectsOf } from '../retrieval/profile/profile.ts'
import { type Subject, separableNames } from '../retrieval/profile/subjects.ts'
import type { NameDecision } from '../store/names/names.ts'
import { editorName, type Principal, requireWrite } from './principal.ts'
import { nameNotFound, readKnownOf } from './profile.ts'
import { PERSON_MAX_CHARACTERS } from './recall.ts'
import type { ServiceContext } from './service-context.ts'

/** Names of people that the owner merges and splits: see `NamingMemory`. */
export type NameUseCases = {
  [Name in keyof NamingMemory]: (
    principal: Principal,
    ...rest: Parameters<NamingMemory[Name]>
  ) => ReturnType<NamingMemory[Name]>
}

export function nameUseCases(context: ServiceContext): NameUseCases {
  const readPeople = async (principal: Principal): Promise<People> => {
    const known = await readKnownOf(context, principal)
    return { known, subjects: subjectsOf(known, 'person') }
  }
  const decide = async (principal: Principal, decision: Pick<NameDecision, 'name' | 'mergedInto'>) => {
    const { names } = context.store.scoped(principal.scope)
    const by = editorName(principal)
    const replaced = await names.decide({ ...decision, by })
    return result({ ...decision, by, at: context.clock() }, replaced)
  }
  return {
    async nameDecisions(principal) {
      const all = await context.store.scoped(principal.scope).names.list()
      if (principal.scope.sources === 'all' || all.length === 0) return { decisions: all.map(entry) }
      // A key for some sources sees only names that occur in them.
      const { known, subjects } = await readPeople(principal)
      const isSeen = (name: string) => ownerOrSubject({ known, subjects }, name) !== undefined
      const seen = all.filter(({ name, mergedInto = name }) => isSeen(name) && isSeen(mergedInto))
      return { decisions: seen.map(entry) }
    },
    async mergeNames(principal, given) {
      requireWrite(principal)
      const people = await readPeople(principal)
      const [name, into] = [checkedName(given.name, 'name'), checkedName(given.into, 'into')]
      const [one, other] = [requireKnown(people, name, 'name'), requireKnown(people, into, 'into')]
      const target = spelling(other, other.key) ?? into
      const isWhole = foldName(one.name) === foldName(name) && one.key !== other.key
      const merged = (isWhole && spelling(one, one.key)) || name
      if (foldName(merged) === foldName(target)) {
        throw new AppError('invalid', `${name} and ${into} are already one person.`, { field: 'into' })
      }
      return decide(principal, { name: merged, mergedInto: target })
    },
    async splitName(principal, given) {
      requireWrite(principal)
      const people = await readPeople(principal)
      const name = checkedName(given, 'name')
      const subject = requireKnown(people, name, 'name')
      const separable = separableNames(subject).find((one) => foldName(one) === foldName(name))
      if (separable === undefined && !isOwnersFirstName(people.known, name)) {
        throw new AppError('invalid', `${name} is not joined with another name.`, { field: 'name' })
      }
      return decide(principal, { name: separable ?? name })
    },
    async undoNameDecision(principal, name) {
      requireWrite(principal)
      const { names } = context.store.scoped(principal.scope)
      return { status: 'success', undone: (await names.undo(name)) ? 1 : 0 }
    },
  }
}

interface People {
  readonly known: Known
  readonly subjects: readonly Subject[]
}

/** The person of a name, or the owner. */
function ownerOrSubject({ known, subjects }: People, name: string): Subject | undefined {
  const key = foldName(name)
  const owner = [...known.owners].find((one) => foldName(one) === key || foldName(one).split(' ')[0] === key)
  const found = namedSubject(subjects, name)
  if (found !== undefined || owner === undefined) return found
  return { key: foldName(owner), name: owner, aliases: [], memories: [], contacts: [] }
}

/** A name that occurs as a whole. @throws AppError `not_found` */
function requireKnown(people: People, name: string, field: 'name' | 'into'): Subject {
  const found = ownerOrSubject(people, name)
  if (found !== undefined) return found
  throw nameNotFound('person', name, similarNames(people.subjects, name), field)
}

function isOwnersFirstName({ owners }: Known, name: string): boolean {
  return [...owners].some(
    (owner) => foldName(owner).split(' ')[0] === foldName(name) && foldName(owner) !== foldName(name),
  )
}

function spelling({ name, aliases }: Subject, key: string): string | undefined {
  return [name, ...aliases].find((one) => foldName(one) === key)
}

function checkedName(given: string, field: 'name' | 'into'): string {
  const name = given.replace(/\s+/g, ' ').trim().toWellFormed()
  if (foldName(name) === '') throw new AppError('invalid', `${field} must not be blank`, { field })
  if ([...name].length <= PERSON_MAX_CHARACTERS) return name
  throw new AppError('invalid', `${field} must be at most ${PERSON_MAX_CHARACTERS} characters`, { field })
}

function entry({ name, mergedInto, by, at }: NameDecision): NameDecisionEntry {
  return { name, ...(mergedInto !== undefined && { merged_into: mergedInto }), by, at: at.toISOString() }
}

function result(decision: NameDecision, replaced: NameDecision | undefined): NameDecisionResult {
  return { status: 'success', decision: entry(decision), ...(replaced && { replaced: entry(replaced) }) }
}
