import { foldName, TITLED } from '../../domain/fold-name.ts'
import type { SubjectKind, SubjectPage, SubjectSummary } from '../../domain/profile.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { readCard } from '../../lib/contact-text.ts'
import { type DecidedNames, NOTHING_DECIDED } from '../recall/person-names.ts'
import { isDecidedBy } from './decided-by.ts'
import { contentTerms, type KnownMemory } from './known-memory.ts'
import { openPromises } from './open-promises.ts'
import {
  decisionsIn,
  type FoundPromise,
  type FoundStatement,
  firstName,
  mergeStatements,
  promisesIn,
} from './statements.ts'

/** A person, project or place in memories, under one spelling. */
export interface Subject {
  /** The name to which the others were joined, folded. */
  readonly key: string
  readonly name: string
  readonly aliases: readonly string[]
  /** Newest first. */
  readonly memories: readonly KnownMemory[]
  /** Those in which a person takes part. */
  readonly contacts: readonly KnownMemory[]
}

const ENTITY_TYPES: Readonly<Record<SubjectKind, readonly string[]>> = {
  person: ['person'],
  project: ['project', 'repository'],
  place: ['place'],
}

/** Names for nobody in particular, which get no profile. */
const NOBODY =
  /^(?:assistant|user|somebody|someone|nobody|no one|anybody|anyone|everybody|everyone|niemand|jemand|unknown|human|system|bot|me|you)$/i

interface Named {
  readonly memory: KnownMemory
  readonly isContact: boolean
}

/**
 * All subjects of one kind, most memories first. Names are merged and split as the owner decided; otherwise a first name alone stands for the person with that first name if there
 * is only one, and a nickname, address or handle for the contact that has it; other spellings are merged only if they
 * differ in case, spaces and accents.
 */
export function findSubjects(
  kind: SubjectKind,
  memories: readonly KnownMemory[],
  owners: ReadonlySet<string>,
  decided = NOTHING_DECIDED,
): Subject[] {
  const spellings = new Map<string, Map<string, Named[]>>()
  // A few hundred names stand in thousands of memories.
  const keys = new Map<string, string | undefined>()
  const keyOf = (name: string) => {
    if (!keys.has(name)) keys.set(name, owners.has(name) || NOBODY.test(name) ? undefined : foldName(name))
    return keys.get(name)
  }
  for (const memory of memories)
    for (const { name, isContact } of namesIn(kind, memory)) {
      const key = keyOf(name)
      if (key === undefined || key.length < 2) continue
      const bySpelling = spellings.get(key) ?? new Map<string, Named[]>()
      spellings.set(key, bySpelling)
      const named = bySpelling.get(name) ?? []
      bySpelling.set(name, named)
      named.push({ memory, isContact })
    }
  const groups =
    kind === 'person' ? joinPeople(spellings, { owners, contacts: contactNames(memories), decided }) : spellings
  const chosen = new Set(kind === 'person' ? decided.values() : [])
  return [...groups]
    .map(([key, group]) => toSubject(key, group, chosen.has(key)))
    .toSorted((a, b) => b.memories.length - a.memories.length || (a.name < b.name ? -1 : 1))
}

function namesIn(kind: SubjectKind, { row, participants }: KnownMemory): { name: string; isContact: boolean }[] {
  const entities = (row.content.other_entities ?? []).filter(({ entity_type }) =>
    ENTITY_TYPES[kind].includes(entity_type),
  )
  const named = entities.map(({ entity_name }) => ({ name: entity_name, isContact: false }))
  if (kind !== 'person') return named
  // A shop that writes a mail takes part in it.
  const organizations = new Set(
    (row.content.other_entities ?? []).flatMap(({ entity_name, entity_type }) =>
      entity_type === 'organization' ? [entity_name] : [],
    ),
  )
  const people = participants.filter((name) => !organizations.has(name))
  return [...people.map((name) => ({ name, isContact: true })), ...named]
}

/** Names and addresses of a contact; the last ones are those of messengers. */
const CONTACT_ALIAS =
  /^(?:Also called|Nickname|Email(?: \([^)]*\))?|Slack|Skype|Google Chat|Hangouts|Jabber|AIM|ICQ|MSN|QQ|Yahoo|Chat): (\S.*)$/gm

/** The name in the address book for each nickname, mail address and handle there that belongs to one contact only. */
function contactNames(memories: readonly KnownMemory[]): ReadonlyMap<string, string> {
  const bearers = new Map<string, Set<string>>()
  for (const { row } of memories) {
    const { body = '' } = row.content
    const name = row.sourceType === 'contacts' ? readCard(body)?.name : undefined
    if (name === undefined) continue
    const aliases = [...body.matchAll(CONTACT_ALIAS)].map(([, alias = '']) => foldName(alias))
    for (const key of [foldName(name), ...aliases, ...aliases.map((alias) => alias.replace(/^@?/, '@'))])
      bearers.set(key, (bearers.get(key) ?? new Set()).add(foldName(name)))
  }
  return new Map(
    [...bearers].flatMap(([key, [bearer, ...more]]) => (bearer && more.length === 0 ? [[key, bearer]] : [])),
  )
}

