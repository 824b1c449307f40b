import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '../../http/app/schemas/activity.ts'
import { address } from './call.ts'
import { currentlyReachable, onReachabilityChange, reportReachable } from './reachability.ts'

/** Pause before a refresh, in which the events of one change arrive together. It doubles while more keep coming. */
const FIRST_MS = 60
/** Longest pause between two refreshes of one query. */
const QUIET_MS = 700
/** The same as a multiple of the duration of a refresh, to spare a slow service. */
const QUIET_TIMES = 4
/** Pause before a refused stream is opened again. */
const REOPEN_MS = 5_000

/**
 * Keeps pages up to date: each event names what changed, and queries with keys that begin with that name are fetched
 * again. Progress of runs is stored under `['sync', connection]`.
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
        // Missed while disconnected; after a longer time, becoming reachable fetches everything.
        if (wasLost && currentlyReachable()) void queries.invalidateQueries()
        reportReachable(true)
        wasLost = false
      }
      stream.onerror = () => {
        wasLost = true
        reportReachable(false)
        if (stream.readyState !== EventSource.CLOSED) return
        // Browsers don't retry a refused stream: the session ended, or a proxy reported the service as down.
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
    const stopListening = onReachabilityChange(() => {
      if (currentlyReachable()) refreshAll(queries)
    })
    return () => {
      stopListening()
      window.clearTimeout(reopening)
      stream.close()
      reportReachable(true)
      refreshes.end()
    }
  }, [queries])
}

/** Fetches what was missed while disconnected, and what failed meanwhile. */
function refreshAll(queries: QueryClient): void {
  const failed = queries.getQueryCache().findAll({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  // Invalidating passes over queries that never go stale, such as searches.
  for (const query of failed) query.fetch().catch(() => undefined)
  void queries.invalidateQueries()
}

/**
 * Refreshes queries one after another; requests during a refresh wait for the next. What a person has just done is shown
 * at once, and a stream of changes is slowed down.
 */
class Refreshes {
  readonly #queries: QueryClient
  readonly #wanted = new Set<string>()
  readonly #busy = new Set<string>()
  readonly #timers = new Set<number>()
  /** How often each was refreshed in succession, and when this starts anew. */
  readonly #paces = new Map<string, { readonly count: number; readonly calmAt: number }>()

  constructor(queries: QueryClient) {
    this.#queries = queries
  }

  want(name: string): void {
    this.#wanted.add(name)
    if (this.#busy.has(name)) return
    this.#busy.add(name)
    this.#after(FIRST_MS, () => void this.#refresh(name))
  }

  end(): void {
    for (const timer of this.#timers) window.clearTimeout(timer)
  }

  async #refresh(name: string): Promise<void> {
    this.#wanted.delete(name)
    const start = performance.now()
    await this.#queries.invalidateQueries({ queryKey: [name] })
    const end = performance.now()
    const quiet = Math.max(QUIET_MS, (end - start) * QUIET_TIMES)
    const pace = this.#paces.get(name)
    const count = pace === undefined || start > pace.calmAt ? 1 : pace.count + 1
    this.#paces.set(name, { count, calmAt: end + 2 * quiet })
    this.#after(Math.max(end - start, Math.min(quiet, FIRST_MS * 2 ** count)), () => {
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
