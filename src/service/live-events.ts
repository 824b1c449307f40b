import type { LiveEvent } from '../domain/live-event.ts'

export interface LiveEvents {
  /** Of one account, or of all. */
  publish(event: LiveEvent, accountId?: string): void
  /** Returns the function that ends it. */
  subscribe(accountId: string, listener: (event: LiveEvent) => void): () => void
  /** Whether anybody looks: what costs something to find out is then worth finding out. */
  readonly hasListeners: boolean
}

export function createLiveEvents(): LiveEvents {
  const listeners = new Set<{ readonly accountId: string; readonly listener: (event: LiveEvent) => void }>()
  return {
    publish(event, accountId) {
      for (const one of listeners) if (accountId === undefined || one.accountId === accountId) one.listener(event)
    },
    subscribe(accountId, listener) {
      const one = { accountId, listener }
      listeners.add(one)
      return () => listeners.delete(one)
    },
    get hasListeners() {
      return listeners.size > 0
    },
  }
}
