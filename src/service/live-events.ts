import type { LiveEvent } from '../domain/live-event.ts'

export interface LiveEvents {
  /** To those who look at the account: nobody else learns that something happened there. */
  publish(event: LiveEvent, accountId: string): void
  /** The items of every account may have changed, as after a lost connection to the database. */
  publishItems(): void
  /** Returns the function that ends it. */
  subscribe(accountId: string, listener: (event: LiveEvent) => void): () => void
  /** Whether anybody looks: what costs something to find out is then worth finding out. */
  readonly hasListeners: boolean
}

export function createLiveEvents(): LiveEvents {
  const listeners = new Set<{ readonly accountId: string; readonly listener: (event: LiveEvent) => void }>()
  return {
    publish(event, accountId) {
      for (const one of listeners) if (one.accountId === accountId) one.listener(event)
    },
    publishItems() {
      for (const one of listeners) one.listener({ type: 'items' })
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