interface PeopleInput {
  readonly owners: ReadonlySet<string>
  readonly contacts: ReadonlyMap<string, string>
  readonly decided: DecidedNames
}

/** Joins names as the owner decided, and first names, addresses and handles to the only person they can be. */
function joinPeople(
  spellings: ReadonlyMap<string, Map<string, Named[]>>,
  { owners, contacts, decided }: PeopleInput,
): Map<string, Map<string, Named[]>> {
  const ownNames = new Set([...owners].map(foldName))
  const whole = [...spellings.keys(), ...ownNames].filter((key) => key.includes(' '))
  /** By the address book first. */
  const bearerOf = (key: string) => {
    const contact = contacts.get(key)
    const called = key.includes(' ') ? [] : whole.filter((name) => isCalled(name, key))
    const [bearer = key, ...more] = contact !== undefined && contact !== key ? [contact] : called
    if (more.length > 0 || !(spellings.has(bearer) || ownNames.has(bearer))) return key
    // The address book may know the other spelling: `小林由紀`, `小林 由紀`.
    const known = contacts.get(bearer)
    return known !== undefined && spellings.has(known) ? known : bearer
  }
  const personOf = (key: string) => {
    const named = decided.get(key) ?? key
    const bearer = decided.has(named) ? named : bearerOf(named)
    return decided.get(bearer) ?? bearer
  }
  const groups = new Map<string, Map<string, Named[]>>()
  for (const [key, bySpelling] of spellings) {
    const into = personOf(key)
    if (into !== key && ownNames.has(into)) continue
    const group = groups.get(into) ?? new Map<string, Named[]>()
    for (const [spelling, named] of bySpelling) group.set(spelling, [...(group.get(spelling) ?? []), ...named])
    groups.set(into, group)
  }
  return groups
}

/**
 * Whether a first name alone, an address (`ann.lee@acme.com`, `ann@acme.com`), a handle (`@alee`, `ann-lee`) or a name without
 * its space (`佐藤健二`) can be this person's.
 */
function isCalled(name: string, key: string): boolean {
  const isAddress = /.@./.test(key)
  const written = isAddress ? key.split('@')[0]! : key.replace(/^@/, '')
  const local = isAddress || key.startsWith('@') ? written.replaceAll(/[._-]+/g, ' ') : written
  if (local === firstName(name) || local === name) return true
  const parts = name.split(' ')
  const [given = '', family = ''] = [parts[0], parts.at(-1)]
  if (UNSPACED.test(name)) return parts.join('') === local
  const bare = local.replaceAll(/[._ -]+/g, '')
  if (family.length < 3) return false
  // `dario.m`: with the initial of the family name behind a dot, which a first name of its own doesn't have.
  return (
    local === `${given}.${family.charAt(0)}` ||
    [given.charAt(0) + family, given + family, family + given.charAt(0)].includes(bare)
  )
}
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** @param isChosen the owner named this person by their key */
function toSubject(key: string, bySpelling: ReadonlyMap<string, readonly Named[]>, isChosen: boolean): Subject {
  const isKey = (spelling: string) => isChosen && foldName(spelling) === key
  const byUse = [...bySpelling].toSorted(
    ([a, one], [b, other]) =>
      Number(isKey(b)) - Number(isKey(a)) ||
      Number(TITLED.test(a)) - Number(TITLED.test(b)) ||
      Number(b.includes(' ')) - Number(a.includes(' ')) ||
      other.length - one.length ||
      (a < b ? -1 : 1),
  )
  const named = byUse.flatMap(([, all]) => all)
  const once = (all: readonly Named[]) =>
    [...new Map(all.map(({ memory }) => [memory.source.custom_id, memory])).values()].toSorted(
      (a, b) => (b.row.at ?? 0) - (a.row.at ?? 0),
    )
  return {
    key,
    name: byUse[0]![0],
    aliases: byUse.slice(1).map(([spelling]) => spelling),
    memories: once(named),
    contacts: once(named.filter(({ isContact }) => isContact)),
  }
}

/** Appointments that are still to come are no contact yet. */
export function isPast({ row: { at } }: KnownMemory, now: Date): boolean {
  return at === undefined || at <= now.getTime()
}

export function summaryOf(
  { name, memories }: Subject,
  { now, dayOf }: Pick<SubjectContext, 'now' | 'dayOf'>,
): SubjectSummary {
  // The date of a contact is a birthday.
  const dated = memories.filter(({ row }) => row.at !== undefined && row.sourceType !== 'contacts')
  const past = dated.filter((memory) => isPast(memory, now))
  const times = (past.length > 0 ? past : dated).flatMap(({ row: { at } }) => at ?? [])
  return {
    name,
    memories: memories.length,
    ...(times.length > 0 && { first: dayOf(Math.min(...times)), last: dayOf(Math.max(...times)) }),
  }
}

