import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Connection, ConnectionDetail, Sources } from '../../../http/app/schemas/sources.ts'
import { CallError } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { AccessPanel } from './access-panel.tsx'
import { BackLink } from './back-link.tsx'
import { ConnectionStatusPanel } from './connection-status-panel.tsx'
import { CoveragePanel } from './coverage-panel.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { FailuresPanel } from './failures-panel.tsx'
import { focusPage } from './focus-page.ts'
import { LastRunPanel } from './last-run-panel.tsx'
import { showPart } from './page-part.tsx'
import { SchedulePanel } from './schedule-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { againPath, detailQuery, SOURCES_QUERY } from './source-calls.ts'
import { SourceLimits } from './source-limits.tsx'

export interface ConnectionPageProps {
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
