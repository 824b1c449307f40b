import { foldName } from '../../domain/fold-name.ts'
import type { Profile, SubjectKind, SubjectList, SubjectPage, SubjectQuery } from '../../domain/profile.ts'
import type { SourceType } from '../../domain/source-type.ts'
import type { SearchIndex } from '../../store/search/search.ts'
import { editsAbout, readEdits } from '../recall/memory-edits.ts'
import { type DecidedNames, readDecidedNames } from '../recall/person-names.ts'
import { inSlices } from './in-slices.ts'
import { type KnownMemory, ownWords, readKnownMemory } from './known-memory.ts'
import { openPromises } from './open-promises.ts'
import {
  type FoundStatement,
  mergeStatements,
  type OwnKind,
  ownStatements,
  promisesIn,
  repeatedEvent,
} from './statements.ts'
import { findSubjects, isPast, type Subject, subjectPage, summaryOf } from './subjects.ts'

/** Maximum memories read, newest first, in slices because this runs on the main thread. */
const MOST_LOOKED_AT = 5_000

/** The input of profiles: the newest memories, without those that their owner corrected. */
export interface Known {
  readonly memories: readonly KnownMemory[]
  readonly owners: ReadonlySet<string>
  readonly isComplete: boolean
  /** Names of people that the owner merged and split. */
  readonly decided: DecidedNames
  readonly now: Date
  /** `2026-03-04`, in the zone of the account. */
  readonly dayOf: (at: number) => string
}

export interface KnownInput {
  readonly index: SearchIndex
  /** Of the key; absent in the app. */
  readonly userName?: string
  readonly timeZone: string
  readonly now: Date
  /** Maximum memories to read. */
  readonly most?: number
  /** Only memories of these sources. */
  readonly source?: SourceType
}

export async function readKnown(input: KnownInput): Promise<Known> {
  const { index, userName, timeZone, now, source, most = MOST_LOOKED_AT } = input
  const [rows, edits, decided] = await Promise.all([
    index.latestMemories(most, source),
    readEdits(index, now),
    readDecidedNames(index),
  ])
  const edited = new Set(edits.map(({ itemId }) => itemId))
  const valid = rows.filter((row) => !edited.has(row.itemId) || !isCorrected(row, edits))
  const memories = await inSlices(valid, (row) => [readKnownMemory(row)])
  const days = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  return {
    memories,
    owners: new Set([...rows.map((row) => row.userName), ...(userName === undefined ? [] : [userName])]),
    isComplete: rows.length < most,
    decided,
    now,
    dayOf: (at) => days.format(at),
  }
}

function isCorrected(row: Parameters<typeof editsAbout>[0], edits: Parameters<typeof editsAbout>[1]): boolean {
  return editsAbout(row, edits).some(({ correction }) => correction !== undefined)
}

function extent({ memories, isComplete }: Known) {
  return { looked_at: memories.length, is_complete: isComplete }
}

export function subjectsOf({ memories, owners, decided }: Known, kind: SubjectKind): Subject[] {
  return findSubjects(kind, memories, owners, decided)
}

/** @param name only those with this text in a name */
export function listSubjects(known: Known, query: Required<SubjectQuery>): SubjectList {
  const { kind, offset, limit, name } = query
  const text = foldName(name)
  const isFound = (one: Subject) => [one.name, ...one.aliases].some((spelling) => foldName(spelling).includes(text))
  const subjects = subjectsOf(known, kind).filter(isFound)
  return {
    kind,
    subjects: subjects.slice(offset, offset + limit).map((subject) => summaryOf(subject, known)),
    total: subjects.length,
    ...extent(known),
  }
}

/** `undefined`: no subject has this name; `similar` has similar names. */
export async function readSubject(
  known: Known,
  kind: SubjectKind,
  name: string,
): Promise<{ readonly page: SubjectPage | undefined; readonly similar: readonly string[] }> {
  const subjects = subjectsOf(known, kind)
  const found = namedSubject(subjects, name)
  if (found === undefined) return { page: undefined, similar: similarNames(subjects, name) }
  return { page: { ...(await subjectPage(kind, found, known)), ...extent(known) }, similar: [] }
}

/** By full name, otherwise the only one whose name starts with these words. */
export function namedSubject(subjects: readonly Subject[], name: string): Subject | undefined {
  const key = foldName(name)
  const whole = subjects.find((one) => [one.name, ...one.aliases].some((spelling) => foldName(spelling) === key))
  const starting = subjects.filter((one) => foldName(one.name).startsWith(`${key} `))
  return whole ?? (starting.length === 1 ? starting[0] : undefined)
}

const MOST_SIMILAR = 5

export function similarNames(subjects: readonly Subject[], name: string): string[] {
  const parts = foldName(name).split(' ')
  return subjects
    .filter((one) => parts.some((part) => part.length > 1 && foldName(one.name).includes(part)))
    .slice(0, MOST_SIMILAR)
    .map((one) => one.name)
}

const OWN_KINDS: readonly OwnKind[] = ['preferences', 'roles', 'routines']
const MOST = { statements: 12, promises: 20, subjects: 10 }
const LATELY_MS = 30 * 86_400_000

export async function createProfile(known: Known): Promise<Profile> {
  const { memories, now } = known
  const found = await inSlices(memories, (memory) => {
    const words = ownWords(memory)
    return OWN_KINDS.map((kind) => [kind, ownStatements(kind, memory, words)] as const)
  })
  const own = (wanted: OwnKind) => found.flatMap(([kind, statements]) => (kind === wanted ? statements : []))
  const events = memories.flatMap((memory): FoundStatement[] => {
    const text = repeatedEvent(memory)
    return text === undefined ? [] : [{ text, memory }]
  })
  const mine = (await inSlices(memories, promisesIn)).filter(({ by }) => by === 'I')
  const past = memories.filter((memory) => isPast(memory, now))
  const newest = Math.max(0, ...past.map(({ row }) => row.at ?? 0))
  const lately = past.filter(({ row }) => (row.at ?? 0) > newest - LATELY_MS)
  const subjects = (kind: SubjectKind) =>
    subjectsOf({ ...known, memories: lately }, kind)
      .slice(0, MOST.subjects)
      .map((subject) => summaryOf(subject, known))
  return {
    preferences: mergeStatements(own('preferences'), MOST.statements),
    roles: mergeStatements(own('roles'), MOST.statements),
    routines: mergeStatements([...events, ...own('routines')], MOST.statements),
    open_promises: mergeStatements(await openPromises(mine, memories), MOST.promises),
    people: subjects('person'),
    projects: subjects('project'),
    ...extent(known),
  }
}
