import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Clock,
  KeyRound,
  LoaderCircle,
  type LucideIcon,
  Pause,
  Unplug,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import type { LiveProgress } from '../../../http/app/schemas/activity.ts'
import type { Connection, ConnectionState, PartNoun } from '../../../http/app/schemas/sources.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { formatAgo } from '../../ui/format-ago.ts'
import { formatNoun, formatTime } from '../../ui/formats.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'

interface Look {
  readonly tone: Tone
  readonly label: string
  readonly icon: LucideIcon
}

const LOOKS: Readonly<Record<ConnectionState, Look>> = {
  healthy: { tone: 'good', label: messages.upToDate, icon: CircleCheck },
  running: { tone: 'accent', label: messages.syncing, icon: LoaderCircle },
  incomplete: { tone: 'warn', label: messages.incomplete, icon: CircleDashed },
  waiting: { tone: 'warn', label: messages.waiting, icon: Clock },
  'needs attention': { tone: 'bad', label: messages.attention, icon: CircleAlert },
  paused: { tone: 'plain', label: messages.paused, icon: Pause },
  'never ran': { tone: 'plain', label: messages.notSynced, icon: Clock },
  'not configured': { tone: 'plain', label: messages.notConnected, icon: Unplug },
}

/** The state of a connection, in two words. */
export function StateBadge({
  connection,
}: {
  readonly connection: Pick<Connection, 'state' | 'running' | 'removing'>
}) {
  const { removing, running, state } = connection
  const { tone, label, icon: Icon } = LOOKS[running ? 'running' : state]
  if (removing)
    return (
      <Badge tone="warn">
        <CircleAlert aria-hidden />
        {messages.removing}
      </Badge>
    )
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className={Icon === LoaderCircle ? 'animate-spin' : undefined} />
      {label}
    </Badge>
  )
}

/** Whether the person must act. */
export function needsAttention({ state, removing }: Pick<Connection, 'state' | 'removing'>): boolean {
  return !removing && state === 'needs attention'
}

/** Connections that need attention first, then running ones, then by title; disconnected ones are last. */
export function byUrgency(one: Connection, other: Connection): number {
  return rank(one) - rank(other) || one.title.localeCompare(other.title) || one.name.localeCompare(other.name)
}

function rank(connection: Connection): number {
  if (connection.removing || needsAttention(connection)) return 0
  if (connection.running) return 1
  return connection.state === 'not configured' ? 3 : 2
}

/** The state of a connection in a sentence; during a run its progress, updated by events. */
export function ConnectionProgress({ connection }: { readonly connection: Connection }) {
  const { id, running, progress: atLoad } = connection
  const queries = useQueryClient()
  const { data } = useQuery<LiveProgress>({ queryKey: ['sync', id], queryFn: skipToken })
  useEffect(() => {
    // The next run starts from zero.
    if (!running) queries.removeQueries({ queryKey: ['sync', id] })
  }, [queries, running, id])
  const progress = running ? (data ?? atLoad) : null
  if (progress === null) {
    const sentence = situationSentence(connection)
    return (
      <>
        {sentence !== null && <p className="text-sm [overflow-wrap:anywhere]">{sentence}</p>}
        {running && <ProgressBar label={messages.syncingTitle(connection.title)} value={null} most={1} />}
      </>
    )
  }
  const { partitionsDone: done, partitionsTotal: total, partition, waitingUntil } = progress
  return (
    <>
      <p className="text-sm">
        {connection.last_success_at === null ? messages.firstSync : messages.syncingChanges}
        {progress.recentDays !== undefined && `. ${messages.recentReady(progress.recentDays)}`}
      </p>
      <div className="flex flex-col gap-1.5">
        <ProgressBar label={messages.syncingTitle(connection.title)} value={done === 0 ? null : done} most={total} />
        <p className="text-soft text-[0.8125rem] tabular-nums">
          {progressSummary(progress, connection.part_noun)}
          {partition !== undefined && waitingUntil === undefined && (
            <>
              {' · '}
              <bdi className="[overflow-wrap:anywhere]">{shownText(partition)}</bdi>
            </>
          )}
        </p>
      </div>
    </>
  )
}

/** Null where the badge says it all. */
function situationSentence(connection: Connection): string | null {
  const { situation, items, failed, skipped, title, last_success_at: success } = connection
  const unread = failed + skipped
  switch (situation) {
    case 'removing':
      return messages.situations.removing(items + unread)
    case 'running':
      return success === null ? messages.firstSync : messages.syncingChanges
    case 'up_to_date':
      return unread === 0 ? null : messages.situations.up_to_date_except(unread)
    case 'rate_limited':
      return messages.situations.rate_limited(title)
    case 'disconnected':
      return messages.situations.disconnected(items + unread)
    // The badge or the box below states it.
    case 'problem':
    case 'not_synced':
      return null
    default:
      return messages.situations[situation]
  }
}

function progressSummary(progress: LiveProgress, { one, many }: PartNoun): string {
  const { partitionsDone: done, partitionsTotal: total, memorized, unchanged, removed, failed, waitingUntil } = progress
  const { perMinute = 0, remainingSeconds } = progress
  const facts = [
    total === 0 ? messages.listingParts : messages.partsDone(done, formatNoun(total, one, many)),
    memorized > 0 && messages.itemsSynced(memorized),
    unchanged > 0 && messages.itemsUnchanged(unchanged),
    removed > 0 && messages.itemsDeleted(removed),
    failed > 0 && messages.itemsFailed(failed),
    perMinute > 0 && waitingUntil === undefined && messages.itemsPerMinute(perMinute),
    remainingSeconds !== undefined && messages.aboutLeft(remainingSeconds),
    waitingUntil !== undefined && messages.rateLimitedUntil(waitingUntil),
  ]
  return facts.filter((fact) => fact !== false).join(', ')
}

const DAY_MS = 86_400_000
/** Access that ends within this time is shown in the list. */
const SOON_MS = 14 * DAY_MS
const URGENT_MS = 3 * DAY_MS
const REFRESH_MS = 60_000

/** The remaining time of access: `Access ends in 3 days`. @param always also when it is long */
export function ExpiryNote({ expiresAt, always = false }: { readonly expiresAt: string; readonly always?: boolean }) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  const leftMs = new Date(expiresAt).getTime() - now.getTime()
  if (leftMs > SOON_MS && !always) return null
  const when = <time dateTime={expiresAt}>{formatAgo(expiresAt, now)}</time>
  return (
    <Badge tone={leftMs > SOON_MS ? 'plain' : leftMs > URGENT_MS ? 'warn' : 'bad'}>
      <KeyRound aria-hidden />
      <span title={formatTime(expiresAt)}>
        {leftMs > 0 ? `${messages.accessExpires} ` : `${messages.accessExpired} `}
        {when}
      </span>
    </Badge>
  )
}
