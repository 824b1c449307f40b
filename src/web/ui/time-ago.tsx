import { useSyncExternalStore } from 'react'
import { formatAgo } from './format-ago.ts'
import { formatTime } from './formats.ts'

const REFRESH_MS = 30_000

/** `5 minutes ago`, with the exact time on hover. Updates itself. */
export function TimeAgo({ time }: { readonly time: string }) {
  useSyncExternalStore(subscribe, currentTick)
  return (
    <time dateTime={time} title={formatTime(time)}>
      {formatAgo(time)}
    </time>
  )
}

// One timer for all: a long list shows a hundred of these.
const listeners = new Set<() => void>()
let timer = 0
let ticks = 0
const currentTick = () => ticks

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) timer = window.setInterval(tick, REFRESH_MS)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.clearInterval(timer)
  }
}

function tick(): void {
  ticks += 1
  for (const listener of listeners) listener()
}
