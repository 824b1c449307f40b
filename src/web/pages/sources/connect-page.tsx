import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Connector, Sources } from '../../../http/app/schemas/sources.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { ConnectSteps } from './connect-steps.tsx'
import { WithCode } from './instructions.tsx'
import { messages } from './messages.ts'
import { ConnectorIcon, SourceLimits } from './page-parts.tsx'
import { fieldsQuery, SOURCES_QUERY } from './source-calls.ts'
import { SourceProblemNote } from './source-problem.tsx'

/** The page to connect one connector. */
export function ConnectPage({ connectorId }: { readonly connectorId: string }) {
  const { data, error, refetch } = useQuery(SOURCES_QUERY)
  const connector = data?.connectors.find(({ id }) => id === connectorId)
  return (
    <Page
      title={connector === undefined ? messages.addSource : messages.connectTitle(connector.title)}
      back={{ href: '/sources/new', title: messages.allConnectors }}
    >
      {error !== null && <SourceProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data !== undefined && connector === undefined && (
        <EmptyState
          title={messages.connectorNotFound}
          actions={
            <Link href="/sources/new" className={buttonClass()}>
              {messages.chooseConnector}
            </Link>
          }
        />
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
        error !== null && <SourceProblemNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <ConnectSteps key={connector.id} connector={connector} fields={data.fields} sources={sources} />
      )}
    </>
  )
}

function About({ connector }: { readonly connector: Connector }) {
  const { item, removed, api, limits } = connector.about
  const facts = [
    [messages.aboutItem, item],
    [messages.aboutDeletions, removed],
    [messages.aboutApi, api],
    [messages.aboutLimits, limits],
  ] as const
  return (
    <div className="flex items-start gap-4">
      <ConnectorIcon connector={connector} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p>{connector.summary}</p>
        <details className="text-sm">
          <summary className="text-soft hover:text-ink w-fit">{messages.howItWorks}</summary>
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
