import type {
  Block,
  Chunk,
  ExtractedMemory,
  Extraction,
  MomentRange,
  ParsedDocument,
  Skip,
  SkipReason,
  SourceFile,
} from '../../domain/document.ts'
import type { MemoryContent } from '../../domain/memory-content.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { invitedTo, splitEvent } from '../parse/event-text.ts'
import { withoutNoteHead } from '../parse/note-head.ts'
import { HEADING_SEPARATOR } from '../segment/heading-path.ts'
import type { Stage } from '../stage.ts'
import { cutSession } from './agent-passages.ts'
import { entitiesIn } from './entities.ts'
import { prepareTelling, type Telling } from './extract-context.ts'
import { headlineOf } from './headline.ts'
import { lastHeading, narrativeOf } from './narrative.ts'
import { daysIn, spokenOf, toldAt } from './passage-times.ts'
import { blocksOfChunks, cutPassages, type Passage } from './passages.ts'
import { questionsIn } from './questions.ts'
import { faultOf } from './salience.ts'
import { sentencesOf } from './sentences.ts'
import { type DocumentFrequencies, frequenciesOf, tagsOf } from './tags.ts'

interface ExtractInput {
  readonly file: SourceFile
  readonly document: ParsedDocument
  readonly chunks: readonly Chunk[]
}

/**
 * Makes memories and question-answer pairs by rules, without a model. Every chunk lies within one memory, except what
 * `skips` names; those chunks are found by searching all the same. `skips` holds the parser's skips too.
 */
export const extract: Stage<'extract', ExtractInput, Extraction> = {
  name: 'extract',
  version: 2,
  run: async (input) => extractDocument(input),
}

function extractDocument({ file, document, chunks }: ExtractInput): Extraction {
  const telling = prepareTelling(file, document)
  const blocks = blocksOfChunks(document, chunks)
  const cut = document.kind === 'agent' ? cutSession(chunks, blocks) : cutPassages(document, chunks, blocks)
  const skipped = countSkips()
  const kept = keepWorthwhile(cut.passages, telling, skipped.add)
  for (const skip of cut.skips) skipped.add(skip.reason, skip.detail, skip.count)
  const frequencies = frequenciesOf(kept.map(({ body }) => body))
  const shared = { telling, frequencies, total: kept.length }
  const memories = kept.map((each, index) => rememberPassage(each, index, shared))
  const qas = questionsIn(chunks, cut.passages, telling.people)
  return { chunks, memories, qas, skips: [...document.skips, ...skipped.list()] }
}

/** A passage with its text. */
interface Worthwhile {
  readonly passage: Passage
  readonly body: string
}

function keepWorthwhile(
  passages: readonly Passage[],
  telling: Telling,
  skip: (reason: Skip['reason'], what: string) => void,
): Worthwhile[] {
  const bodies = new Set<string>()
  return passages.flatMap((passage) => {
    const body = bodyOf(passage, telling)
    const fault = faultIn(passage, telling)
    if (fault) skip(fault, FAULTS[fault])
    else if (bodies.has(body)) skip('duplicate', 'passages that repeat an earlier one')
    else {
      bodies.add(body)
      return [{ passage, body }]
    }
    return []
  })
}

/** Where a word with capitals inside is a name in code. */
const CODE_SOURCES: ReadonlySet<SourceType> = new Set([
  'claude_code',
  'codex',
  'cursor',
  'vscode',
  'github',
  'technical_docs',
])

const FAULTS = {
  too_short: 'passages too short to be a memory',
  binary_part: 'passages without words',
  boilerplate: 'passages of pictures and lines only',
} as const

