import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import type { Change, Connector, Context } from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { googleFields } from './google-config.ts'
import { concernsItAlone } from './google-failure.ts'
import { googleAccount, googleGateway } from './google-gateway.ts'
import { connectionAccount } from './google-rows.ts'
import { type ConferenceRecord, MeetApi } from './meet-api.ts'
import { MeetDocuments } from './meet-documents.ts'
import { type MeetSource, meetingOf, recordRef } from './meet-item.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** Records and transcripts appear some time after a meeting ends. */
const OVERLAP_MS = 48 * HOUR_MS
/** Google deletes records older than this. */
const KEPT_MS = 30 * DAY_MS
const WARN_AFTER_MS = 25 * DAY_MS

const NEED = { family: 'workspace', scopes: ['https://www.googleapis.com/auth/meetings.space.readonly'] } as const

const meetsConfig = z.strictObject({
  ...googleFields(),
  since: sinceField().describe('Sync only meetings that ended on or after this day, e.g. 2024-01-01.'),
})
type MeetsConfig = z.infer<typeof meetsConfig>

const instant = z.iso.datetime({ offset: true })
const meetsCursor = z.object({
  /** Meetings that ended more than 48 hours before it were read, except the pending ones. */
  watermark: instant,
  /** Unreadable records, and those without finished transcripts or notes, until they expire. */
  pending: z.array(z.object({ record: z.string().min(1), until: instant })),
})
type MeetsCursor = z.infer<typeof meetsCursor>

/** Transcripts and notes of Google Meet. */
export const googleMeets: Connector<MeetsConfig, MeetsCursor> = {
  manifest: {
    id: 'google_meets',
    title: 'Google Meet',
    sourceTypes: ['google_meets'],
    auth: 'oauth',
    config: meetsConfig,
    cursor: meetsCursor,
    schedule: '20 */6 * * *',
    deletions: 'none',
    inventoryEveryMs: 0,
    vanished: 'keep',
    provider: 'google',
    version: 1,
    quietPeriodMs: 0,
    cursorLife: {
      warnAfterMs: WARN_AFTER_MS,
      reason: 'Google deletes the records of a meeting 30 days after it ends; anything not synced by then is lost.',
    },
    selection: ({ since }) => ({ since: since?.toISOString() }),
    grant: { provider: 'google', family: NEED.family, scopes: () => NEED.scopes },
    listing: {
      summary: 'Transcripts and notes of your meetings.',
      icon: 'video',
      group: 'Google',
    },
    documentation: {
      item: 'half an hour of a transcript; the notes Gemini took in a meeting: their text if access to Drive was granted too (`gdocs`), otherwise a link',
      removed: 'never: Google deletes every record after 30 days, the memory is kept',
      needs:
        '`recalld connect google`, with the Google Meet API enabled, and a Workspace edition with transcripts; after 30 days only the Google Doc of a transcript is left, which `gdocs` syncs',
      api: 'Meet API v2: conferenceRecords, transcripts, entries, participants, smartNotes, spaces',
      cursor: 'the end time of the last meeting, with 48 hours of overlap, and records with an unfinished transcript',
      limits: 'records are kept for 30 days',
      verified: 'fake server',
    },
  },
  async check(context) {
    const gateway = await googleGateway(context, NEED)
    const { name } = context.config
    // The Meet API does not return the owner of the token.
    return googleAccount(gateway, async () => connectionAccount(name), context.clock())
  },
  async *partitions() {
    yield { id: 'meetings', title: 'Meetings' }
  },
  changes(_, cursor, context) {
    return changes(cursor, context)
  },
  async read(ref, context) {
    if (ref.locator === undefined) {
      throw new SourceError('skip', `${ref.title ?? ref.itemId} is not a Google Meet meeting.`)
    }
    const source = await meetSource(context)
    const record = await source.api.record(ref.locator)
    const meeting = record && (await meetingOf(source, record))
    return meeting?.items.find(({ itemId }) => itemId === ref.itemId)
  },
}

async function* changes(
  cursor: MeetsCursor | undefined,
  context: Context<MeetsConfig>,
): AsyncGenerator<Change<MeetsCursor>> {
  const now = context.clock()
  const source = await meetSource(context)
  const from = cursor === undefined ? now.getTime() - KEPT_MS : Date.parse(cursor.watermark) - OVERLAP_MS
  const pending = new Map(cursor?.pending.map(({ record, until }) => [record, until]))
  const meetingChanges = async function* (record: ConferenceRecord): AsyncGenerator<Change<MeetsCursor>> {
    const { name, endTime, expireTime } = record
    pending.delete(name)
    const { since } = context.config
    if (endTime === undefined || (since !== undefined && endTime < since)) return
    const until = expireTime ?? new Date(endTime.getTime() + KEPT_MS)
    const leave = () => {
      if (until > now) pending.set(name, until.toISOString())
    }
    const meeting = await meetingOf(source, record).catch(alone)
    if (meeting instanceof SourceError) {
      yield { type: 'failed', ref: recordRef(record), error: meeting }
      if (meeting.remedy === 'retry') leave()
      return
    }
    const { items, isPending } = meeting
    for (const item of items) yield { type: 'item', item }
    if (isPending) leave()
  }
  const seen = new Set<string>()
  for await (const record of source.api.records(new Date(from))) {
    seen.add(record.name)
    yield* meetingChanges(record)
  }
  for (const name of [...pending.keys()].filter((name) => !seen.has(name))) {
    const record = await source.api.record(name).catch(alone)
    if (record instanceof SourceError) yield { type: 'failed', ref: recordRef({ name }), error: record }
    else if (record === undefined) pending.delete(name)
    else yield* meetingChanges(record)
  }
  const left = [...pending].map(([record, until]) => ({ record, until }))
  yield { type: 'checkpoint', cursor: { watermark: now.toISOString(), pending: left } }
}

/** A failing meeting must not block the others, because Google deletes them after 30 days. */
function alone(error: unknown): SourceError {
  if (concernsItAlone(error)) return error
  throw error
}

const meetSource = perRun(openSource)

async function openSource(context: Context<MeetsConfig>): Promise<MeetSource> {
  const gateway = await googleGateway(context, NEED)
  const api = await MeetApi.open(gateway, context.clock)
  return { api, documents: await MeetDocuments.open(gateway, context.clock, context.log) }
}
