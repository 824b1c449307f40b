import { foldName } from '../../../domain/fold-name.ts'
import { splitClosing } from '../../../lib/mail-closing.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import type { SearchIndex } from '../../../store/search/search.ts'
import type { KnownMemory } from '../../profile/known-memory.ts'
import { namedSubject, readKnown, subjectsOf } from '../../profile/profile.ts'
import { type FoundStatement, firstName, mergeStatements } from '../../profile/statements.ts'
import { isPast, type Subject, statedFacts } from '../../profile/subjects.ts'
import { formatDay, isMail } from '../../recall/provenance.ts'
import type { RecallInput } from '../../recall/recall.ts'
import type { Answer } from '../write-answer.ts'
import { memoryCitation, sourceLine } from './time-answer.ts'

const ASKS_WHO =
  /^\W*(?:and |so )?(?:who(?:['’]?s| is| was)|wer ist|wer war|qui est|qui[eé]n es|chi [eè]|wie is)\s+(\p{L}[\p{L}\p{M}'’.-]*(?:\s+\p{L}[\p{L}\p{M}'’.-]*){0,3}?)\W*$/iu
/** Most statements of an answer. */
const MOST_STATED = 3
const LEAST_CHARACTERS = 12
const MOST_CHARACTERS = 280
const SPEAKER = /^([^:\n]{1,60}): /
const BEFORE_ROLE =
  "(?:an?|the|my|our|your|his|her|their|one of|from|responsible|in charge|eine?|mein\\p{L}*|unser\\p{L}*|der|die|une?|le|la|mon|ma|notre|el|una|mi|nuestr\\p{L}*|\\p{L}+['’]s)"
const OWNERS = "(?:my|our|your|his|her|their|mein\\p{L}*|unser\\p{L}*|mon|ma|notre|mi|nuestr\\p{L}*|\\p{L}+['’]s)"

/** The name in a question that asks who somebody is and nothing else: `Who is Farid?` */
export function askedWho(question: string): string | undefined {
  return ASKS_WHO.exec(question)?.[1]
}

/**
 * Who a person is, from their profile: first statements by others about them, then other facts. `undefined` if no
 * memory names them, or if the question is limited to some memories.
 */
export async function personAnswer(name: string, input: RecallInput, index: SearchIndex): Promise<Answer | undefined> {
  if (isLimited(input)) return undefined
  const { now, timeZone, userName } = input
  const known = await readKnown({ index, now, timeZone, ...(userName && { userName }) })
  const person = namedSubject(subjectsOf(known, 'person'), name)
  if (person === undefined) return undefined
  const stated = statementsAbout(person)
  if (stated.length === 0) return unknownPerson(person, { now, timeZone })
  const lines = stated.map(({ text }, i) => `“${text}” [${i + 1}]`)
  const text = `${person.name}: ${lines.join('; ')}`
  const sources = stated.map(({ memory }, i) => `[${i + 1}] ${sourceLine(memory.row, timeZone)}`)
  return {
    response: `${text}\n\n${sources.join('\n')}`,
    text,
    abstained: false,
    citations: stated.map(({ memory, text: quote }) => memoryCitation(memory.row, quote)),
  }
}

function isLimited({ source, since, until, person, project, connector, tag }: RecallInput): boolean {
  return [source, since, until, person, project, connector, tag].some((limit) => limit !== undefined)
}

function statementsAbout(person: Subject): readonly FoundStatement[] {
  const said = person.memories.flatMap((memory) => othersSay(person, memory))
  const saysWho = whoPattern(person)
  const [who, other] = [true, false].map((is) => said.filter(({ text }) => saysWho.test(text) === is)) as [
    FoundStatement[],
    FoundStatement[],
  ]
  const all = [...who, ...other, ...statedFacts(person)]
  // Each is merged with its repetitions in the order of the list, not of their days.
  const kept: FoundStatement[] = []
  for (const one of all) {
    if (kept.length === MOST_STATED) break
    if (mergeStatements([...kept, one], kept.length + 1).length > kept.length) kept.push(one)
  }
  return kept
}

/** The sentences of a memory's passage that name a person, without those of their own. */
function othersSay(person: Subject, memory: KnownMemory): FoundStatement[] {
  const spellings = namesOf(person)
  const own = new Set(spellings.map(foldName))
  const { body = '', participants } = memory.row.content
  const text = isMail(memory.row.sourceType) ? splitClosing(body, participants?.[0]).words : body
  return text.split(/\n(?=[^\n:]{1,60}: )/).flatMap((part) => {
    const speaker = SPEAKER.exec(part)?.[1]
    if (speaker !== undefined && own.has(foldName(speaker))) return []
    return sentencesOf(part)
      .map((text) => text.replace(SPEAKER, (head, name: string) => (name === speaker ? '' : head)))
      .filter((text) => text.length >= LEAST_CHARACTERS && text.length <= MOST_CHARACTERS && !/[?？]\s*$/.test(text))
      .filter((text) => spellings.some((name) => wordPattern(name).test(text)) && !isAddress(text, spellings))
      .map((text) => ({ text, memory }))
  })
}

/** `Hello Tom,`, a signature, or a name with nothing said of it. */
function isAddress(text: string, spellings: readonly string[]): boolean {
  const rest = spellings.reduce((words, name) => words.replace(wordPattern(name), ' '), text)
  return (rest.match(/\p{L}+/gu) ?? []).length < 3
}

/** `Farid is our electrician`, `my sister Sunniva`, `Co-supervisor is Lucjan Wrona`, `Ikram Saïdi (drone)`. */
function whoPattern(person: Subject): RegExp {
  const name = `(?:${namesOf(person)
    .map((one) => escaped(one))
    .join('|')})`
  return new RegExp(
    [
      `(?<![\\p{L}])${name}(?:,? \\([^)]*\\))?,? (?:is|was|ist|war|est|es|[eè]) ${BEFORE_ROLE}(?!\\p{L})`,
      `(?<![\\p{L}])${name}(?:, (?:an?|the|my|our|his|her|their) \\p{L}| \\(\\p{L})`,
      `(?<![\\p{L}])${OWNERS} (?:[\\p{L}-]+ ){1,3}(?:is |ist |est |es )?${name}(?!\\p{L})`,
      `(?<![\\p{L}])(?:is|was|ist|named|called|heißt) ${name}(?!\\p{L})`,
    ].join('|'),
    'iu',
  )
}

function namesOf({ name, aliases }: Subject): string[] {
  const whole = [name, ...aliases].filter((one) => !/[@\d]/.test(one))
  return [...new Set([...whole, ...whole.map(firstName)])].filter((one) => one.length > 1)
}

function wordPattern(name: string): RegExp {
  return new RegExp(`(?<!\\p{L})${escaped(name)}(?!\\p{L})`, 'iu')
}

/** Who appears in memories without any statement about them. */
function unknownPerson(
  { name, memories, contacts }: Subject,
  { now, timeZone }: Pick<RecallInput, 'now' | 'timeZone'>,
): Answer | undefined {
  const last = ([...contacts, ...memories].find((memory) => isPast(memory, now)) ?? memories[0])?.row
  if (last === undefined) return undefined
  const count = memories.length === 1 ? 'one memory' : `${memories.length} memories`
  const day = last.at === undefined ? '' : `, last on ${formatDay(new Date(last.at), timeZone)}`
  const text = `${name} appears in ${count}${day}, but none says who that is [1].`
  return {
    response: `${text}\n\n[1] ${sourceLine(last, timeZone)}`,
    text,
    abstained: true,
    citations: [memoryCitation(last, last.content.headline ?? '')],
  }
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
