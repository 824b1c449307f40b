import { useQuery } from '@tanstack/react-query'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { BackLink } from './back-link.tsx'
import { ConnectorGallery } from './connector-gallery.tsx'
import { SOURCES_QUERY } from './source-calls.ts'
import { SourceLimits } from './source-limits.tsx'

/** Every connector there is, to begin a connection with. */
export function AddSourcePage() {
  const { data, error, refetch } = useQuery(SOURCES_QUERY)
  return (
    <Page
      title="Add a source"
      wide
      about="Choose what recalld is to read. It only ever reads, and what it takes stays on this server."
      actions={<BackLink href="/sources">All sources</BackLink>}
    >
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data !== undefined && (
        <>
          <SourceLimits sources={data} />
          {data.editable && <ConnectorGallery sources={data} />}
        </>
      )}
    </Page>
  )
}
