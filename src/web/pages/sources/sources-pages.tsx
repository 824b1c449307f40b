import { useQuery } from '@tanstack/react-query'
import { Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, Route, Switch } from 'wouter'
import type { Connection, Sources } from '../../../http/app/schemas/sources.ts'
import { buttonClass } from '../../ui/button.tsx'
import { focusPage } from '../../ui/focus.ts'
import { uiMessages } from '../../ui/messages.ts'
import { EmptyState, Note, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { AddSourcePage, ConnectorGallery } from './add-source-page.tsx'
import { ConnectPage } from './connect-page.tsx'
import { ConnectedPage } from './connected-page.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { ConnectionPage } from './connection-page.tsx'
import { byUrgency, needsAttention } from './connection-state.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { ImportPanel } from './import-panel.tsx'
import { messages } from './messages.ts'
import { SourceLimits } from './page-parts.tsx'
import { SOURCES_QUERY } from './source-calls.ts'
import { SourceProblemNote } from './source-problem.tsx'

/** Everything below /sources. */
export function SourcesPages() {
  return (
    <Switch>
      <Route path="/sources" component={SourcesPage} />
      <Route path="/sources/new" component={AddSourcePage} />
      <Route path="/sources/connected" component={ConnectedPage} />
      <Route path="/sources/new/:connector">
        {({ connector }) => <ConnectPage key={connector} connectorId={connector} />}
      </Route>
      <Route path="/sources/:connector/:name">
        {({ connector, name }) => <ConnectionPage key={`${connector}/${name}`} reference={{ connector, name }} />}
      </Route>
      <Route>
        <Page title={messages.title}>
          <EmptyState
            title={uiMessages.pageNotFound}
            actions={
              <Link href="/sources" className={buttonClass()}>
                {messages.allSources}
              </Link>
            }
          />
        </Page>
      </Route>
    </Switch>
  )
}

/** All connections with their status. */
function SourcesPage() {
  const { data, error, refetch } = useQuery(SOURCES_QUERY)
  const hasAny = data !== undefined && data.connections.length > 0
  return (
    <Page
      title={messages.title}
      wide
      about={hasAny ? summary(data.connections) : messages.about}
      actions={
        hasAny &&
        data.editable && (
          <Link href="/sources/new" className={buttonClass('primary')}>
            <Plus aria-hidden />
            {messages.addSource}
          </Link>
        )
      }
    >
      {error !== null && <SourceProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <Skeleton lines={6} /> : <Overview sources={data} />}
    </Page>
  )
}

function Overview({ sources }: { readonly sources: Sources }) {
  const [leaving, setLeaving] = useState<Connection>()
  const { connections, editable } = sources
  const close = (isGone: boolean) => {
    setLeaving(undefined)
    if (isGone) focusPage()
  }
  return (
    <>
      <SourceLimits sources={sources} />
      {connections.length > 0 ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
          {connections.toSorted(byUrgency).map((connection) => (
            <ConnectionCard
              key={connection.id}
              connection={connection}
              editable={editable}
              onDisconnect={() => setLeaving(connection)}
            />
          ))}
        </div>
      ) : (
        !sources.memory_of_other && <NoSources sources={sources} />
      )}
      {leaving !== undefined && <DisconnectDialog connection={leaving} onClose={close} />}
    </>
  )
}

function NoSources({ sources }: { readonly sources: Sources }) {
  return (
    <>
      <EmptyState icon={<Plug aria-hidden />} title={messages.emptyTitle}>
        {messages.emptyAbout}
      </EmptyState>
      {sources.editable && <ImportPanel sources={sources} />}
      {sources.editable && <ConnectorGallery sources={sources} />}
      {!sources.editable && sources.why_not_editable === null && <Note>{messages.askAdmin}</Note>}
    </>
  )
}

function summary(connections: readonly Connection[]): string {
  const items = connections.reduce((sum, connection) => sum + connection.items, 0)
  const urgent = connections.filter(needsAttention).length
  const running = connections.filter((connection) => connection.running).length
  const facts = [
    messages.connectionCount(connections.length),
    messages.itemCount(items),
    running > 0 && messages.syncingNow(running),
    urgent > 0 && messages.needAttention(urgent),
  ]
  return facts.filter((fact) => fact !== false).join(' · ')
}
