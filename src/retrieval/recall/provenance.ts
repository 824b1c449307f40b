import { connectorTitle, specificConnector } from '../../domain/connector-name.ts'
import { UNNAMED_FILE } from '../../domain/content-format.ts'
import { fileNameWords } from '../../domain/file-name-words.ts'
import type { Provenance } from '../../domain/results.ts'
import { isEventSource, type SourceType } from '../../domain/source-type.ts'
import { QUOTED_MARK } from '../../lib/analyze.ts'
import { zoneOffsetMinutes } from '../../lib/clock.ts'
import { contactNameIn } from '../../lib/contact-text.ts'
import { plainText } from '../../lib/sentences.ts'
import type { ChunkRow, MemoryRow, PassageRow } from '../../store/search/search.ts'

/** Longest title, in characters; a longer one is text in the title field. */
const MOST_TITLE_CHARACTERS = 300
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const HAS_TIME_OF_DAY = /\d:\d\d/

/** The origin of a passage. */
export type ProvenanceOf = (row: ChunkRow, passage: PassageRow) => Provenance

/**
 * @param memories of the passages
 * @param timeZone IANA name of the zone that times are written in
 */
export function createProvenance(memories: readonly MemoryRow[], timeZone: string): ProvenanceOf {
  return (row, passage) => {
    const { url, agent, connector } = passage
    const { when: memoryWhen, headline } = memoryOfChunk(row, memories)?.content ?? {}
    // A file of several events or contacts has no title.
    const isEntry = isEventSource(row.sourceType) || contactNameIn(passage.text) !== undefined
    const title = passage.title ?? (isEntry ? headline : undefined)
    const when =
      row.at === undefined ? memoryWhen : (memoryMoment(row.kind, memoryWhen) ?? momentText(new Date(row.at), timeZone))
    const speaker = attribution(row, passage, memories).speaker ?? passage.speaker
    return {
      ...(title !== undefined && { title: shortTitle(title) }),
      ...(when !== undefined && { when }),
      ...(speaker !== undefined && { participants: [speaker] }),
      ...(url !== undefined && { url }),
      ...(agent !== undefined && { agent }),
      ...(connector !== undefined && { connector }),
    }
  }
}

/** The time of the memory; for a turn its own minute, because a memory covers a span. */
function memoryMoment(kind: ChunkRow['kind'], memoryWhen: string | undefined): string | undefined {
  return kind === 'turn' && memoryWhen !== undefined && HAS_TIME_OF_DAY.test(memoryWhen) ? undefined : memoryWhen
}

/** `4 March 2026, 10:12`, as memories have it; a day begins at midnight, so midnight is a day. */
function momentText(at: Date, timeZone: string): string {
  const wall = new Date(at.getTime() + zoneOffsetMinutes(at, timeZone) * 60_000)
  const day = `${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()]} ${wall.getUTCFullYear()}`
  const clock = wall.toISOString().slice(11, 16)
  return clock === '00:00' ? day : `${day}, ${clock}`
}

function shortTitle(title: string): string {
  // Titles of READMEs have badges.
  const plain = title.includes('](') ? plainText(title) : title
  const line = plain.replace(/\s+/g, ' ').trim()
  return line.length <= MOST_TITLE_CHARACTERS ? line : `${line.slice(0, MOST_TITLE_CHARACTERS - 1).toWellFormed()}…`
}

/** The speaker of a chunk, if its memory names one. */
export interface Attribution {
  readonly speaker?: string
  /** Headline of the memory, where the chunk does not contain it. */
  readonly title?: string
}

/** The speaker of a turn is data of the chunk; a mail is by its sender, else by the first of its participants. */
export function attribution(
  chunk: ChunkRow,
  { text, speaker: named }: Pick<PassageRow, 'text' | 'speaker'>,
  memories: readonly MemoryRow[],
): Attribution {
  const { headline, participants = [] } = memoryOfChunk(chunk, memories)?.content ?? {}
  const title = headline !== undefined && !text.includes(headline) ? { title: headline } : {}
  const isPart = isMail(chunk.sourceType) && chunk.kind === 'prose'
  const author = named ?? (isPart ? participants[0] : undefined)
  return { ...title, ...(author !== undefined && { speaker: withoutAddress(author) }) }
}

