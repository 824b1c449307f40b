import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Connection, ConnectionDetail, LastReport, Sources } from '../../../http/app/schemas/sources.ts'
import { CallError } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { focusPage } from '../../ui/focus.ts'
import { formatCount, formatTime } from '../../ui/formats.ts'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { AccessPanel } from './access-panel.tsx'
import { ConnectionStatusPanel } from './connection-status-panel.tsx'
import { CoveragePanel } from './coverage-panel.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { FailuresPanel } from './failures-panel.tsx'
import { BackLink, SourceLimits, showPart } from './page-parts.tsx'
import { SchedulePanel } from './schedule-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { againPath, detailQuery, SOURCES_QUERY } from './source-calls.ts'

interface ConnectionPageProps {
  readonly reference: Pick<Connection, 'connector' | 'name'>
}

/** One connection: how it is, what was read, what failed, and everything that can be changed. */
export function ConnectionPage({ reference }: ConnectionPageProps) {
  const { data, error, refetch } = useQuery(detailQuery(reference))
  const { data: sources } = useQuery(SOURCES_QUERY)
  const [, navigate] = useLocation()
  // Kept as it was: while its receipt is shown, there is no connection any more.
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
      actions={<BackLink href="/sources">All sources</BackLink>}
    >
      {error !== null && !isGone && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isGone && leaving === undefined && (
        <EmptyState title="This is not connected" actions={<Link href="/sources">All sources</Link>}>
          It was disconnected, or never was connected under this name.
        </EmptyState>
      )}
      {data === undefined || sources === undefined
        ? error === null && <Skeleton lines={8} />
        : !isGone && <Parts detail={data} sources={sources} onDisconnect={() => setLeaving(data)} />}
      {leaving !== undefined && <DisconnectDialog connection={leaving} onClose={close} />}
    </Page>
  )
}

interface PartsProps {
  readonly detail: ConnectionDetail
  readonly sources: Sources
  readonly onDisconnect: () => void
}

function Parts({ detail, sources, onDisconnect }: PartsProps) {
  const connector = sources.connectors.find(({ id }) => id === detail.connector)
  const isConfigured = detail.state !== 'not configured'
  const editable = sources.editable && isConfigured && !detail.removing
  useShownPart()
  return (
    <>
      <SourceLimits sources={sources} />
      <ConnectionStatusPanel detail={detail} editable={sources.editable} onDisconnect={onDisconnect} />
      {detail.partitions.length > 0 && <CoveragePanel detail={detail} />}
      <FailuresPanel detail={detail} editable={editable} />
      {detail.last_report !== null && <LastRunPanel report={detail.last_report} />}
      {isConfigured && <SchedulePanel detail={detail} connector={connector} editable={editable} />}
      {isConfigured && detail.fields.length > 0 && <SettingsPanel detail={detail} editable={editable} />}
      {connector !== undefined && connector.auth !== 'none' && isConfigured && (
        <AccessPanel detail={detail} connector={connector} editable={editable} />
      )}
      {sources.editable &&
        (isConfigured ? <Leave onLeave={onDisconnect} /> : <Off detail={detail} onLeave={onDisconnect} />)}
    </>
  )
}

function Leave({ onLeave }: { readonly onLeave: () => void }) {
  return (
    <Panel
      title="Disconnect"
      about="It is not read any more. You choose whether what it brought is kept or forgotten."
      actions={
        <Button look="danger" onClick={onLeave}>
          Disconnect
        </Button>
      }
    />
  )
}

function Off({ detail, onLeave }: { readonly detail: ConnectionDetail; readonly onLeave: () => void }) {
  return (
    <Panel
      title="Connect again, or remove"
      about="Connected again, it goes on where it ended. Removed, it leaves this list; you choose whether what it brought is kept."
      actions={
        <>
          <Link href={againPath(detail)} className={buttonClass()}>
            Connect again
          </Link>
          <Button look="danger" onClick={onLeave}>
            Remove
          </Button>
        </>
      }
    />
  )
}

/** The part that the address names after `#`, as links of the overview do. */
function useShownPart(): void {
  useEffect(() => {
    showPart(window.location.hash.slice(1))
  }, [])
}

const OUTCOMES: Readonly<Record<LastReport['outcome'], string>> = {
  ok: 'It read everything.',
  partial: 'It did not read everything; the next run goes on.',
  waiting: 'It waits for a limit of the source, and goes on by itself.',
  attention: 'It could not read on without you.',
  stopped: 'It was stopped.',
  aborted: 'It ended before it was through; the next run goes on.',
}

/** What the last run did. */
function LastRunPanel({ report }: { readonly report: LastReport }) {
  const facts = [
    ['Began', report.started_at === null ? '-' : formatTime(report.started_at)],
    ['Took', spanWords(report.duration_ms)],
    ['Items looked at', formatCount(report.items)],
    ['Taken', formatCount(report.memorized)],
    ['Unchanged', formatCount(report.unchanged)],
    ['Removed', formatCount(report.removed)],
    ['Failed', formatCount(report.failed)],
    ['Still changing', formatCount(report.settling)],
    ['Requests', formatCount(report.requests)],
    ['Waited for limits', spanWords(report.waited_ms)],
  ] as const
  return (
    <Panel title="Last run" about={OUTCOMES[report.outcome]}>
      {report.problem !== null && (
        <p className="text-warn mb-3 text-sm [overflow-wrap:anywhere]">{shownText(report.problem)}</p>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-5">
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

/** A time span, as `2 min 5 s`. */
function spanWords(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 1) return ms > 0 ? 'less than 1 s' : '0 s'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
