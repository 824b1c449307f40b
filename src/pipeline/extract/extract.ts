import type { MemoryContent } from '../../domain/memory-content.ts'
import type {
  Block,
  Chunk,
  ExtractedMemory,
  Extraction,
  MomentRange,
  ParsedDocument,
  Skip,
  SourceFile,
} from '../document.ts'
import { HEADING_SEPARATOR } from '../segment/heading-path.ts'
import type { Stage } from '../stage.ts'
import { cutPassages } from './cut-passages.ts'
import { dateIn } from './dates.ts'
import { entitiesIn } from './entities.ts'
import { headlineOf } from './headline.ts'
import { narrativeOf } from './narrative.ts'
import { blocksOfChunks, type Passage } from './passage.ts'
import { questionsIn } from './questions.ts'
import { faultOf } from './salience.ts'
import { sentencesOf } from './sentences.ts'
import { countSkips } from './skips.ts'
import { type DocumentFrequencies, frequenciesOf, tagsOf } from './tags.ts'
import { prepareTelling, type Telling } from './telling.ts'

export interface ExtractInput {
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
  version: 1,
  run: async (input) => extractDocument(input),
}

function extractDocument({ file, document, chunks }: ExtractInput): Extraction {
  const telling = prepareTelling(file, document)
  const blocks = blocksOfChunks(document, chunks)
  const cut = cutPassages(document, chunks, blocks)
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
    const isTitleOnly = passage.told.every((chunk) => chunk.text === telling.document.meta.title)
    const fault = isTitleOnly ? undefined : faultOf(textOf(passage), /```|~~~/.test(body))
    if (fault === 'too_short') skip(fault, 'passages too short to be a memory')
    else if (fault === 'binary_part') skip(fault, 'passages without words')
    else if (bodies.has(body)) skip('duplicate', 'passages that repeat an earlier one')
    else {
      bodies.add(body)
      return [{ passage, body }]
    }
    return []
  })
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
  const { document, people, moments } = telling
  const told = toldAt(passage, telling)
  const when = told ?? spokenOf(passage, telling)
  const participants = participantsOf(passage, telling)
  const names = new Set(people.everybody.flatMap((name) => name.toLowerCase().split(' ')))
  const content: MemoryContent = {
    narrative: narrativeOf({ passage, when: told, isFirst: passage.first === 0 }, telling),
    headline: headlineOf(passage, telling, total === 1),
    body,
    participants,
    ...(when ? { when: moments.range(when) } : {}),
    where: document.meta.where ?? null,
    tags: tagsOf(`${document.meta.title ?? ''}\n${textOf(passage)}`, frequencies, total, names),
    other_entities: entitiesIn([textOf(passage), ...(passage.files ?? [])].join('\n'), participants),
  }
  return {
    index,
    content,
    firstChunk: passage.first,
    lastChunk: passage.last,
    ...(when ? { when } : {}),
  }
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
  return beforeBlock?.role === block?.role && before.ordinal + 1 === chunk.ordinal && before.text.length > 250
}

function roleName(block: Block | undefined): string | undefined {
  return block?.role === 'user' ? 'Me' : block?.role === 'assistant' ? 'Assistant' : undefined
}

function textOf(passage: Passage): string {
  const text = passage.told.map((chunk) => chunk.text).join('\n')
  return text.includes(':') ? text.replace(EMOJI_CODE, ' ') : text
}
const EMOJI_CODE = /(?<![\w:]):[a-z][a-z0-9_+-]{1,40}:(?![\w:])/g

function participantsOf(passage: Passage, { people, document }: Telling): string[] {
  const speakers = passage.told.flatMap((chunk) => (chunk.speaker ? [people.display(chunk.speaker)] : []))
  const invited = document.kind === 'calendar' || document.kind === 'email' || speakers.length === 0
  const named = invited ? people.everybody : []
  return [...new Set([...speakers, ...named])].filter((name) => name !== '')
}

/** When it was said or written: the times of the turns, else the time of the document. */
function toldAt(passage: Passage, { document }: Telling): MomentRange | undefined {
  const { meta } = document
  const first = passage.told[0]
  const last = passage.told.at(-1)
  const isTimed = first?.kind === 'turn' && first.at !== undefined && first.at.getTime() !== meta.when?.start.getTime()
  if (!isTimed || !first.at) return meta.when
  const end = last?.at && last.at > first.at ? { end: last.at } : {}
  return { start: first.at, ...end, precision: 'minute' }
}

/** The one day that the text of a note or document names. The time of the upload never stands in for it. */
function spokenOf(passage: Passage, { document, file }: Telling): MomentRange | undefined {
  if (document.kind !== 'note' && document.kind !== 'document') return undefined
  const lead = [document.meta.title ?? '', ...passage.told.map((chunk) => chunk.text)].join('\n\n').slice(0, 4_000)
  // "Yesterday" in a note counts from its upload; a document may have been written years before.
  const reference = { at: file.uploadedAt, timeZone: file.timeZone, takesNamedDays: document.kind === 'note' }
  return dateIn(sentencesOf(lead), reference)
}
