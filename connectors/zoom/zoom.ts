import type { Change, Connector, Context, SourceItem } from '../../src/connector/connector.ts'
import { oddRowChange } from '../../src/connector/listed-rows.ts'
import { recentStart } from '../../src/connector/recent-window.ts'
import { digest, sourceItemId } from '../../src/connector/source-item-id.ts'
import { type RecordedMeeting, type RecordingFile, zoomApi } from './zoom-api.ts'
import { type ZoomConfig, type ZoomCursor, zoomConfig, zoomCursor } from './zoom-config.ts'
import { transcriptOf } from './zoom-transcript.ts'

const DAY_MS = 24 * 60 * 60_000
/** Zoom lists at most a month, and days of the person's time zone: one more is listed at its end. */
const WINDOW_MS = 28 * DAY_MS
/** A transcript comes hours, at worst days, after its recording. */
const OVERLAP_MS = 7 * DAY_MS
/** How far back recordings are looked for where Zoom does not state how old the account is. */
const OLDEST_MS = 5 * 365 * DAY_MS

/** Transcripts of meetings that were recorded in the cloud of Zoom. */
export const zoom: Connector<ZoomConfig, ZoomCursor> = {
  manifest: {
    id: 'zoom',
    title: 'Zoom',
    sourceTypes: ['google_meets'],
    auth: 'token',
    config: zoomConfig,
    cursor: zoomCursor,
    schedule: '40 * * * *',
    deletions: 'none',
    inventoryEveryMs: 0,
    vanished: 'keep',
    provider: 'zoom',
    quotas: { api: { atOnce: 4 }, files: { atOnce: 4 } },
    version: 1,
    quietPeriodMs: 0,
    recentRead: ({ readAt, scan }, since) =>
      readAt !== undefined || (scan !== undefined && Date.parse(scan.to) <= since.getTime()),
    selection: ({ user, since }) => ({ user, since: since?.toISOString() }),
    listing: {
      summary: 'Transcripts of your meetings that were recorded in the cloud.',
      icon: 'video',
      group: 'Work',
      tokenSteps: [
        'Open https://marketplace.zoom.us/develop/create and create a "Server-to-Server OAuth App". Only people with a role for developers may; an administrator of your account creates it otherwise.',
        'Under "Scopes", add cloud_recording:read:list_user_recordings:admin, cloud_recording:read:list_recording_files:admin and user:read:user:admin, then activate the app.',
        'Its "Account ID" and "Client ID" go into the settings `account_id` and `client_id`, your email address into `user`. Paste the "Client Secret" here.',
      ],
    },
    documentation: {
      item: 'the transcript of a recorded meeting',
      removed: 'never: recordings are often deleted by a rule of the account, the memory is kept',
      needs:
        'a server-to-server app with its account ID, client ID and secret; recordings in the cloud with audio transcript',
      api: 'Zoom API v2: users, recordings; the transcript files (WebVTT)',
      cursor: 'the time of the last run, with seven days of overlap',
      limits:
        'a month of recordings for each request; a new topic counts for seven days; chats, summaries and recordings on a computer are left out',
      verified: 'fake server',
    },
  },

  async check(context) {
    const { id, account_id: account = '', email } = await zoomApi(context).user()
    return { account: `${account}:${id}`, title: email ?? id }
  },

  async *partitions() {
    yield { id: 'recordings', title: 'Recordings' }
  },

  async *changes(_partition, cursor, context) {
    const { readAt, scan } = cursor ?? {}
    const begun = scan?.begun ?? context.clock().toISOString()
    const floor = readAt === undefined ? await oldest(context) : Date.parse(readAt) - OVERLAP_MS
    const recent = readAt === undefined ? recentStart(context, context.config.since) : undefined
    for (let to = Date.parse(scan?.to ?? begun); ; ) {
      const from = Math.max(to - WINDOW_MS, floor)
      yield* transcripts({ from, to: to + DAY_MS }, context)
      if (from <= floor) break
      to = from
      if (readAt !== undefined) continue
      const isRecentRead = recent !== undefined && to <= recent.getTime()
      const at = { scan: { to: new Date(to).toISOString(), begun } }
      yield { type: 'checkpoint', cursor: at, ...(isRecentRead && { recentSince: recent }) }
    }
    yield { type: 'checkpoint', cursor: { readAt: begun } }
  },

  async read({ locator }, context) {
    const meeting = locator === undefined ? undefined : await zoomApi(context).meeting(locator)
    return meeting && transcriptItem(meeting, context)
  },
}

async function oldest(context: Context<ZoomConfig>): Promise<number> {
  const { since } = context.config
  if (since !== undefined) return since.getTime()
  const { created_at: created } = await zoomApi(context).user()
  return created?.getTime() ?? context.clock().getTime() - OLDEST_MS
}

async function* transcripts(
  { from, to }: { readonly from: number; readonly to: number },
  context: Context<ZoomConfig>,
): AsyncGenerator<Change<never>> {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  for await (const { taken, odd } of zoomApi(context).recordings(day(from), day(to))) {
    for (const meeting of taken) {
      const item = transcriptItem(meeting, context)
      if (item !== undefined) yield { type: 'item', item }
    }
    for (const row of odd) yield oddRowChange('Zoom', meetingRef(row.id), row)
  }
}

function meetingRef(uuid: string) {
  return { sourceType: 'google_meets' as const, itemId: sourceItemId('zoom', uuid), locator: uuid }
}

/** `undefined` while there is no transcript, and where the settings leave the meeting out. */
function transcriptItem(meeting: RecordedMeeting, context: Context<ZoomConfig>): SourceItem | undefined {
  const { uuid, topic, start_time: begin, share_url: url, recording_files: files } = meeting
  const { since } = context.config
  // A recording that was paused has several.
  const parts = files
    .filter(({ file_type: type, status }) => type === 'TRANSCRIPT' && (status ?? 'completed') === 'completed')
    .toSorted((a, b) => startOf(a, begin) - startOf(b, begin))
  if (parts.length === 0 || (since !== undefined && begin < since)) return undefined
  const title = topic?.trim() || 'Zoom meeting'
  const item = {
    ...meetingRef(uuid),
    title,
    revision: digest([title, ...parts.map(({ id, file_size: size }) => [id, size])]),
    ...(url && { url }),
    people: [] as readonly string[],
    where: 'Zoom',
    visibility: 'shared' as const,
    createdAt: begin,
    body: async () => {
      const texts = await Promise.all(parts.map((part) => zoomApi(context).download(part)))
      const read = texts.flatMap((vtt, at) =>
        vtt === undefined ? [] : [transcriptOf(vtt, new Date(startOf(parts[at]!, begin)))],
      )
      if (read.length === 0) return undefined
      item.people = [...new Set(read.flatMap(({ speakers }) => speakers))]
      return read.map((one) => one.text).join('\n\n')
    },
  }
  return item
}

function startOf({ recording_start: start }: RecordingFile, begin: Date): number {
  return (start ?? begin).getTime()
}
