import { useEffect, useReducer } from 'react'
import { formatAgo } from './format-ago.ts'
import { formatTime } from './formats.ts'

const REFRESH_MS = 30_000

/** `5 minutes ago`, with the exact time on hover. Updates itself. */
export function TimeAgo({ time }: { readonly time: string }) {
  const [, moveOn] = useReducer((ticks: number) => ticks + 1, 0)
  useEffect(() => {
    const timer = setInterval(moveOn, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={time} title={formatTime(time)}>
      {formatAgo(time)}
    </time>
  )
}
