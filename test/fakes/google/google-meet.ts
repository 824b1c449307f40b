import { type GoogleReply, GoogleServer, googleError, googlePage } from './google-server.ts'

export interface FakeTranscript {
  readonly id: string
  state: string
  readonly startTime: string
  endTime?: string | undefined
  readonly document: string
  readonly entries: { readonly participant: string; readonly text: string; readonly startTime: string }[]
}

export interface FakeMeeting {
  readonly id: string
  readonly startTime: string
  endTime?: string | undefined
  readonly participants: { readonly id: string; readonly kind: string; readonly name: string }[]
  readonly transcripts: FakeTranscript[]
  readonly notes: { readonly id: string; state: string; readonly document: string }[]
}

const MINUTE_MS = 60_000
const KEPT_MS = 30 * 24 * 60 * MINUTE_MS

/** Made-up meetings, with what `/v2` of Google Meet answers about them; and their documents in Drive, if that is covered. */
export class GoogleMeet implements AsyncDisposable {
  readonly server: GoogleServer
  readonly meetings: FakeMeeting[] = []
  /** Name and text of documents, by id; absent: the token does not cover Drive. */
  documents: Map<string, { name: string; text: string }> | undefined

  static async start(): Promise<GoogleMeet> {
    return new GoogleMeet(await GoogleServer.start())
  }

  private constructor(server: GoogleServer) {
    this.server = server
    server.now = new Date('2026-03-04T12:00:00Z')
    const list = (path: string, key: string, rows: (meeting: FakeMeeting, id: string) => object[], most = 100) =>
      server.route('GET', `/v2/conferenceRecords/{id}/${path}`, ({ groups, query }) => {
        const meeting = this.#kept().find(({ id }) => id === groups.id)
        const listing = `${path} ${groups.id} ${groups.of}`
        return meeting ? paged(rows(meeting, groups.of ?? ''), query, { listing, most, standard: 10 }, key) : notFound()
      })
    server.route('GET', '/v2/conferenceRecords', ({ query }) => this.#list(query))
    server.route('GET', '/v2/conferenceRecords/{id}', ({ groups }) => {
      const meeting = this.#kept().find(({ id }) => id === groups.id)
      return meeting === undefined ? notFound() : { body: recordAnswer(meeting) }
    })
    list('transcripts', 'transcripts', (meeting) => meeting.transcripts.map((one) => transcriptAnswer(meeting, one)))
    list('smartNotes', 'smartNotes', (meeting) => meeting.notes.map((one) => notesAnswer(meeting, one)))
    list('participants', 'participants', participantAnswers, 250)
    list('transcripts/{of}/entries', 'transcriptEntries', (meeting, id) => entryAnswers(meeting, id))
    server.route('GET', '/v2/spaces/{id}', () => ({
      body: { name: 'spaces/room', meetingCode: 'abc-mnop-xyz', meetingUri: 'https://meet.google.com/abc-mnop-xyz' },
    }))
    server.route('GET', '/drive/v3/files/{id}', ({ groups }) =>
      this.#document(groups.id, ({ name }) => ({ id: groups.id, name, version: '1' })),
    )
    server.route('GET', '/v1/documents/{id}', ({ groups }) =>
      this.#document(groups.id, ({ text }) => {
        const paragraph = { elements: [{ textRun: { content: `${text}\n` } }] }
        return { tabs: [{ documentTab: { body: { content: [{ paragraph }] } } }] }
      }),
    )
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]()
  }

  get config() {
    return { name: 'me', token: this.server.token, api_url: this.server.url }
  }

  clock = () => this.server.now

  pass(hours: number): void {
    this.server.now = new Date(this.server.now.getTime() + hours * 60 * MINUTE_MS)
  }

  /** A meeting that ended before that many hours, of Ada and Bob. @param minutes how long it was */
  meet(hoursAgo = 1, minutes = 20): FakeMeeting {
    const end = this.server.now.getTime() - hoursAgo * 60 * MINUTE_MS
    const meeting: FakeMeeting = {
      id: `record-${this.meetings.length}`,
      startTime: new Date(end - minutes * MINUTE_MS).toISOString(),
      endTime: new Date(end).toISOString(),
      participants: [
        { id: 'p1', kind: 'signedinUser', name: 'Ada Lovelace' },
        { id: 'p2', kind: 'anonymousUser', name: 'Bob (guest)' },
      ],
      transcripts: [],
      notes: [],
    }
    this.meetings.push(meeting)
    return meeting
  }

  /** From the beginning to the end of the meeting; says by turns what is given, so many minutes after the beginning. */
  transcribe(meeting: FakeMeeting, said: readonly (readonly [number, string])[], state = 'FILE_GENERATED') {
    const begin = Date.parse(meeting.startTime)
    const transcript: FakeTranscript = {
      id: `t${meeting.transcripts.length}`,
      state,
      startTime: meeting.startTime,
      ...(state !== 'STARTED' && { endTime: meeting.endTime }),
      document: `doc-${meeting.id}`,
      entries: said.map(([minute, text], at) => ({
        participant: `p${(at % 2) + 1}`,
        text,
        startTime: new Date(begin + minute * MINUTE_MS).toISOString(),
      })),
    }
    meeting.transcripts.push(transcript)
    return transcript
  }

  #kept(): FakeMeeting[] {
    const now = this.server.now.getTime()
    return this.meetings.filter(({ endTime }) => endTime === undefined || Date.parse(endTime) + KEPT_MS > now)
  }

  #list(query: URLSearchParams): GoogleReply {
    const from = /^end_time>="([^"]+)"$/.exec(query.get('filter') ?? '')?.[1]
    if (from === undefined) return googleError(400, 'INVALID_ARGUMENT', 'filter')
    const found = this.#kept()
      .filter(({ endTime }) => endTime !== undefined && Date.parse(endTime) >= Date.parse(from))
      .toSorted((a, b) => b.startTime.localeCompare(a.startTime))
    const listing = { listing: `records ${from}`, most: 2, standard: 25 }
    return paged(found.map(recordAnswer), query, listing, 'conferenceRecords')
  }

  #document(id = '', answer: (document: { name: string; text: string }) => object): GoogleReply {
    if (this.documents === undefined) return googleError(403, 'insufficientPermissions')
    const document = this.documents.get(id)
    return document === undefined ? notFound() : { body: answer(document) }
  }
}

