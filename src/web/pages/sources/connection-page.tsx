import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Connection, ConnectionDetail, LastReport, Sources } from '../../../http/app/schemas/sources.ts'
import { CallError } from '../../api/call.ts'
import { currentLanguage } from '../../languages/catalog.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { focusPage } from '../../ui/focus.ts'
import { formatCount, formatTime } from '../../ui/formats.ts'
import { EmptyState, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { AccessPanel } from './access-panel.tsx'
import { ConnectionStatusPanel } from './connection-status-panel.tsx'
import { CoveragePanel } from './coverage-panel.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { FailuresPanel } from './failures-panel.tsx'
import { messages } from './messages.ts'
import { SourceLimits, showPart } from './page-parts.tsx'
import { SchedulePanel } from './schedule-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { detailQuery, reconnectPath, SOURCES_QUERY } from './source-calls.ts'
import { SourceProblemNote, statedProblem } from './source-problem.tsx'

interface ConnectionPageProps {
  readonly reference: Pick<Connection, 'connector' | 'name'>
}

/** The page of one connection. */
export function ConnectionPage({ reference }: ConnectionPageProps) {
  const { data, error, refetch } = useQuery(detailQuery(reference))
  const { data: sources } = useQuery(SOURCES_QUERY)
  const [, navigate] = useLocation()
  // A copy, because the receipt outlives the connection.
  const [leaving, setLeaving] = useState<Connection>()
  const close = (isGone: boolean) => {
    setLeaving(undefined)
    if (!isGone) return
    navigate('/sources', { replace: true })
    focusPage()
  }
  const isGone = error instanceof CallError && error.status === 404
  return (
    <Page
      title={data === undefined ? reference.name : `${data.title}, ${data.name}`}
      back={{ href: '/sources', title: messages.allSources }}
    >
      {error !== null && !isGone && <SourceProblemNote error={error} onRetry={() => void refetch()} />}
      {isGone && leaving === undefined && (
        <EmptyState
          title={messages.notConnectedTitle}
          actions={
            <Link href="/sources" className={buttonClass()}>
              {messages.allSources}
            </Link>
          }
        >
          {messages.notConnectedAbout}
        </EmptyState>
      )}
      {data === undefined || sources === undefined
        ? error === null && <Skeleton lines={8} />
        : !isGone && <ConnectionPanels detail={data} sources={sources} onDisconnect={() => setLeaving(data)} />}
      {leaving !== undefined && <DisconnectDialog connection={leaving} onClose={close} />}
    </Page>
  )
}

interface ConnectionPanelsProps {
  readonly detail: ConnectionDetail
  readonly sources: Sources
  readonly onDisconnect: () => void
}

function ConnectionPanels({ detail, sources, onDisconnect }: ConnectionPanelsProps) {
  const connector = sources.connectors.find(({ id }) => id === detail.connector)
  const isConfigured = detail.state !== 'not configured'
  const editable = sources.editable && isConfigured && !detail.removing
  useScrollToPart()
  return (
    <>
      <SourceLimits sources={sources} />
      <ConnectionStatusPanel detail={detail} editable={sources.editable} onDisconnect={onDisconnect} />
      {detail.partitions.length > 0 && <CoveragePanel detail={detail} />}
      <FailuresPanel detail={detail} editable={editable} />
      {detail.last_report !== null && (
        <LastRunPanel report={detail.last_report} isStated={detail.problem === detail.last_report.problem} />
      )}
      {isConfigured && <SchedulePanel detail={detail} connector={connector} editable={editable} />}
      {isConfigured && detail.fields.length > 0 && <SettingsPanel detail={detail} editable={editable} />}
      {connector !== undefined && detail.access.by !== 'none' && isConfigured && (
        <AccessPanel detail={detail} connector={connector} editable={editable} />
      )}
      {sources.editable &&
        (isConfigured ? <Leave onLeave={onDisconnect} /> : <NotConnected detail={detail} onLeave={onDisconnect} />)}
    </>
  )
}

function Leave({ onLeave }: { readonly onLeave: () => void }) {
  return (
    <Panel
      title={messages.disconnect}
      about={messages.disconnectAbout}
      actions={
        <Button look="danger" onClick={onLeave}>
          {messages.disconnect}
        </Button>
      }
    />
  )
}

function NotConnected({ detail, onLeave }: { readonly detail: ConnectionDetail; readonly onLeave: () => void }) {
  return (
    <Panel
      title={messages.reconnectOrRemove}
      about={messages.reconnectAbout}
      actions={
        <>
          <Link href={reconnectPath(detail)} className={buttonClass()}>
            {messages.reconnect}
          </Link>
          <Button look="danger" onClick={onLeave}>
            {messages.remove}
          </Button>
        </>
      }
    />
  )
}

/** Scrolls to the panel named in the URL hash. */
function useScrollToPart(): void {
  useEffect(() => {
    showPart(window.location.hash.slice(1))
  }, [])
}

const OUTCOMES: Readonly<Record<LastReport['outcome'], string>> = {
  ok: messages.outcomeOk,
  partial: messages.outcomePartial,
  waiting: messages.outcomeWaiting,
  attention: messages.outcomeAttention,
  stopped: messages.outcomeStopped,
  aborted: messages.outcomeAborted,
}

/** Results of the last sync. @param isStated whether the status above says its problem already */
function LastRunPanel({ report, isStated }: { readonly report: LastReport; readonly isStated: boolean }) {
  const facts = [
    [messages.started, report.started_at === null ? '-' : formatTime(report.started_at)],
    [messages.duration, formatDuration(report.duration_ms)],
    [messages.itemsChecked, formatCount(report.items)],
    [messages.synced, formatCount(report.memorized)],
    [messages.columnUnchanged, formatCount(report.unchanged)],
    [messages.columnDeleted, formatCount(report.removed)],
    [messages.columnFailed, formatCount(report.failed)],
    [messages.stillChanging, formatCount(report.settling)],
    [messages.requests, formatCount(report.requests)],
    [messages.rateLimitWait, formatDuration(report.waited_ms)],
  ] as const
  return (
    <Panel title={messages.lastSync} about={OUTCOMES[report.outcome]}>
      {report.problem !== null && !isStated && (
        <p className="text-warn mb-3 text-sm [overflow-wrap:anywhere]">{statedProblem(report.problem)}</p>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-soft text-[0.8125rem]">{name}</dt>
            <dd className="text-sm tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** A time span, as `2 min 5 sec`. */
function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 1 && ms > 0) return `< ${inUnit(1, 'second')}`
  if (seconds < 60) return inUnit(seconds, 'second')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return both(inUnit(minutes, 'minute'), seconds % 60, 'second')
  return both(inUnit(Math.floor(minutes / 60), 'hour'), minutes % 60, 'minute')
}

function both(larger: string, rest: number, unit: string): string {
  return rest === 0 ? larger : `${larger} ${inUnit(rest, unit)}`
}

function inUnit(count: number, unit: string): string {
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'short' }).format(count)
}
