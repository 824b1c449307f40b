import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '../../app-api/wire/live-event.ts'
import { address } from './call.ts'

/** Lists of many items are read again at most so often while many change. */
const QUIET_MS = 700

/**
 * Keeps what is shown up to date: each event names what changed, and the queries whose keys begin with that name are read
 * again. Progress of runs lies under `['sync', connection]`.
 */
export function useLiveUpdates(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const stream = new EventSource(address('/events'))
    const waiting = new Map<string, number>()
    let wasLost = false
    const refresh = (name: string) => {
      if (waiting.has(name)) return
      const timer = window.setTimeout(() => {
        waiting.delete(name)
        void queries.invalidateQueries({ queryKey: [name] })
      }, QUIET_MS)
      waiting.set(name, timer)
    }
    stream.onopen = () => {
      // What happened while nobody was told.
      if (wasLost) void queries.invalidateQueries()
      wasLost = false
    }
    stream.onerror = () => {
      wasLost = true
      // The service refused it: most likely nobody is signed in any more.
      if (stream.readyState === EventSource.CLOSED) void queries.invalidateQueries({ queryKey: ['session'] })
    }
    stream.onmessage = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as LiveEvent
      if (event.type === 'sync') queries.setQueryData(['sync', event.connection], event.progress)
      else refresh(event.type)
    }
    return () => {
      stream.close()
      for (const timer of waiting.values()) window.clearTimeout(timer)
    }
  }, [queries])
}