const MOST = { promises: 10, decisions: 10, facts: 15 }

interface SubjectContext {
  /** Any later one may report a promise as kept. */
  readonly memories: readonly KnownMemory[]
  readonly now: Date
  readonly dayOf: (at: number) => string
  readonly decided?: DecidedNames
}

/** Of the spellings joined to a person, those that can be split off, the most used of each name. */
export function separableNames({ key, name, aliases }: Subject): string[] {
  const byName = new Map([name, ...aliases].toReversed().map((spelling) => [foldName(spelling), spelling]))
  byName.delete(key)
  return [...byName.values()].toReversed()
}

/** The profile of one subject. */
export async function subjectPage(
  kind: SubjectKind,
  subject: Subject,
  { memories: all, now, dayOf, decided = NOTHING_DECIDED }: SubjectContext,
): Promise<Omit<SubjectPage, 'looked_at' | 'is_complete'>> {
  const { memories, contacts, name, aliases } = subject
  const spellings = [name, ...aliases]
  const isTheirs = (by: string) =>
    kind === 'person' &&
    spellings.some((one) => foldName(one) === foldName(by) || (firstName(one) === by && !decided.has(foldName(by))))
  const promises = await openPromises(memories.flatMap(promisesIn), all)
  const concerns = ({ text, by, memory }: FoundPromise) =>
    by === 'I' && (names(spellings, text) || (memory.participants.length <= 2 && contacts.includes(memory)))
  const isNamedIn = (text: string) => names(spellings, text)
  const contact = contacts.find((memory) => isPast(memory, now))
  const counts = Map.groupBy(memories, ({ row }) => row.sourceType)
  return {
    kind,
    ...summaryOf(subject, { now, dayOf }),
    aliases: [...aliases],
    ...(kind === 'person' && { separable: separableNames(subject) }),
    sources: [...counts]
      .map(([source, of]: [SourceType, KnownMemory[]]) => ({ source, memories: of.length }))
      .toSorted((a, b) => b.memories - a.memories),
    ...(contact !== undefined && { last_contact: contact.source }),
    their_promises: mergeStatements(
      promises.filter(({ by }) => isTheirs(by)),
      MOST.promises,
    ),
    my_promises: mergeStatements(promises.filter(concerns), MOST.promises),
    decisions: mergeStatements(
      memories.flatMap(decisionsIn).filter(({ text }) => kind !== 'person' || isDecidedBy(text, isNamedIn)),
      MOST.decisions,
    ),
    facts: mergeStatements([...statedFacts(subject), ...quotedFacts(subject)], MOST.facts),
  }
}

/** What memories state about a subject, newest first. */
export function statedFacts({ name, aliases, memories }: Subject): FoundStatement[] {
  const spellings = [name, ...aliases]
  return memories.flatMap((memory) =>
    memory.sentences.filter((text) => names(spellings, text) && !NO_FACT.test(text)).map((text) => ({ text, memory })),
  )
}

/** What somebody is quoted with: what isn't English is only quoted. */
function quotedFacts({ name, aliases, memories }: Subject): FoundStatement[] {
  const speakers = new Set([name, ...aliases].flatMap((one) => [foldName(one), foldName(firstName(one))]))
  const isTheirs = (text: string) => {
    const [lead = '', speaker = ''] = SAID.exec(text) ?? []
    const isTold = text.length <= LONGEST_QUOTATION && speakers.has(foldName(speaker))
    return isTold && contentTerms(text.slice(lead.length)).size >= FEWEST_TERMS
  }
  return memories.flatMap((memory) => memory.quotations.filter(isTheirs).map((text) => ({ text, memory })))
}

/** `Janek said: "..."` and `Janek: "..."`, with the name. */
const SAID = /^([^:"]{1,60}?)(?: (?:also )?(?:said|wrote|told me))?: "/
const LONGEST_QUOTATION = 220
/** `All done.` and `Running 10 late.` state nothing to keep. */
const FEWEST_TERMS = 4

/** Statements that are listed elsewhere, or only report that there was a message. */
const NO_FACT =
  /\b(?:promised|asked|offered) |\bwrote to (?:me|\p{Lu})|\bopened the |exchanged a few words|^I (?:have|had) (?:a meeting|an event)/u

function names(spellings: readonly string[], text: string): boolean {
  const words = ` ${foldName(text)
    .replace(/[^\p{L}\p{N}\s]+/gu, ' ')
    .replace(/\s+/g, ' ')} `
  return spellings.some(
    (one) => words.includes(` ${foldName(one)} `) || words.includes(` ${foldName(firstName(one))} `),
  )
}