function faultIn(passage: Passage, { document }: Telling): keyof typeof FAULTS | undefined {
  // An event says enough by its title.
  if (document.kind === 'calendar' || passage.told.every((chunk) => chunk.text === document.meta.title))
    return undefined
  const text = textOf(passage, document)
  const hasCode = /```|~~~/.test(text)
  if (hasCode || passage.form !== 'prose') return faultOf(text, hasCode)
  const plain = sentencesOf(text.slice(0, 4_000)).join(' ')
  return plain === '' ? 'boilerplate' : faultOf(plain, hasCode)
}

interface Shared {
  readonly telling: Telling
  readonly frequencies: DocumentFrequencies
  readonly total: number
}

function rememberPassage(
  { passage, body }: Worthwhile,
  index: number,
  { telling, frequencies, total }: Shared,
): ExtractedMemory {
  const { document, people, moments, file } = telling
  const told = toldAt(passage, telling)
  const when = told ?? spokenOf(passage, telling)
  const participants = participantsOf(passage, telling)
  const text = textOf(passage, document)
  const event = document.kind === 'calendar' ? splitEvent(passage.told[0]?.text ?? '') : undefined
  const whenText =
    event?.when === undefined || document.meta.when ? when && moments.range(when) : eventTime(event.when, file)
  const tags = tagsOf(
    {
      text: withoutCode(passage.first === 0 && passage.form === 'prose' ? withoutNoteHead(text, undefined) : text),
      title: passage.form === 'exchange' ? '' : (document.meta.title ?? ''),
      names: people.nameWords,
    },
    frequencies,
    total,
  )
  const headings = document.kind === 'document' ? passage.told.map((chunk) => lastHeading(chunk) ?? '') : []
  const entities = entitiesIn([...new Set(headings), text, ...(passage.files ?? [])].join('\n'), {
    persons: participants,
    agents: agentsOf(passage),
    dates: datesOf(daysIn(passage, telling, told), when, telling),
    nameWords: people.nameWords,
    capitalsMean: telling.capitalsMean,
    isProse: !CODE_SOURCES.has(file.sourceType) && !document.blocks.some(({ type }) => type === 'code'),
  })
  // A field that would say nothing is left out: an empty list is no news for who reads the memory.
  const content: MemoryContent = {
    narrative: narrativeOf({ passage, when: told, participants, isFirst: passage.first === 0 }, telling),
    headline: headlineOf(passage, telling, total === 1),
    body,
    ...(participants.length > 0 && { participants }),
    ...(whenText !== undefined && { when: whenText }),
    where: event?.where ?? document.meta.where ?? null,
    ...(tags.length > 0 && { tags }),
    ...(entities.length > 0 && { other_entities: entities }),
  }
  return {
    index,
    content,
    firstChunk: passage.first,
    lastChunk: passage.last,
    ...(when ? { when } : {}),
  }
}

/** Written out, and without the day of the memory itself. */
function datesOf(days: readonly MomentRange[], when: MomentRange | undefined, { moments }: Telling): string[] {
  return days.map(moments.range).filter((day) => when === undefined || day !== moments.day(when))
}

/** `Monday, 11 May 2026, 19:00 to 20:00 (Europe/Berlin)` without the day of the week, and without the zone where it is mine. */
function eventTime(written: string, { timeZone }: SourceFile): string {
  return written.replace(/\p{L}+day, /gu, '').replace(` (${timeZone})`, '')
}

/** Words of code are no topics, unless there is nothing but code. */
function withoutCode(text: string): string {
  const prose = text.replace(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm, ' ')
  return /\p{L}{3}/u.test(prose) ? prose : text
}

/** The passage verbatim: turns with their speakers, sections with their headings where several are joined. */
function bodyOf(passage: Passage, { people }: Telling): string {
  const parts: string[] = []
  let before: Chunk | undefined
  const roles = passage.blocks ?? []
  passage.told.forEach((chunk, i) => {
    const speaker =
      chunk.kind === 'turn' ? (chunk.speaker ? people.display(chunk.speaker) : roleName(roles[i])) : undefined
    if (speaker)
      parts.push(before && continues(before, chunk, roles[i - 1], roles[i]) ? chunk.text : `${speaker}: ${chunk.text}`)
    else if (before && before.heading !== chunk.heading && chunk.heading) {
      parts.push(`\n${chunk.heading.split(HEADING_SEPARATOR).at(-1)}\n${chunk.text}`)
    } else parts.push(before ? `\n${chunk.text}` : chunk.text)
    before = chunk
  })
  return parts.join('\n')
}

/** The next part of one long message. */
function continues(before: Chunk, chunk: Chunk, beforeBlock: Block | undefined, block: Block | undefined): boolean {
  if (before.speaker !== chunk.speaker || before.at?.getTime() !== chunk.at?.getTime()) return false
  const isOneMessage = block?.role !== undefined && chunk.at !== undefined
  return (
    beforeBlock?.role === block?.role &&
    before.ordinal + 1 === chunk.ordinal &&
    (isOneMessage || before.text.length > 250)
  )
}

function roleName(block: Block | undefined): string | undefined {
  return block?.role === 'user' ? 'Me' : block?.role === 'assistant' ? 'Assistant' : undefined
}

/** What tags and names are looked for in. */
function textOf(passage: Passage, document: ParsedDocument): string {
  const isEvent = document.kind === 'calendar'
  const text = passage.told.map((chunk) => (isEvent ? splitEvent(chunk.text).description : chunk.text)).join('\n')
  return text.includes(':') || text.includes('<') ? text.replace(EMOJI_CODE, ' ').replace(CHAT_MARK, ' ') : text
}
const CHAT_MARK = /<(?:[@#!][A-Z0-9a-z^]{2,30}|Media omitted)>/g
const EMOJI_CODE = /(?<![\w:]):[a-z][a-z0-9_+-]{1,40}:(?![\w:])/g

/** Assistants that took part: no persons. */
function agentsOf({ blocks = [] }: Passage): string[] {
  return blocks.flatMap((block) => (block?.role === 'assistant' && block.speaker ? [block.speaker] : []))
}

function participantsOf(passage: Passage, { people, document }: Telling): string[] {
  if (document.kind === 'calendar' && !document.meta.when) {
    // A file with many events: the line of each says who was there.
    return [...new Set(invitedTo(splitEvent(passage.told[0]?.text ?? '')).map(people.display))]
  }
  const agents = agentsOf(passage)
  const speakers = passage.told.flatMap(({ speaker }) =>
    speaker && !agents.includes(speaker) ? [people.display(speaker)] : [],
  )
  const invited = document.kind === 'calendar' || document.kind === 'email' || speakers.length === 0
  const named = invited ? people.everybody : []
  // What a note tells of itself comes first; else whom its writer says to have met.
  const met =
    document.kind === 'note' && named.length === 0 ? companionsIn(passage.told.map(({ text }) => text).join('\n')) : []
  return [...new Set([...speakers, ...named, ...met])].filter((name) => name !== '')
}

/** Adds up what was left out, by reason and kind. */
interface SkipCounter {
  /** @param what plural noun without contents: `passages without words` */
  add(reason: SkipReason, what: string, count?: number): void
  list(): Skip[]
}

function countSkips(): SkipCounter {
  const counts = new Map<string, { reason: SkipReason; what: string; count: number }>()
  return {
    add(reason, what, count = 1) {
      if (count === 0) return
      const key = `${reason} ${what}`
      const known = counts.get(key)
      if (known) known.count += count
      else counts.set(key, { reason, what, count })
    },
    list: () => [...counts.values()].map(({ reason, what, count }) => ({ reason, count, detail: `${count} ${what}` })),
  }
}

/** What people do with each other, up to the name of the other. */
const TOGETHER =
  /(?<!\p{L})(?:lunch|dinner|breakfast|brunch|coffee|drinks?|call|call(?:ed)? up|chat|chatted|meeting|met(?: up)?|spoke|talked|talk|walk|visit|interview|workshop|session|appointment|treffen|gespräch|telefonat|mittagessen|abendessen|besprechung|termin|telefoniert|réunion|déjeuner|dîner|rendez-vous|appel|reunión|comida|cena|llamada|reunião|almoço|jantar|riunione|pranzo|overleg|afspraak|встреча|обед|звонок)(?: (?:today|yesterday|again))? (?:with|mit|avec|con|com|met|со?) (?:(?:o|a|el|la|le|dem|der|den) )?|(?<!\p{L})met (?:up with )?/giu
const TITLE = '(?:(?:Mr|Mrs|Ms|Dr|Prof|Sra?|Mme|Mlle|M|Herrn?|Frau|Aunt|Uncle)\\.? )?'
const NAME = `${TITLE}\\p{Lu}[\\p{Ll}'’-]+(?: \\p{Lu}(?:\\.|[\\p{Ll}'’-]+)){0,2}(?![\\p{L}\\p{N}])`
const NAMES = new RegExp(`${NAME}(?:(?:, | and | und | et | y | e | и |, and )${NAME}){0,8}`, 'uy')
const SEPARATOR = /, and |, | and | und | et | y | e | и /u

/** Names behind "lunch with", "met" and the like: who took part in what a note tells, besides its writer. */
export function companionsIn(text: string): string[] {
  const names: string[] = []
  for (const match of text.matchAll(TOGETHER)) {
    NAMES.lastIndex = match.index + match[0].length
    const list = NAMES.exec(text)?.[0]
    if (list) names.push(...list.split(SEPARATOR))
  }
  return [...new Set(names)]
}
