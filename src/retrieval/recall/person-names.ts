import { foldName } from '../../domain/fold-name.ts'
import type { NameDecision } from '../../store/names/names.ts'
import type { SearchIndex } from '../../store/search/search.ts'

/** The person of each name that the owner decided about, both folded; a name that leads to itself is a separate person. */
export type DecidedNames = ReadonlyMap<string, string>

export const NOTHING_DECIDED: DecidedNames = new Map()

export async function readDecidedNames(index: SearchIndex): Promise<DecidedNames> {
  return decidedNames(await index.nameDecisions())
}

export function decidedNames(decisions: readonly NameDecision[]): DecidedNames {
  const next = new Map(decisions.map(({ name, mergedInto }) => [foldName(name), foldName(mergedInto ?? name)]))
  return new Map([...next.keys()].map((name) => [name, lastName(name, next)]))
}

function lastName(name: string, next: ReadonlyMap<string, string>): string {
  let at = name
  for (const passed = new Set<string>(); !passed.has(at); ) {
    passed.add(at)
    at = next.get(at) ?? at
  }
  return at
}

/** A person in a filter or a question, with the names that the owner merged. */
export interface WantedPerson {
  /** Names that match as a whole, folded. */
  readonly exact: ReadonlySet<string>
  /** Names that match by their parts: see `matchesPerson`. */
  readonly parts: readonly string[]
}

/**
 * A name that the owner decided about is only this person; another one is whoever has it in their name, with the other
 * names of these people.
 */
export function wantedPerson(person: string, decided: DecidedNames): WantedPerson {
  const key = foldName(person)
  const own = decided.get(key)
  const merged = [...decided].filter(([name, into]) => name !== into)
  const isWanted = (into: string) =>
    own === undefined
      ? matchesPerson(person, [into, ...merged.flatMap(([name, other]) => (other === into ? [name] : []))])
      : into === own
  const people = new Set([...merged.map(([, into]) => into).filter(isWanted), ...(own === undefined ? [] : [own])])
  const exact = merged.flatMap(([name, into]) => (people.has(into) ? [name] : []))
  const isSplit = (name: string) => decided.get(name) === name
  return {
    exact: new Set([...exact, ...[...people].filter(isSplit)]),
    parts: [...(own === undefined ? [person] : []), ...[...people].filter((name) => !isSplit(name))],
  }
}

/** `undefined`: nobody is wanted. */
export async function readWantedPerson(
  person: string | undefined,
  index: SearchIndex,
): Promise<WantedPerson | undefined> {
  return person === undefined ? undefined : wantedPerson(person, await readDecidedNames(index))
}

/** All spellings, for a search by words. */
export function spellingsOf({ exact, parts }: WantedPerson): readonly string[] {
  return [...parts, ...exact]
}

/** Whether one of these names is the person's. */
export function isPerson({ exact, parts }: WantedPerson, names: readonly string[]): boolean {
  return parts.some((part) => matchesPerson(part, names)) || names.some((name) => exact.has(foldName(name)))
}

const MARKS = /\p{M}+/gu
const BETWEEN_NAMES = /[^\p{L}\p{N}]+/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/**
 * Whether the input matches one of these names: the full name, one of its parts, or the start of a part (`ann` matches
 * Ann Lee and Anna, but not Hannah). Ignores case and accents.
 */
export function matchesPerson(person: string, names: readonly string[]): boolean {
  const wanted = comparableName(person)
  if (wanted === '') return false
  const start = UNSPACED.test(wanted) ? wanted : ` ${wanted}`
  return names.some((name) => ` ${comparableName(name)}`.includes(start))
}

function comparableName(name: string): string {
  return name.normalize('NFKD').replace(MARKS, '').toLowerCase().replace(BETWEEN_NAMES, ' ').trim()
}