/** `Mara Lind` of `Mara Lind <mara@example.com>`, as threads of mails name who writes. */
function withoutAddress(name: string): string {
  return name.replace(/(?<=\S)\s*<[^<>\s]+@[^<>\s]+>$/, '')
}

/** The memory that a chunk belongs to. */
export function memoryOfChunk(chunk: ChunkRow, memories: readonly MemoryRow[]): MemoryRow | undefined {
  return memories.find(
    ({ itemKey, firstChunkId, lastChunkId }) =>
      itemKey === chunk.itemKey && firstChunkId <= chunk.chunkId && chunk.chunkId <= lastChunkId,
  )
}

export function isMail(sourceType: SourceType): boolean {
  return sourceType === 'email' || sourceType === 'ms-outlook'
}

/** Whether a chunk is what a mail quotes from an earlier one. */
export function isQuoted({ metaHashes }: Pick<ChunkRow, 'metaHashes'>): boolean {
  return metaHashes.includes(QUOTED_MARK)
}

/** Whether a passage is of a mail; one whose source doesn't say so has its sender, which no other prose has. */
export function isOfMail({
  row,
  passage,
}: {
  readonly row: Pick<ChunkRow, 'sourceType' | 'kind'>
  readonly passage: Pick<PassageRow, 'speaker'>
}) {
  return isMail(row.sourceType) || (row.kind === 'prose' && passage.speaker !== undefined)
}

/** Whether an item is an issue, a pull request or a task, whose comments are about its title. */
export function isIssue(sourceType: SourceType): boolean {
  return sourceType === 'github' || sourceType === 'asana' || sourceType === 'tasks'
}

/** Whether the title of an item names a channel rather than a subject. */
export function isChat(sourceType: SourceType): boolean {
  return sourceType === 'slack' || sourceType === 'ms-teams'
}

const MOST_CITED_TITLE = 80

/** The origin of a quotation, besides its chunk. */
export interface CitedFrom {
  readonly provenance: Provenance
  /** Of the item, as uploaded. */
  readonly fileName: string | undefined
}

/** `“Title”, slack, 4 March 2026, https://...`, so that a person can find it; with the file if there is no title or address. */
export function citationLine(row: ChunkRow, { provenance, fileName }: CitedFrom, timeZone: string): string {
  const { title, url, connector } = provenance
  const when = row.at === undefined ? [] : [formatDay(new Date(row.at), timeZone)]
  const titled = title === undefined ? [] : [`“${citedTitle(title)}”`]
  const place = url === undefined && title !== undefined ? [] : [url ?? citedFile({ itemId: row.itemId, fileName })]
  const named = specificConnector(row.sourceType, connector)
  const source = named === undefined ? row.sourceType : connectorTitle(named)
  return [...titled, source, ...when, ...place].join(', ')
}

/** What an item is called: its title, or the words of the name that somebody gave to a file without one. */
export function givenTitle({
  row: { sourceType },
  passage: { title, fileName = '' },
}: {
  readonly row: Pick<ChunkRow, 'sourceType'>
  readonly passage: Pick<PassageRow, 'title' | 'fileName'>
}): string | undefined {
  if (title !== undefined) return title
  const named = fileNameWords({ fileName, sourceType })
  return named === '' ? undefined : named
}

/** The name of a file that has no title; the item id where the upload named none. */
export function citedFile({ itemId, fileName }: { readonly itemId: string; readonly fileName?: string | undefined }) {
  return fileName === undefined || fileName === UNNAMED_FILE ? itemId : citedTitle(fileName)
}

export function citedTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').replace(/[“”]/g, '"').trim()
  return line.length <= MOST_CITED_TITLE ? line : `${line.slice(0, MOST_CITED_TITLE - 1).toWellFormed()}…`
}

/** `4 March 2026` */
export function formatDay(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' }).format(instant)
}

const DAY_MS = 86_400_000

/** `19 November 2026` or `9 November 2026 to 15 November 2026` */
export function spanText(since: Date, until: Date, timeZone: string): string {
  const [first, last] = [since, new Date(until.getTime() - 1)].map((at) => formatDay(at, timeZone))
  return first === last || until.getTime() - since.getTime() <= DAY_MS / 2 ? first! : `${first} to ${last}`
}
