import { Link } from 'wouter'
import { Note } from '../../ui/notices.tsx'
import { useAttention } from './attention-badge.tsx'
import { messages } from './messages.ts'

/** Says on the first page that sources need the person. */
export function AttentionNote() {
  const count = useAttention()
  if (count === 0) return null
  return (
    <Note tone="warn">
      {messages.sourcesNeedAttention(count)}{' '}
      <Link href="/sources" className="underline">
        {messages.showSources}
      </Link>
    </Note>
  )
}
