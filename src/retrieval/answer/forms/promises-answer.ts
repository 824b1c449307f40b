import { foldName } from '../../../domain/fold-name.ts'
import type { SourceType } from '../../../domain/source-type.ts'
import { isWithin } from '../../../lib/id-ranges.ts'
import type { MemoryRow, SearchIndex } from '../../../store/search/search.ts'
import type { KnownMemory } from '../../profile/known-memory.ts'
import { openPromises } from '../../profile/open-promises.ts'
import { readKnown } from '../../profile/profile.ts'
import { type FoundPromise, firstName, promisesIn } from '../../profile/statements.ts'
import {
  type DecidedNames,
  isPerson,
  matchesPerson,
  type WantedPerson,
  wantedPerson,
} from '../../recall/person-names.ts'
import { isOfProject } from '../../recall/project.ts'
import type { RecallInput } from '../../recall/recall.ts'
import type { Answer } from '../write-answer.ts'
import { openTasks } from './open-boxes.ts'
import { memoryCitation, sourceLine } from './time-answer.ts'

/** Promises of the owner, or with `by` of somebody else. */
export interface AskedPromises {
  /** Whose promises; absent: the owner's. */
  readonly by?: string
  /** To whom; absent: to anyone. */
  readonly to?: string
}

const NAME = "(\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)*)"
const OPEN = '(?:open |outstanding |pending |unfinished )?'
const MINE: readonly RegExp[] = [
  `(?:[Ww]hat|[Ww]hich)(?:['’]s| is| are)? (?:all )?(?:my |the )?${OPEN}(?:promises|tasks|to-?dos|commitments|action items)(?: do I (?:still )?have| are (?:still )?open)?(?: (?:for|to|with) ${NAME})?`,
  `[Ww]hat (?:do|must|should|did) I (?:still )?(?:have to |need to |got to )?do for ${NAME}`,
  `[Ww]hat do I (?:still )?(?:have|need) to do`,
  `[Ww]hat (?:did|have) I promised?(?: (?:to )?${NAME})?(?: to do)?`,
  `[Ww]hat do I (?:still )?owe ${NAME}`,
].map(whole)
const THEIRS: readonly RegExp[] = [
  `[Ww]hat (?:did|has|does) ${NAME} (?:still )?(?:promised?|owe)(?: me| us)?(?: to do)?`,
  `[Ww]hat am I (?:still )?waiting for from ${NAME}`,
].map(whole)
/** Sources of one's own notes; in others, check boxes are templates and the tasks of anybody. */
const NOTES: ReadonlySet<SourceType> = new Set(['text', 'gdocs', 'ms-onedrive', 'weekly_updates'])
/** Most lines; the rest are counted. */
const MOST_LISTED = 12

function whole(pattern: string): RegExp {
  return new RegExp(`^\\W*${pattern}\\W*$`, 'u')
}

/** Whether a question asks for open promises and nothing else: `what do I have to do for Priya?` */
export function askedPromises(question: string): AskedPromises | undefined {
  for (const pattern of MINE) {
    const found = pattern.exec(question)
    if (found !== null) return found[1] === undefined ? {} : { to: found[1] }
  }
  const by = THEIRS.map((pattern) => pattern.exec(question)?.[1]).find((name) => name !== undefined)
  return by === undefined ? undefined : { by }
}

/** The open promises, newest first, each with its source; `undefined` if none is known. */
export async function promisesAnswer(
  { by, to }: AskedPromises,
  input: RecallInput,
  index: SearchIndex,
): Promise<Answer | undefined> {
  const { now, timeZone, userName, source, since, until } = input
  const known = await readKnown({ index, now, timeZone, ...(userName && { userName }) })
  const { decided } = known
  const isSelected = await itemFilter(input, index)
  const partner = input.person === undefined ? undefined : wantedPerson(input.person, decided)
  const isBefore = ({ row: { at = Number.NEGATIVE_INFINITY } }: KnownMemory) =>
    until === undefined || at < until.getTime()
  const memories = known.memories.filter(({ row, participants }) => {
    if (!isSelected(row) || (source !== undefined && row.sourceType !== source)) return false
    if (partner !== undefined && !isPerson(partner, participants)) return false
    if (input.project !== undefined && !isOfProject(input.project, row.content)) return false
    return since === undefined || (row.at ?? Number.NEGATIVE_INFINITY) >= since.getTime()
  })
  const person = wantedPerson(by ?? to ?? '', decided)
  const asked = memories
    .filter(isBefore)
    .flatMap(promisesIn)
    .filter((promise) => {
      if (by !== undefined) return promise.by !== 'I' && isPerson(person, [promise.by])
      return promise.by === 'I' && (to === undefined || isFor(promise, person, decided))
    })
  // A later deed may be in another source.
  const isOfAnybody = by === undefined && to === undefined
  const boxes = isOfAnybody ? memories.filter(isBefore).flatMap(tasksIn) : []
  const open = await openPromises([...asked, ...boxes], known.memories.filter(isBefore))
  if (open.length === 0) return undefined
  const shown = open.slice(0, MOST_LISTED)
  const lines = shown.map(({ text }, i) => `- ${text} [${i + 1}]`)
  const more = open.length > shown.length ? [`and ${open.length - shown.length} more`] : []
  const text = [`Found ${open.length} still open as far as I know:`, ...lines, ...more].join('\n')
  const citations = shown.map(({ memory }, i) => `[${i + 1}] ${sourceLine(memory.row, timeZone)}`)
  return {
    response: `${text}\n\n${citations.join('\n')}`,
    text,
    abstained: false,
    citations: shown.map((promise) => memoryCitation(promise.memory.row, promise.text)),
  }
}

/** Unchecked tasks of a note, which are nobody's promise. */
function tasksIn(memory: KnownMemory): readonly FoundPromise[] {
  const { sourceType, content } = memory.row
  if (!NOTES.has(sourceType)) return []
  return openTasks(content.body ?? '', sourceType).map((text) => ({ text, task: text, by: 'I', memory }))
}

/** Whether a memory is of an item that the connector and the tag of a question select. */
async function itemFilter(
  { connector, tag }: RecallInput,
  index: SearchIndex,
): Promise<(row: Pick<MemoryRow, 'firstChunkId'>) => boolean> {
  const selected = [
    ...(connector === undefined ? [] : [await index.chunksFrom(connector)]),
    ...(tag === undefined ? [] : [await index.chunksTagged(tag)]),
  ]
  return ({ firstChunkId }) => selected.every(({ ranges }) => isWithin(firstChunkId, ranges))
}

const WRITTEN_NAME = new RegExp(NAME, 'gu')

/** Asked by them, or made to them. A name that the owner decided about is only its person's. */
function isFor({ text, memory }: FoundPromise, person: WantedPerson, decided: DecidedNames): boolean {
  let isNamed = false
  const rest = text.replace(WRITTEN_NAME, (name) => {
    if (!decided.has(foldName(name))) return name
    isNamed ||= person.exact.has(foldName(name))
    return ''
  })
  isNamed ||= (rest.match(WRITTEN_NAME) ?? []).some((name) => isNameOf(name.replace(/['’]s$/, ''), person))
  return isNamed || (memory.participants.length <= 2 && isPerson(person, memory.participants))
}

/** The name, or the first name alone. */
function isNameOf(name: string, { parts }: WantedPerson): boolean {
  const isAlone = !name.includes(' ')
  return parts.some((part) => matchesPerson(part, [name]) || (isAlone && firstName(foldName(part)) === foldName(name)))
}
