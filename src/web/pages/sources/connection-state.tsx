import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Clock,
  LoaderCircle,
  type LucideIcon,
  Pause,
  Unplug,
} from 'lucide-react'
import type { Connection, ConnectionState } from '../../../http/app/schemas/sources.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

interface Look {
  readonly tone: Tone
  readonly label: string
  readonly icon: LucideIcon
}

const LOOKS: Readonly<Record<ConnectionState, Look>> = {
  healthy: { tone: 'good', label: 'Up to date', icon: CircleCheck },
  running: { tone: 'accent', label: 'Reading now', icon: LoaderCircle },
  incomplete: { tone: 'warn', label: 'Incomplete', icon: CircleDashed },
  waiting: { tone: 'warn', label: 'Waiting', icon: Clock },
  'needs attention': { tone: 'bad', label: 'Needs attention', icon: CircleAlert },
  paused: { tone: 'plain', label: 'Paused', icon: Pause },
  'never ran': { tone: 'plain', label: 'Not read yet', icon: Clock },
  'not configured': { tone: 'plain', label: 'Not connected', icon: Unplug },
}

/** How a connection is, in two words. */
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
        Being removed
      </Badge>
    )
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className={Icon === LoaderCircle ? 'animate-spin' : undefined} />
      {label}
    </Badge>
  )
}

/** Whether the person has to do something. */
export function needsAttention({ state, removing }: Pick<Connection, 'state' | 'removing'>): boolean {
  return !removing && state === 'needs attention'
}

/** Those that need the person first, then those that run, then by title; what is not connected any more is last. */
export function byUrgency(one: Connection, other: Connection): number {
  return rank(one) - rank(other) || one.title.localeCompare(other.title) || one.name.localeCompare(other.name)
}

function rank(connection: Connection): number {
  if (connection.removing || needsAttention(connection)) return 0
  if (connection.running) return 1
  return connection.state === 'not configured' ? 3 : 2
}
