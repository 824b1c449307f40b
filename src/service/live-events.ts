import type { LiveEvent } from '../domain/activity.ts'
import type { Store } from '../store/store.ts'

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

/** Of one account, or of all at once, at most so often, however many items change. */
const QUIET_MS = 500

/**
 * Tells the people who look at an account that its items changed: at once, and once more when further ones did meanwhile.
 * Returns the function that ends it.
 */
export function announceItems(store: Pick<Store, 'onItems'>, live: LiveEvents): () => void {
  /** While an account is quiet: whether more happened. */
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
