import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '../../http/app/schemas/live-event.ts'
import { address } from './call.ts'

/** Lists of many items are read again at most so often while many change. */
const QUIET_MS = 700
/** So many times as long as the reading took is nothing read again: a slow service has better things to do. */
const QUIET_TIMES = 4
/** Until a stream that was refused is tried again. */
const REOPEN_MS = 5_000

/**
 * Keeps what is shown up to date: each event names what changed, and the queries whose keys begin with that name are read
 * again. Progress of runs lies under `['sync', connection]`.
 */
export function useLiveUpdates(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const refreshes = new Refreshes(queries)
    let stream: EventSource
    let reopening = 0
    let wasLost = false
    const open = () => {
      stream = new EventSource(address('/events'))
      stream.onopen = () => {
        // What happened while nobody was told.
        if (wasLost) void queries.invalidateQueries()
        wasLost = false
      }
      stream.onerror = () => {
        wasLost = true
        if (stream.readyState !== EventSource.CLOSED) return
        // Refused, which browsers take for good: nobody is signed in any more, or a proxy says that the service is away.
        void queries.invalidateQueries({ queryKey: ['session'] })
        reopening = window.setTimeout(open, REOPEN_MS)
      }
      stream.onmessage = ({ data }: MessageEvent<string>) => {
        const event = JSON.parse(data) as LiveEvent
        if (event.type === 'sync') queries.setQueryData(['sync', event.connection], event.progress)
        else refreshes.want(event.type)
      }
    }
    open()
    return () => {
      window.clearTimeout(reopening)
      stream.close()
      refreshes.end()
    }
  }, [queries])
}

/** Reads queries again, one time after the other: what is asked for meanwhile waits, so that each time comes to its end. */
class Refreshes {
  readonly #queries: QueryClient
  readonly #wanted = new Set<string>()
  readonly #busy = new Set<string>()
  readonly #timers = new Set<number>()

  constructor(queries: QueryClient) {
    this.#queries = queries
  }

  want(name: string): void {
    this.#wanted.add(name)
    if (this.#busy.has(name)) return
    this.#busy.add(name)
    this.#after(QUIET_MS, () => void this.#refresh(name))
  }

  end(): void {
    for (const timer of this.#timers) window.clearTimeout(timer)
  }

  async #refresh(name: string): Promise<void> {
    this.#wanted.delete(name)
    const start = performance.now()
    await this.#queries.invalidateQueries({ queryKey: [name] })
    const quiet = Math.max(QUIET_MS, (performance.now() - start) * QUIET_TIMES)
    this.#after(quiet, () => {
      if (this.#wanted.has(name)) void this.#refresh(name)
      else this.#busy.delete(name)
    })
  }

  #after(ms: number, work: () => void): void {
    const timer = window.setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, ms)
    this.#timers.add(timer)
  }
}
