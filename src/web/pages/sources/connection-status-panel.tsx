import { Pause, Play, RefreshCw, RotateCcw, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ConnectionDetail } from '../../../http/app/schemas/sources.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { formatCount } from '../../ui/formats.ts'
import { Note } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { AttentionBox } from './attention-box.tsx'
import { ConnectionProgress, ExpiryNote, StateBadge } from './connection-state.tsx'
import { messages } from './messages.ts'
import { ConnectorIcon, namedAccount } from './page-parts.tsx'
import { useConnectionActions } from './source-calls.ts'
import { statedProblem } from './source-problem.tsx'

export interface ConnectionStatusPanelProps {
  readonly detail: ConnectionDetail
  readonly editable: boolean
  readonly onDisconnect: () => void
}

/** Status, remedy and figures of a connection. */
export function ConnectionStatusPanel({ detail, editable, onDisconnect }: ConnectionStatusPanelProps) {
  const { warnings, expires_at: expiresAt } = detail
  const account = namedAccount(detail)
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 items-center gap-3">
          <ConnectorIcon connector={detail} />
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-2" aria-live="polite">
              <StateBadge connection={detail} />
              {expiresAt !== null && <ExpiryNote expiresAt={expiresAt} always />}
            </div>
            {account !== null && (
              <p className="text-soft mt-1 text-[0.8125rem] [overflow-wrap:anywhere]">
                {messages.connectedAsAccount} <bdi>{shownText(account)}</bdi>
              </p>
            )}
          </div>
        </div>
        {editable && canRun(detail) && <RunButtons detail={detail} />}
      </div>
      <ConnectionProgress connection={detail} />
      <AttentionBox connection={detail} editable={editable} onDisconnect={onDisconnect} />
      {warnings.map((warning) => (
        <Note key={warning} tone="warn">
          <span className="[overflow-wrap:anywhere]">{statedProblem(warning)}</span>
        </Note>
      ))}
      <Numbers detail={detail} />
    </Card>
  )
}

/** It runs, or is configured and its settings are right. */
function canRun({ removing, running, state, remedy }: ConnectionDetail): boolean {
  return !removing && (running || (state !== 'not configured' && remedy !== 'fix_setting'))
}

function RunButtons({ detail }: Pick<ConnectionStatusPanelProps, 'detail'>) {
  const { sync, stop, pause, isPending } = useConnectionActions(detail)
  const pauseIt = detail.paused
    ? { label: messages.resume, icon: Play, onChoose: () => pause(false) }
    : { label: messages.pause, icon: Pause, onChoose: () => pause(true) }
  const again = {
    label: messages.syncEverything,
    icon: RotateCcw,
    onChoose: () => sync(true),
    disabled: detail.running,
  }
  return (
    <div className="flex items-center gap-1">
      {detail.running ? (
        <Button busy={isPending} onClick={stop}>
          <Square aria-hidden />
          {messages.stop}
        </Button>
      ) : (
        <Button look="primary" busy={isPending} onClick={() => sync()}>
          <RefreshCw aria-hidden />
          {messages.syncNow}
        </Button>
      )}
      <ActionMenu label={messages.moreActions} actions={[pauseIt, again]} />
    </div>
  )
}

function Numbers({ detail }: { readonly detail: ConnectionDetail }) {
  const {
    items,
    failed,
    skipped,
    settling,
    coverage,
    part_noun: { many },
    last_run_at: last,
    next_run_at: next,
  } = detail
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-4">
      <Figure name={messages.itemsInMemory}>{formatCount(items)}</Figure>
      {coverage.total > 0 && (
        <Figure name={messages.partsSynced(`${many.charAt(0).toUpperCase()}${many.slice(1)}`)}>
          {formatCount(coverage.complete)}
          <span className="text-soft text-base font-normal">{messages.ofTotal(coverage.total)}</span>
        </Figure>
      )}
      <Figure name={messages.columnFailed} isBad={failed > 0}>
        {formatCount(failed)}
      </Figure>
      <Figure name={messages.skipped}>{formatCount(skipped)}</Figure>
      <Figure name={messages.lastSync} isTime>
        {last === null ? messages.never : <TimeAgo time={last} />}
      </Figure>
      <Figure name={messages.lastFullSync} isTime>
        {detail.last_success_at === null ? messages.never : <TimeAgo time={detail.last_success_at} />}
      </Figure>
      {!detail.running && (
        <Figure name={messages.nextSync} isTime>
          {next === null ? messages.notScheduled : <TimeAgo time={next} isAhead />}
        </Figure>
      )}
      {settling > 0 && <Figure name={messages.stillChanging}>{formatCount(settling)}</Figure>}
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly isBad?: boolean
  readonly isTime?: boolean
  readonly children: ReactNode
}

function Figure({ name, isBad = false, isTime = false, children }: FigureProps) {
  const look = isTime ? 'text-sm' : `text-xl font-semibold tabular-nums ${isBad ? 'text-warn' : ''}`
  return (
    <div>
      <dt className="text-soft text-[0.8125rem]">{name}</dt>
      <dd className={look}>{children}</dd>
    </div>
  )
}
