import { Pause, Pencil, Play, Plug, RefreshCw, Square, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Connection } from '../../../http/app/schemas/sources.ts'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { formatCount } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { AttentionBox } from './attention-box.tsx'
import { ConnectionProgress, ExpiryNote, StateBadge } from './connection-state.tsx'
import { messages } from './messages.ts'
import { ConnectorIcon, namedAccount } from './page-parts.tsx'
import { scheduleWords } from './schedule-words.ts'
import { connectionPath, reconnectPath, useConnectionActions } from './source-calls.ts'

export interface ConnectionCardProps {
  readonly connection: Connection
  readonly editable: boolean
  readonly onDisconnect: () => void
}

/** A connection in the list: status, remedy and figures. */
export function ConnectionCard(props: ConnectionCardProps) {
  const { connection, editable, onDisconnect } = props
  const { id, title, name, expires_at: expiresAt } = connection
  const account = namedAccount(connection)
  return (
    <article
      aria-labelledby={`connection-${id}`}
      className="bg-sheet border-line rounded-card flex flex-col gap-3.5 border p-5"
    >
      <div className="flex items-start gap-3">
        <ConnectorIcon connector={connection} />
        <div className="min-w-0 flex-1">
          <h2 id={`connection-${id}`} className="leading-snug font-semibold">
            <Link href={connectionPath(connection)} className="text-ink no-underline hover:underline">
              {title} <span className="text-soft font-normal">{name}</span>
            </Link>
          </h2>
          <div className="mt-1 flex flex-wrap items-center gap-2">
            <StateBadge connection={connection} />
            {expiresAt !== null && <ExpiryNote expiresAt={expiresAt} />}
            {account !== null && (
              <p className="text-soft min-w-0 truncate text-[0.8125rem]" title={shownText(account)}>
                <bdi>{shownText(account)}</bdi>
              </p>
            )}
          </div>
        </div>
        {editable && <CardMenu {...props} />}
      </div>
      <ConnectionProgress connection={connection} />
      <AttentionBox connection={connection} editable={editable} onDisconnect={onDisconnect} />
      <Facts connection={connection} />
    </article>
  )
}

function Facts({ connection }: { readonly connection: Connection }) {
  const { items, failed, skipped, last_run_at: last, next_run_at: next, schedule, running } = connection
  return (
    <dl className="text-soft border-line mt-auto flex flex-wrap gap-x-5 gap-y-1 border-t pt-3 text-[0.8125rem] tabular-nums">
      <Fact name={messages.items}>{formatCount(items)}</Fact>
      {failed > 0 && (
        <Fact name={messages.columnFailed}>
          <span className="text-warn font-medium">{formatCount(failed)}</span>
        </Fact>
      )}
      {skipped > 0 && <Fact name={messages.skipped}>{formatCount(skipped)}</Fact>}
      {last !== null && (
        <Fact name={messages.lastSync}>
          <TimeAgo time={last} />
        </Fact>
      )}
      {next !== null && !running && (
        <Fact name={messages.nextSync}>
          <TimeAgo time={next} isAhead />
        </Fact>
      )}
      {next === null && schedule !== null && <Fact name={messages.schedule}>{scheduleWords(schedule)}</Fact>}
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt>{name}</dt>
      <dd className="text-ink">{children}</dd>
    </div>
  )
}

function CardMenu({ connection, onDisconnect }: ConnectionCardProps) {
  const [, navigate] = useLocation()
  const { sync, stop, pause } = useConnectionActions(connection)
  const { running, paused, state } = connection
  const isConfigured = state !== 'not configured'
  const run: MenuAction = running
    ? { label: messages.stop, icon: Square, onChoose: stop }
    : { label: messages.syncNow, icon: RefreshCw, onChoose: () => sync() }
  const actions: readonly MenuAction[] = [
    ...(isConfigured
      ? [
          run,
          paused
            ? { label: messages.resume, icon: Play, onChoose: () => pause(false) }
            : { label: messages.pause, icon: Pause, onChoose: () => pause(true) },
          { label: messages.edit, icon: Pencil, onChoose: () => navigate(`${connectionPath(connection)}#settings`) },
        ]
      : []),
    ...(isConfigured
      ? []
      : [{ label: messages.reconnect, icon: Plug, onChoose: () => navigate(reconnectPath(connection)) }]),
    {
      label: isConfigured ? messages.disconnect : messages.remove,
      icon: Unplug,
      onChoose: onDisconnect,
      isDanger: true,
    },
  ]
  return <ActionMenu label={messages.actionsFor(`${connection.title}, ${connection.name}`)} actions={actions} />
}
