import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import type { DriveFile } from './drive-answers.ts'
import { paragraphs } from './google-markdown.ts'
import { contentRevision } from './google-rows.ts'
import type { ConferenceRecord, MeetApi, MeetArtifact, Participant, Space } from './meet-api.ts'
import type { MeetDocuments } from './meet-documents.ts'
import { segmentCount, segmentStart, transcriptText } from './meet-transcript.ts'

/** What is needed to read meetings. */
export interface MeetSource {
  readonly api: MeetApi
  readonly documents: MeetDocuments
}

export interface Meeting {
  readonly items: readonly SourceItem[]
  /** A transcript or notes are not finished yet. */
  readonly isPending: boolean
}

interface HeldMeeting {
  readonly record: ConferenceRecord
  readonly space: Space | undefined
  readonly participants: readonly Participant[]
  /** By the id of the document. */
  readonly files: ReadonlyMap<string, DriveFile>
}

const FINAL = 'FILE_GENERATED'
const NAMED = 3

/** The texts of a finished meeting; participants are requested only if there is text. */
export async function meetingOf({ api, documents }: MeetSource, record: ConferenceRecord): Promise<Meeting> {
  const transcripts = await api.transcripts(record.name)
  const notes = await api.notes(record.name)
  const all = [...transcripts, ...notes]
  const isPending = all.some(({ state }) => state !== FINAL)
  if (!all.some(isEnded)) return { items: [], isPending }
  const files = new Map<string, DriveFile>()
  for (const { docsDestination } of all.filter(isEnded)) {
    const file = docsDestination?.document === undefined ? undefined : await documents.file(docsDestination.document)
    if (file !== undefined) files.set(file.id, file)
  }
  const participants = await api.participants(record.name)
  const space = record.space === undefined ? undefined : await api.space(record.space)
  const held = { record, space, participants, files }
  const items = [
    ...transcripts.filter(isEnded).flatMap((transcript) => transcriptItems(api, held, transcript)),
    ...notesItem(documents, held, notes.filter(isEnded)),
  ]
  return { items, isPending }
}

function isEnded({ state, endTime }: MeetArtifact): boolean {
  return state === undefined ? endTime !== undefined : state === 'ENDED' || state === FINAL
}

/** One per half hour; their bodies share one reading of the transcript. */
function transcriptItems(api: MeetApi, held: HeldMeeting, transcript: MeetArtifact): SourceItem[] {
  const { record, participants } = held
  const url = transcript.docsDestination?.exportUri
  const begin = transcript.startTime ?? record.startTime
  const count = segmentCount(begin, transcript.endTime ?? record.endTime)
  let reading: ReturnType<MeetApi['entries']> | undefined
  return Array.from({ length: count }, (_, at) => {
    const title = `${titleOf(held, transcript)}${count > 1 ? `, part ${at + 1}` : ''}`
    const fields = fieldsOf(held, { title, ...(url !== undefined && { url }) })
    return {
      ...fields,
      itemId: itemId(record, 'tr', lastPart(transcript.name), { name: 's', value: String(at + 1).padStart(4, '0') }),
      revision: contentRevision([transcript.state, transcript.endTime, fields]),
      ...(begin && { createdAt: segmentStart(begin, at) }),
      async body() {
        reading ??= api.entries(transcript.name)
        return transcriptText(await reading, participants, { begin, count, at })
      },
    }
  })
}

/** Gemini's notes; without access to Drive, a link to them. */
function notesItem(documents: MeetDocuments, held: HeldMeeting, notes: readonly MeetArtifact[]): SourceItem[] {
  const [first] = notes
  if (first === undefined) return []
  const url = notes.map(({ docsDestination }) => docsDestination?.exportUri).find((link) => link !== undefined)
  const fields = fieldsOf(held, { title: `Notes: ${titleOf(held, first)}`, ...(url !== undefined && { url }) })
  const versions = notes.map(({ name, state, docsDestination }) => {
    const file = held.files.get(docsDestination?.document ?? '')
    return [name, state, docsDestination?.exportUri, file?.version ?? file?.modifiedTime]
  })
  return [
    {
      ...fields,
      itemId: itemId(held.record, 'notes'),
      revision: contentRevision([versions, fields]),
      async body() {
        const parts: string[] = []
        for (const note of notes) parts.push(await noteText(documents, held, note))
        return paragraphs(parts)
      },
    },
  ]
}

async function noteText(documents: MeetDocuments, { files }: HeldMeeting, note: MeetArtifact): Promise<string> {
  const { document, exportUri } = note.docsDestination ?? {}
  const file = files.get(document ?? '')
  const text = file && (await documents.text(file))
  if (text !== undefined) return text
  return exportUri === undefined ? '' : `The notes of this meeting are a Google Doc: ${exportUri}`
}

/** Represents a meeting that can't be read. */
export function recordRef(record: Pick<ConferenceRecord, 'name' | 'startTime'>): ItemRef {
  const day = record.startTime?.toISOString().slice(0, 10)
  const title = day === undefined ? 'Meeting' : `Meeting of ${day}`
  return { sourceType: 'google_meets', itemId: itemId(record), locator: record.name, title }
}

function itemId({ name }: Pick<ConferenceRecord, 'name'>, ...parts: Parameters<typeof sourceItemId>[1][]): string {
  return sourceItemId('gmeet', lastPart(name), ...parts)
}

/** `conferenceRecords/abc` is `abc`. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

function fieldsOf({ record, space, participants }: HeldMeeting, { title, url }: { title: string; url?: string }) {
  const { startTime, endTime } = record
  const link = url ?? space?.meetingUri
  return {
    sourceType: 'google_meets' as const,
    locator: record.name,
    title,
    ...(link !== undefined && { url: link }),
    people: namesOf(participants),
    where: space?.meetingCode === undefined ? 'Google Meet' : `Google Meet ${space.meetingCode}`,
    visibility: 'shared' as const,
    ...(startTime && { createdAt: startTime }),
    ...(endTime && { updatedAt: endTime }),
  }
}

function namesOf(participants: readonly Participant[]): string[] {
  return [...new Set(participants.flatMap(({ shown }) => shown ?? []))]
}

/**
 * Meet has no titles. The document is named after the calendar event; if it is not visible, the participants are used.
 */
function titleOf({ files, participants, space }: HeldMeeting, { docsDestination }: MeetArtifact): string {
  const document = files.get(docsDestination?.document ?? '')?.name
  const named = document?.replace(/\s+[-–—]\s+(?:Transcript|Notes by Gemini)$/, '').trim()
  if (named) return named
  const names = namesOf(participants)
  const others = names.length - NAMED
  const shown = [...names.slice(0, NAMED), ...(others > 0 ? [`${others} ${others === 1 ? 'other' : 'others'}`] : [])]
  if (shown.length === 0) return space?.meetingCode === undefined ? 'Meeting' : `Meeting ${space.meetingCode}`
  const last = shown.length > 1 ? ` and ${shown.pop()}` : ''
  return `Meeting of ${shown.join(', ')}${last}`
}
