import { z } from 'zod'
import { pageOf, optionalText as text } from './google-rows.ts'

const instant = z.iso
  .datetime({ offset: true })
  .transform((written) => new Date(written))
  .optional()
  .catch(undefined)
const document = z.looseObject({ document: text, exportUri: text }).optional().catch(undefined)

export const conferenceRecord = z.looseObject({
  /** `conferenceRecords/abc` */
  name: z.string().min(1),
  space: text,
  startTime: instant,
  /** Absent while it goes on. */
  endTime: instant,
  /** 30 days after its end. */
  expireTime: instant,
})
export type ConferenceRecord = z.infer<typeof conferenceRecord>
export const recordPage = pageOf('conferenceRecords', conferenceRecord)

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
export const transcriptPage = pageOf('transcripts', artifact)
export const notesPage = pageOf('smartNotes', artifact)

const entry = z.looseObject({ participant: text, text, startTime: instant })
export type TranscriptEntry = z.infer<typeof entry>
export const entryPage = pageOf('transcriptEntries', entry)

const named = z.looseObject({ displayName: text }).optional().catch(undefined)
const participant = z
  .looseObject({ name: z.string().min(1), signedinUser: named, anonymousUser: named, phoneUser: named })
  .transform(({ name, signedinUser, anonymousUser, phoneUser }) => ({
    name,
    shown: (signedinUser ?? anonymousUser ?? phoneUser)?.displayName?.replace(/\s+/g, ' ').trim() || undefined,
  }))
export type Participant = z.infer<typeof participant>
export const participantPage = pageOf('participants', participant)

export const spaceAnswer = z.looseObject({ meetingCode: text, meetingUri: text })
export type Space = z.infer<typeof spaceAnswer>
