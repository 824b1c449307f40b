import { useQuery } from '@tanstack/react-query'
import { needsAttention } from './connection-state.tsx'
import { messages } from './messages.ts'
import { SOURCES_QUERY } from './source-calls.ts'

/** The number of connections that need the person; nothing when there are none. */
export function AttentionBadge() {
  const { data } = useQuery(SOURCES_QUERY)
  const count = data?.connections.filter(needsAttention).length ?? 0
  if (count === 0) return null
  return (
    <span className="bg-bad-soft text-bad ml-auto rounded-full px-2 text-xs font-medium tabular-nums">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{messages.needAttention(count)}</span>
    </span>
  )
}
