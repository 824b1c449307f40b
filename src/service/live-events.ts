import type { LiveEvent } from '../domain/activity.ts'
import type { Store } from '../store/store.ts'

export interface LiveEvents {
  /** To the viewers of the account; nobody else is notified. */
  publish(event: LiveEvent, accountId: string): void
  /** The items of any account may have changed, for example after a lost database connection. */
  publishItems(): void
  /** Returns a function that unsubscribes. */
  subscribe(accountId: string, listener: (event: LiveEvent) => void): () => void
  /** Whether anyone is watching, so that expensive events are only created then. */
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

/** Minimum interval between events of one account or of all accounts, however many items change. */
const QUIET_MS = 500

/**
 * Notifies viewers of an account that its items changed: immediately, and once more if further ones changed within the
 * interval.
 * Returns a function that stops it.
 */
export function announceItems(store: Pick<Store, 'onItems'>, live: LiveEvents): () => void {
  /** During an account's interval: whether more changed. */
  const quiet = new Map<string | undefined, { isDue: boolean; timer: NodeJS.Timeout }>()
  const tell = (accountId: string | undefined) => {
    if (accountId === undefined) live.publishItems()
    else live.publish({ type: 'items' }, accountId)
    const timer = setTimeout(() => {
      const isDue = quiet.get(accountId)?.isDue === true
      quiet.delete(accountId)
      if (isDue) tell(accountId)
    }, QUIET_MS)
    timer.unref()
    quiet.set(accountId, { isDue: false, timer })
  }
  const stop = store.onItems((accountId) => {
    if (!live.hasListeners) return
    const waiting = quiet.get(accountId)
    if (waiting === undefined) tell(accountId)
    else waiting.isDue = true
  })
  return () => {
    stop()
    for (const { timer } of quiet.values()) clearTimeout(timer)
    quiet.clear()
  }
}
