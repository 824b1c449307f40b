import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Plug } from 'lucide-react'
import { useState } from 'react'
import type { Connector, Preview } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { useSendOnce } from '../../api/use-send-once.ts'
import { Button } from '../../ui/button.tsx'
import { messages } from './messages.ts'
import { ConnectorIcon } from './page-parts.tsx'
import { SOURCES_QUERY } from './source-calls.ts'
import { SourceProblemNote } from './source-problem.tsx'

/** The name of a connection that nobody named. */
const NAME = 'me'

/**
 * Sources on the machine of recalld that need no settings and have something to read, each connected by one click.
 * Nothing where there are none, and for people who may not connect.
 * @param onRequest looks only when asked, because it reads all folders, which may be large
 */
export function FoundHere({ onRequest = false }: { readonly onRequest?: boolean }) {
  const [isWanted, setWanted] = useState(!onRequest)
  const { data: sources } = useQuery(SOURCES_QUERY)
  const standalone = sources?.editable ? sources.connectors.filter((one) => one.auth === 'none' && one.standalone) : []
  const connected = new Set(sources?.connections.map(({ connector }) => connector))
  const candidates = standalone.filter(({ id }) => !connected.has(id))
  const previews = useQueries({
    queries: candidates.map(({ id }) => ({
      queryKey: ['found-here', id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call('POST /connectors/:id/preview', { params: { id }, body: { settings: {} }, signal }),
      enabled: isWanted,
      staleTime: 'static' as const,
      retry: false,
    })),
  })
  const found = candidates.flatMap((connector, i) => {
    const preview = previews[i]?.data
    return preview === undefined || itemsIn(preview) === 0 ? [] : [{ connector, preview }]
  })
  if (candidates.length === 0) return null
  if (!isWanted) return <Button onClick={() => setWanted(true)}>{messages.lookHere}</Button>
  const isLooking = previews.some(({ isFetching }) => isFetching)
  if (found.length === 0) {
    if (!onRequest) return null
    return (
      <p role="status" className="text-soft text-sm">
        {isLooking ? messages.lookingHere : messages.nothingHere}
      </p>
    )
  }
  return (
    <section>
      <h2 className="mb-3 text-sm font-semibold">{messages.foundHere}</h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {found.map(({ connector, preview }) => (
          <li key={connector.id}>
            <Found connector={connector} preview={preview} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function itemsIn({ partitions }: Preview): number {
  return partitions.reduce((sum, one) => sum + one.new + one.changed, 0)
}

function Found({ connector, preview }: { readonly connector: Connector; readonly preview: Preview }) {
  const queries = useQueryClient()
  const connect = useMutation({
    mutationFn: () => call('POST /sources', { body: { connector: connector.id, name: NAME, settings: {} } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sources'] }),
  })
  const send = useSendOnce(connect)
  return (
    <div className="bg-sheet border-line rounded-card flex h-full flex-col gap-3 border p-4">
      <div className="flex gap-3">
        <ConnectorIcon connector={connector} />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{connector.title}</p>
          <p className="text-soft text-[0.8125rem]">{messages.foundItems(itemsIn(preview), preview.cut_off)}</p>
        </div>
        <Button
          busy={connect.isPending}
          disabled={connect.isSuccess}
          onClick={() => send()}
          aria-label={messages.connectTitle(connector.title)}
        >
          {connect.isSuccess ? <Check aria-hidden /> : <Plug aria-hidden />}
          {connect.isSuccess ? messages.connected : messages.connectShort}
        </Button>
      </div>
      {connect.error !== null && <SourceProblemNote error={connect.error} />}
    </div>
  )
}
