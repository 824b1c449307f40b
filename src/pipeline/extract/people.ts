import type { ParsedDocument, UploadedFile } from '../../domain/document.ts'
import { remembered } from '../../lib/remembered.ts'
import { isRole } from '../parse/conversation/turn-head.ts'
import { introducedNames } from './names/introductions.ts'
import { isAsker, isAssistant, isOrganizationName } from './names/participant-kinds.ts'
import { foldName, isAsianName, isHandleOf, isPartOfName, personKey } from './names/person-aliases.ts'

/** The persons of one document, from its structure: speakers, author, participants. */
export interface People {
  /** Whether this name, address or handle belongs to the account's owner. */
  isMe(name: string | undefined): boolean
  /** Whether the account's owner is among them. */
  readonly hasMe: boolean
  /** The display name: `Ann Lee` for `Ann Lee <ann@acme.test>`. */
  display(name: string): string
  /** Display name for a first or full name; `undefined` without a match or with two. */
  called(name: string): string | undefined
  /** Display name of the only person that a name can refer to: `Ann Lee` for `Dr. Lee`. */
  written(name: string): string | undefined
  /** Whether this display name belongs to a company or an institution. */
  isOrganization(name: string): boolean
  /** The first name if it is unique here; otherwise the whole display name. */
  familiar(name: string): string
  /** The words of all these names in lower case. */
  readonly nameWords: ReadonlySet<string>
  /** Everybody, by display name, without repeats; the account's owner under their own name. */
  readonly everybody: readonly string[]
  /** The other person, when the document is between me and one other; display name. */
  readonly partner: string | undefined
}

interface Person {
  readonly name: string
  readonly email: string | undefined
}

const MYSELF: ReadonlySet<string> = new Set(['me', 'you', 'myself'])

export function readPeople(file: UploadedFile, document: ParsedDocument): People {
  const labels = new Set<string>()
  for (const block of document.blocks) if (block.speaker) labels.add(block.speaker)
  const speakers = [...labels]
  for (const { participants = [] } of document.blocks) for (const participant of participants) labels.add(participant)
  if (document.meta.author) labels.add(document.meta.author)
  for (const participant of document.meta.participants ?? []) labels.add(participant)
  const introduced = introducedNames(document, [file.userName, ...(document.meta.participants ?? [])])
  const persons = new Map([...labels].map((label) => [label, parsePerson(introduced.get(label) ?? label)]))
  const asksProgram = speakers.some(isAssistant)
  const owners = [...persons].flatMap(([label, person]) =>
    isAccountUser(person, file.userName, persons) || (asksProgram && isAsker(label)) ? [person] : [],
  )
  const addresses = new Set(owners.flatMap((person) => person.email ?? []))
  const mine = new Set<string>()
  const names = new Map<string, string>()
  for (const [label, person] of persons) {
    if (owners.includes(person) || (person.email !== undefined && addresses.has(person.email))) mine.add(label)
    if (person.email !== undefined && person.name !== '') names.set(person.email, person.name)
  }
  const agentUsers = document.blocks.filter((block) => block.role === 'user').map((block) => block.speaker)
  for (const speaker of agentUsers) if (speaker) mine.add(speaker)

  const spellings = usualSpellings([...persons.values()])
  const display = remembered((label) => {
    if (mine.has(label)) return file.userName
    const { name, email = '' } = persons.get(label) ?? parsePerson(label)
    return name !== '' ? (spellings.get(personKey(name)) ?? name) : (names.get(email) ?? email)
  })
  const everybody = [...new Set([...labels].map(display))].filter((name) => name !== '')
  const others = everybody.filter((name) => name !== file.userName)
  const called = nameLookup(everybody)
  const amSpeaking = speakers.some((label) => mine.has(label))
  return {
    isMe: (label) =>
      label !== undefined &&
      (mine.has(label) || (!labels.has(label) && isAccountUser(parsePerson(label), file.userName, persons))),
    hasMe: mine.size > 0,
    display,
    called,
    written: (name) => {
      const [only, ...more] = everybody.filter((full) => isPartOfName(name, full))
      return more.length === 0 ? only : undefined
    },
    isOrganization: remembered((name) =>
      isOrganizationName(name, emailOf(name, persons) ?? document.meta.addresses?.get(name)?.toLowerCase()),
    ),
    familiar: (name) =>
      firstNameOf(name, called, emailOf(name, persons) ?? document.meta.addresses?.get(name), document),
    nameWords: new Set([...labels, file.userName].flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u))),
    everybody,
    partner: others.length === 1 && (amSpeaking || mine.size > 0) ? others[0] : undefined,
  }
}