function recordAnswer({ id, startTime, endTime }: FakeMeeting): object {
  const expireTime = endTime && new Date(Date.parse(endTime) + KEPT_MS).toISOString()
  return { name: `conferenceRecords/${id}`, space: 'spaces/room', startTime, ...(endTime && { endTime, expireTime }) }
}

function transcriptAnswer(meeting: FakeMeeting, { id, state, startTime, endTime, document }: FakeTranscript): object {
  return {
    name: `conferenceRecords/${meeting.id}/transcripts/${id}`,
    state,
    startTime,
    ...(endTime && { endTime }),
    ...(state === 'FILE_GENERATED' && { docsDestination: destination(document) }),
  }
}

function notesAnswer(meeting: FakeMeeting, { id, state, document }: FakeMeeting['notes'][number]): object {
  const name = `conferenceRecords/${meeting.id}/smartNotes/${id}`
  return { name, state, ...(state === 'FILE_GENERATED' && { docsDestination: destination(document) }) }
}

function destination(document: string): object {
  return { document, exportUri: `https://docs.google.com/document/d/${document}/view` }
}

function participantAnswers({ id: meeting, participants }: FakeMeeting): object[] {
  return participants.map(({ id, kind, name }) => ({
    name: `conferenceRecords/${meeting}/participants/${id}`,
    [kind]: { displayName: name },
  }))
}

function entryAnswers({ id: meeting, transcripts }: FakeMeeting, of: string): object[] {
  const entries = transcripts.find(({ id }) => id === of)?.entries ?? []
  return entries.map(({ participant, text, startTime }, at) => ({
    name: `conferenceRecords/${meeting}/transcripts/${of}/entries/e${at}`,
    participant: `conferenceRecords/${meeting}/participants/${participant}`,
    text,
    languageCode: 'en-US',
    startTime,
  }))
}

function paged(rows: object[], query: URLSearchParams, listing: Parameters<typeof googlePage>[2], key: string) {
  const page = googlePage(rows, query, listing)
  if (page === undefined) return googleError(400, 'INVALID_ARGUMENT', 'page token')
  const { entries, nextPageToken } = page
  return { body: { ...(entries.length > 0 && { [key]: entries }), ...(nextPageToken && { nextPageToken }) } }
}

function notFound(): GoogleReply {
  return googleError(404, 'NOT_FOUND')
}
