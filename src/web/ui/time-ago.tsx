import { useSyncExternalStore } from 'react'
import { formatAgo } from './format-ago.ts'
import { formatTime } from './formats.ts'
import { uiMessages } from './messages.ts'

const REFRESH_MS = 30_000

/** What is due begins within this time, whatever the clock of the service says. */
const DUE_MS = 5_000

interface TimeAgoProps {
  readonly time: string
  /** Still to come, even if its time has passed. */
  readonly isAhead?: boolean
}

/** `5 minutes ago`, with the exact time on hover. Updates itself. */
export function TimeAgo({ time, isAhead = false }: TimeAgoProps) {
  useSyncExternalStore(subscribe, currentTick)
  const isDue = isAhead && Date.parse(time) - Date.now() < DUE_MS
  return (
    <time dateTime={time} title={formatTime(time)}>
      {isDue ? uiMessages.soon : formatAgo(time)}
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
