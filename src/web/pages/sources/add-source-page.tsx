import { useQuery } from '@tanstack/react-query'
import { Check, Search } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import type { Connector, Sources } from '../../../http/app/schemas/sources.ts'
import { Badge } from '../../ui/badge.tsx'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { EmptyState, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { type ConnectorGroup, connectorGroups } from './connector-groups.ts'
import { FoundHere } from './found-here.tsx'
import { ImportPanel } from './import-panel.tsx'
import { messages } from './messages.ts'
import { ConnectorIcon, SourceLimits } from './page-parts.tsx'
import { SOURCES_QUERY } from './source-calls.ts'
import { SourceProblemNote } from './source-problem.tsx'

/** The page to choose a connector. */
export function AddSourcePage() {
  const { data, error, refetch } = useQuery(SOURCES_QUERY)
  return (
    <Page
      title={messages.addSource}
      wide
      about={messages.addSourceAbout}
      back={{ href: '/sources', title: messages.allSources }}
    >
      {error !== null && <SourceProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data !== undefined && (
        <>
          <SourceLimits sources={data} />
          <div>
            <FoundHere onRequest />
          </div>
          {data.editable && <ImportPanel sources={data} />}
          {data.editable && <ConnectorGallery sources={data} />}
        </>
      )}
    </Page>
  )
}

/** All connectors with a search. */
export function ConnectorGallery({ sources }: { readonly sources: Sources }) {
  const [search, setSearch] = useState('')
  const groups = connectorGroups(sources.connectors, search)
  const count = groups.reduce((sum, group) => sum + group.connectors.length, 0)
  return (
    <div className="flex flex-col gap-6">
      <div className="relative max-w-sm">
        <Search className="text-soft pointer-events-none absolute top-3 left-3 size-4" aria-hidden />
        <input
          type="search"
          aria-label={messages.searchConnectors}
          placeholder={messages.searchConnectorsExample}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className={`${INPUT_CLASS} pl-9`}
        />
      </div>
      <p className="sr-only" aria-live="polite">
        {messages.connectorCount(count)}
      </p>
      {groups.map((group) => (
        <Group key={group.title} group={group} sources={sources} />
      ))}
      {groups.length === 0 && <EmptyState title={messages.noConnector}>{messages.noConnectorAbout}</EmptyState>}
    </div>
  )
}

function Group({ group, sources }: { readonly group: ConnectorGroup; readonly sources: Sources }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="mb-3 text-sm font-semibold">
        {group.title}
      </h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2 md:grid-cols-1 lg:grid-cols-2 xl:grid-cols-3">
        {group.connectors.map((connector) => (
          <li key={connector.id}>
            <Tile
              connector={connector}
              connected={sources.connections.filter((connection) => connection.connector === connector.id).length}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Tile({ connector, connected }: { readonly connector: Connector; readonly connected: number }) {
  return (
    <Link
      href={`/sources/new/${encodeURIComponent(connector.id)}`}
      className="bg-sheet border-line hover:border-edge rounded-card text-ink flex h-full gap-3 border p-4 no-underline transition-colors"
    >
      <ConnectorIcon connector={connector} />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{connector.title}</span>
          {connected > 0 && (
            <Badge tone="good">
              <Check aria-hidden />
              {connected === 1 ? messages.connected : messages.connectedCount(connected)}
            </Badge>
          )}
        </span>
        <span className="text-soft line-clamp-3 text-[0.8125rem]">{connector.summary}</span>
        <span className="text-soft mt-auto pt-1 text-xs">{accessRequirement(connector)}</span>
      </span>
    </Link>
  )
}

/** What the user needs in order to connect. */
function accessRequirement({
  auth,
  grant,
  takes_token: takesToken,
  takes_paths: takesPaths,
  standalone,
  secret,
}: Connector): string {
  if (auth === 'none') {
    if (standalone) return takesPaths ? messages.noSetupWithFolders : messages.noSetup
    return messages.needsSettings
  }
  if (secret === 'password') return messages.needsPassword
  if (grant === null || auth === 'token') return grant === null ? messages.needsToken : messages.needsTokenOrSignIn
  return takesToken ? messages.needsSignInOrToken(grant.provider_title) : messages.signInWith(grant.provider_title)
}
