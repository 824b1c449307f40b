import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { messages } from './messages.ts'

const ATTENTION_QUERY = {
  queryKey: ['sources', 'attention'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call('GET /sources/attention', { signal }),
} as const

/** How many connections need the person. */
export function useAttention(): number {
  return useQuery(ATTENTION_QUERY).data?.connections ?? 0
}

/** Their number; nothing when there are none. */
export function AttentionBadge() {
  const count = useAttention()
  if (count === 0) return null
  return (
    <span className="bg-bad-soft text-bad ml-auto rounded-full px-2 text-xs font-medium tabular-nums">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{messages.needAttention(count)}</span>
    </span>
  )
}
