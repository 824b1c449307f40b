import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { formatAgo, formatTime } from '../../ui/formats.ts'

const DAY_MS = 86_400_000
/** So long before access ends it is told on the overview. */
const SOON_MS = 14 * DAY_MS
const URGENT_MS = 3 * DAY_MS
const REFRESH_MS = 60_000

/** How long access still lasts: `Access ends in 3 days`. @param always also when that is long */
export function ExpiryNote({ expiresAt, always = false }: { readonly expiresAt: string; readonly always?: boolean }) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  const leftMs = new Date(expiresAt).getTime() - now.getTime()
  if (leftMs > SOON_MS && !always) return null
  const when = <time dateTime={expiresAt}>{formatAgo(expiresAt, now)}</time>
  return (
    <Badge tone={leftMs > SOON_MS ? 'plain' : leftMs > URGENT_MS ? 'warn' : 'bad'}>
      <KeyRound aria-hidden />
      <span title={formatTime(expiresAt)}>
        {leftMs > 0 ? 'Access ends ' : 'Access ended '}
        {when}
      </span>
    </Badge>
  )
}
