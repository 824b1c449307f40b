import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Connector, Sources } from '../../../http/app/schemas/sources.ts'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { BackLink } from './back-link.tsx'
import { ConnectForm } from './connect-form.tsx'
import { ConnectorIcon } from './connector-icon.tsx'
import { fieldsQuery, SOURCES_QUERY } from './source-calls.ts'
import { SourceLimits } from './source-limits.tsx'
import { WithCode } from './with-code.tsx'

/** Makes a connection of one connector: what it reads, and the steps to connect it. */
export function ConnectPage({ connectorId }: { readonly connectorId: string }) {
  const { data, error, refetch } = useQuery(SOURCES_QUERY)
  const connector = data?.connectors.find(({ id }) => id === connectorId)
  return (
    <Page
      title={connector === undefined ? 'Add a source' : `Connect ${connector.title}`}
      actions={<BackLink href="/sources/new">All connectors</BackLink>}
    >
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data !== undefined && connector === undefined && (
        <EmptyState title="There is no such connector" actions={<Link href="/sources/new">Choose one</Link>} />
      )}
      {data !== undefined && connector !== undefined && <Steps connector={connector} sources={data} />}
    </Page>
  )
}

function Steps({ connector, sources }: { readonly connector: Connector; readonly sources: Sources }) {
  const { data, error, refetch } = useQuery(fieldsQuery(connector.id))
  return (
    <>
      <About connector={connector} />
      <SourceLimits sources={sources} />
      {!sources.editable || error !== null ? (
        error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <ConnectForm key={connector.id} connector={connector} fields={data.fields} sources={sources} />
      )}
    </>
  )
}

function About({ connector }: { readonly connector: Connector }) {
  const { item, removed, api, limits } = connector.about
  const facts = [
    ['One item', item],
    ['Deletions', removed],
    ['Read by', api],
    ['Limits', limits],
  ] as const
  return (
    <div className="flex items-start gap-4">
      <ConnectorIcon connector={connector} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p>{connector.summary}</p>
        <details className="text-sm">
          <summary className="text-soft hover:text-ink w-fit">How it is read</summary>
          <dl className="mt-3 grid gap-x-6 gap-y-1.5 sm:grid-cols-[max-content_1fr]">
            {facts
              .filter(([, text]) => text !== '' && text !== '-')
              .map(([name, text]) => (
                <div key={name} className="contents">
                  <dt className="text-soft">{name}</dt>
                  <dd className="mb-1.5 [overflow-wrap:anywhere] sm:mb-0">
                    <WithCode text={text} />
                  </dd>
                </div>
              ))}
          </dl>
        </details>
      </div>
    </div>
  )
}