/** `Ann Lee <ann@acme.test>`, `ann@acme.test`, `Lee, Ann`, `@ann`, `Ann Lee (Guest)`. */
function parsePerson(label: string): Person {
  const email = /[^\s<>()",;:]{1,64}@[^\s<>()",;:]{3,190}/.exec(label.slice(0, 400))?.[0]
  let name = label
    .slice(0, 400)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .replace(/^\s*@/, '')
    .replace(/["']/g, (mark) => (mark === '"' ? ' ' : mark))
  if (email) name = name.replace(email, ' ')
  name = name.replace(/\s+/g, ' ').trim()
  const swapped = /^(\p{L}[\p{L}'’ -]*), (\p{L}[\p{L}'’ .-]*)$/u.exec(name)
  return { name: swapped ? `${swapped[2]} ${swapped[1]}` : name, email: email?.toLowerCase() }
}

/** One of the spellings of each name: without a title if somebody writes it so, and with a space between two names. */
function usualSpellings(persons: readonly Person[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { name } of persons) {
    const key = personKey(name)
    const known = found.get(key)
    const isPlainer = known !== undefined && !isAsianName(name) && foldName(name) === key && foldName(known) !== key
    const isSpaced = known !== undefined && !known.includes(' ') && name.includes(' ')
    if (known === undefined || isPlainer || isSpaced) found.set(key, name)
  }
  return found
}

/** Matches by exact name, e-mail address, or a unique first name. */
function isAccountUser(person: Person, userName: string, persons: ReadonlyMap<string, Person>): boolean {
  const user = parsePerson(userName)
  const name = foldName(person.name)
  const userKey = foldName(user.name)
  if (name !== '' && (name === userKey || MYSELF.has(name))) return true
  if (person.email !== undefined) {
    if (person.email === user.email) return true
    const local = foldName(person.email.split('@')[0] ?? '')
    if (name === '' && userKey.includes(' ') && (local === userKey || isOnlyBearer(local, userKey, persons)))
      return true
  }
  if (name === '' || userKey === '') return false
  return sharesUniqueFirstName(name, userKey, persons) || isOnlySpelling(person.name, user.name, persons)
}

/** `直人` or `山田直人` for 山田 直人, `nfeld` for Nora Feld, if it is unique here. */
function isOnlySpelling(name: string, userName: string, persons: ReadonlyMap<string, Person>): boolean {
  const isSpelling = (full: string) =>
    isHandleOf(name, full) || (isAsianName(name) && isPartOfName(name, full)) || personKey(name) === personKey(full)
  if (!isSpelling(userName)) return false
  return [...persons.values()].every(
    (other) => other.name === name || foldName(other.name) === foldName(userName) || !isSpelling(other.name),
  )
}

/** One of the two is only a first name, and it is unique in the document. */
function sharesUniqueFirstName(name: string, userKey: string, persons: ReadonlyMap<string, Person>): boolean {
  const first = name.split(' ')[0]
  if (first !== userKey.split(' ')[0] || (name.includes(' ') && userKey.includes(' '))) return false
  const bearers = new Set<string>()
  for (const person of persons.values()) {
    const key = foldName(person.name)
    if (key.split(' ')[0] === first && key !== userKey) bearers.add(key)
  }
  return bearers.size <= 1
}

/** `nora@acme.test` for Nora Feld, if the first name is unique here. */
function isOnlyBearer(local: string, userKey: string, persons: ReadonlyMap<string, Person>): boolean {
  if (local === '' || local !== userKey.split(' ')[0]) return false
  return [...persons.values()].every(({ name }) => foldName(name) === userKey || foldName(name).split(' ')[0] !== local)
}

function emailOf(name: string, persons: ReadonlyMap<string, Person>): string | undefined {
  for (const person of persons.values()) if (person.name === name && person.email !== undefined) return person.email
  return undefined
}

/** "Dr." and "Hotel" are not first names; a person's address usually contains the name, or the person signs with it. */
function firstNameOf(
  name: string,
  called: People['called'],
  email: string | undefined,
  { kind, text }: ParsedDocument,
): string {
  const [first = name, ...others] = name.split(' ')
  const isName =
    !isRole(name) &&
    !TITLE.test(first) &&
    others.length >= 1 &&
    others.length <= 2 &&
    /^\p{L}[\p{L}\p{M}’'-]+$/u.test(first)
  if (!isName || called(first) !== name) return name
  const isOfAddress = email !== undefined && foldName(email.split('@')[0] ?? '').includes(foldName(first))
  const isPerson =
    isOfAddress ||
    (email === undefined && kind !== 'email') ||
    new RegExp(`^[ –—-]{0,4}${first}(?: .{0,30})?,?$`, 'mu').test(text)
  return isPerson ? first : name
}

const TITLE =
  /^(?:dr|prof|professor|mr|mrs|ms|miss|mx|sir|lady|nurse|sister|brother|father|frau|herr|hr|fr|mme|mlle|señora?|sra?|don|doña|rev|capt|sgt|aunt|auntie|uncle|grandma|grandpa|coach|trainer(?:in)?|pastor(?:in)?|pfarrer(?:in)?|chef|captain|inspector|officer|teacher|tante|onkel|oma|opa|tía|tío|tata|maître|dra|srta|sres|herrn|\p{L}+(?:meister(?:in)?|verwaltung|haus|werke?|versicherung|praxis|schule|verein|bank|amt|club|shop|store)|clínica|clinique|colegio|école|ecole|escuela|hotel|hôtel|café|restaurant|mairie|ayuntamiento|praxis|schule|kita|verein|the|la|le|el|der|die|das|studio|team)$/iu

function nameLookup(everybody: readonly string[]): (name: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  for (const name of everybody) {
    const key = foldName(name)
    const first = key.split(' ')[0] ?? key
    known.set(first, known.has(first) && first !== key ? undefined : name)
  }
  for (const name of everybody) known.set(foldName(name), name)
  return remembered((name) => known.get(foldName(name.replace(/^@/, ''))))
}

const NAME_FIRST =
  /^(?:(?:hey|hi|hello|ok|okay|thanks|yes|no)[ ,]+)?@?(\p{L}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*)?)(?:\s*[,:!.–—-]+\s*|\s+)/iu

interface AddressedText {
  /** Display name of the addressed person. */
  readonly to: string | undefined
  readonly text: string
}

/**
 * Removes the addressee from the start of a message: `Ann: done`, `@ann done`, `Hey Ann, done`, if Ann is one of these
 * people. The speaker's own name there is only repeated from the list of messages.
 */
export function splitAddressee(text: string, people: People, speaker?: string): AddressedText {
  if (speaker === undefined) return splitName(text, people)
  const [label, sender] = SENDER_LABEL.exec(text) ?? []
  const isRepeated = sender !== undefined && sender === people.display(speaker)
  const own = isRepeated || (OWN_LABEL.test(text) && people.isMe(speaker)) ? text.replace(label ?? OWN_LABEL, '') : text
  const { to, text: words } = splitName(own, people)
  return to === people.display(speaker) ? splitName(words, people) : { to, text: words }
}
const OWN_LABEL = /^Me: /
const SENDER_LABEL = /^【([^】]{1,60})】\s*(?=\S)/u

function splitName(text: string, people: People): AddressedText {
  const match = NAME_FIRST.exec(text.slice(0, 120))
  const name = match?.[1]
  const none = { to: undefined, text }
  if (!match || !name) return none
  // Two words may be a full name, or a first name and the beginning of the sentence: `Ann Do you ...`.
  for (const called of new Set([name, name.split(' ')[0] ?? name])) {
    const to = people.called(called)
    const end = match[0].indexOf(called) + called.length
    const rest = text.slice(called === name ? match[0].length : end).trimStart()
    if (to !== undefined)
      return isAddress(text.slice(0, text.length - rest.length), rest) ? { to, text: rest || text } : none
  }
  return none
}

/** "Ann: done" and "@ann done" address Ann, "Ann has it" is about her: without a mark, the next word decides. */
function isAddress(head: string, rest: string): boolean {
  if (isApposition(rest)) return false
  return (
    /[,:!.–—-]\s*$/.test(head) ||
    head.includes('@') ||
    /^(?:\p{Lu}|(?:you|your|please|pls|what|when|where|how|why|who|which|thanks|thank|thx)\b|(?:can|could|do|did|does|would|will|are|were|have) (?:you|we|they|he|she|it|anyone|anybody|the|your|our|my|I)\b)/u.test(
      rest,
    )
  )
}

/** `Kofi, our producer, will pay` speaks of Kofi, not to him. */
export function isApposition(behindName: string): boolean {
  return APPOSITION.test(behindName)
}
const APPOSITION =
  /^(?:the|an?|my|our|his|her|their) [^,.!?]{2,60}, (?:(?:also|already|still|just) )?(?:will|would|can|could|may|might|must|should|is|was|has|had|\p{Ll}{3,}(?:s|ed))(?= )/u

const QUOTED_LINE = /^[ \t]{0,3}>.*$/gm

/** A message without its quoted lines (`> ...`) by somebody else; all of it if it has nothing else. */
export function withoutQuotedLines(text: string): string {
  if (!/^[ \t]{0,3}>/m.test(text)) return text
  const own = text.replace(QUOTED_LINE, '').trim()
  return own === '' ? text : own
}
