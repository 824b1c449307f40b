import type { MethodOptions, meet_v2 } from 'googleapis/build/src/apis/meet/index.js'
import { z } from 'zod'
import type { Clock } from '../../src/connector/connector.ts'
import { type GoogleRefusal, googleFailure } from './google-failure.ts'
import type { GoogleGateway } from './google-gateway.ts'
import { allPages, pageOf, optionalText as text } from './google-rows.ts'

const instant = z.iso
  .datetime({ offset: true })
  .transform((written) => new Date(written))
  .optional()
  .catch(undefined)
const document = z.looseObject({ document: text, exportUri: text }).optional().catch(undefined)

const conferenceRecord = z.looseObject({
  /** `conferenceRecords/abc` */
  name: z.string().min(1),
  space: text,
  startTime: instant,
  /** Absent while the meeting is in progress. */
  endTime: instant,
  /** 30 days after its end. */
  expireTime: instant,
})
export type ConferenceRecord = z.infer<typeof conferenceRecord>
const recordPage = pageOf('conferenceRecords', conferenceRecord)

/** A transcript, or the notes that Gemini took. */
const artifact = z.looseObject({
  name: z.string().min(1),
  /** `STARTED`, `ENDED`, `FILE_GENERATED` */
  state: text,
  startTime: instant,
  endTime: instant,
  docsDestination: document,
})
export type MeetArtifact = z.infer<typeof artifact>
const transcriptPage = pageOf('transcripts', artifact)
const notesPage = pageOf('smartNotes', artifact)

const entry = z.looseObject({ participant: text, text, startTime: instant })
export type TranscriptEntry = z.infer<typeof entry>
const entryPage = pageOf('transcriptEntries', entry)

const named = z.looseObject({ displayName: text }).optional().catch(undefined)
const participant = z
  .looseObject({ name: z.string().min(1), signedinUser: named, anonymousUser: named, phoneUser: named })
  .transform(({ name, signedinUser, anonymousUser, phoneUser }) => ({
    name,
    shown: (signedinUser ?? anonymousUser ?? phoneUser)?.displayName?.replace(/\s+/g, ' ').trim() || undefined,
  }))
export type Participant = z.infer<typeof participant>
const participantPage = pageOf('participants', participant)

const spaceAnswer = z.looseObject({ meetingCode: text, meetingUri: text })
export type Space = z.infer<typeof spaceAnswer>

const TITLE = 'Google Meet'
/** Maximum page size; 250 for participants. */
const PAGE = 100
const PARTICIPANTS = 250

type Send = (options: MethodOptions) => Promise<{ readonly data: unknown }>
type Page<T> = { readonly rows: readonly T[]; readonly nextPageToken?: string | undefined }
type Token = { readonly pageToken?: string }

/** The requests to Google Meet, version 2. Refused parts of a record count as missing, except transcripts. */
export class MeetApi {
  readonly #gateway: GoogleGateway
  readonly #meet: meet_v2.Meet
  readonly #clock: Clock
  readonly #spaces = new Map<string, Space | undefined>()

  static async open(gateway: GoogleGateway, clock: Clock): Promise<MeetApi> {
    const { meet } = await import('googleapis/build/src/apis/meet/index.js')
    return new MeetApi(gateway, meet({ version: 'v2', ...gateway.apiOptions }), clock)
  }

  private constructor(gateway: GoogleGateway, meet: meet_v2.Meet, clock: Clock) {
    this.#gateway = gateway
    this.#meet = meet
    this.#clock = clock
  }

  /** The meetings that ended at or after that time. */
  records(endedFrom: Date): AsyncGenerator<ConferenceRecord> {
    const filter = `end_time>="${endedFrom.toISOString()}"`
    return allPages((pageToken) =>
      this.#gateway.ask({
        title: TITLE,
        asked: 'the list of meetings',
        answer: recordPage,
        send: (options) =>
          this.#meet.conferenceRecords.list({ filter, pageSize: PAGE, ...tokenOf(pageToken) }, options),
      }),
    )
  }

  /** `undefined` when it has expired. */
  record(name: string): Promise<ConferenceRecord | undefined> {
    return this.#find('a meeting', conferenceRecord, (options) => this.#meet.conferenceRecords.get({ name }, options))
  }

  /** @throws SourceError `skip` when the person may not read them */
  transcripts(parent: string): Promise<MeetArtifact[]> {
    return this.#must(
      'the transcripts of a meeting',
      transcriptPage,
      (token) => (options) =>
        this.#meet.conferenceRecords.transcripts.list({ parent, pageSize: PAGE, ...token }, options),
    )
  }

  notes(parent: string): Promise<MeetArtifact[]> {
    return this.#all(
      'the notes of a meeting',
      notesPage,
      (token) => (options) =>
        this.#meet.conferenceRecords.smartNotes.list({ parent, pageSize: PAGE, ...token }, options),
    )
  }

  /** The entries in order. @throws SourceError `skip` as above */
  entries(parent: string): Promise<TranscriptEntry[]> {
    return this.#must(
      'a transcript',
      entryPage,
      (token) => (options) =>
        this.#meet.conferenceRecords.transcripts.entries.list({ parent, pageSize: PAGE, ...token }, options),
    )
  }

  participants(parent: string): Promise<Participant[]> {
    return this.#all(
      'the participants of a meeting',
      participantPage,
      (token) => (options) =>
        this.#meet.conferenceRecords.participants.list({ parent, pageSize: PARTICIPANTS, ...token }, options),
    )
  }

  async space(name: string): Promise<Space | undefined> {
    if (!this.#spaces.has(name)) {
      const send: Send = (options) => this.#meet.spaces.get({ name }, options)
      this.#spaces.set(name, await this.#find('the room of a meeting', spaceAnswer, send))
    }
    return this.#spaces.get(name)
  }

  #must<T>(asked: string, answer: z.ZodType<Page<T>>, send: (token: Token) => Send): Promise<T[]> {
    return collected(
      allPages((pageToken) => this.#gateway.ask({ title: TITLE, asked, answer, send: send(tokenOf(pageToken)) })),
    )
  }

  async #all<T>(asked: string, answer: z.ZodType<Page<T>>, send: (token: Token) => Send): Promise<T[]> {
    const pages = allPages(
      async (pageToken) => (await this.#find(asked, answer, send(tokenOf(pageToken)))) ?? { rows: [] },
    )
    return collected(pages)
  }

  #find<T>(asked: string, answer: z.ZodType<T>, send: Send): Promise<T | undefined> {
    const isRefused = (refusal: GoogleRefusal) =>
      googleFailure(refusal, { title: TITLE, asked, now: this.#clock() }).remedy === 'skip'
    return this.#gateway.find({ title: TITLE, asked, answer, send }, isRefused)
  }
}

function tokenOf(pageToken: string | undefined): Token {
  return pageToken === undefined ? {} : { pageToken }
}

async function collected<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const row of rows) found.push(row)
  return found
}
