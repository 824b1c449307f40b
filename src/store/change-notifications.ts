import type { Queue } from './queue/queue.ts'
import type { Refinements } from './refinements/refinements.ts'
import type { ScopedStore } from './store.ts'

/** `undefined`: of any account. */
type Listener = (accountId: string | undefined) => void

/** Carries what happened in this process to the others that use the store. */
export interface NotificationRelay {
  work(): void
  items(accountId: string): void
}

/**
 * Tells whoever listens that work is waiting, and of which account items changed. Every way in which they do goes through
 * one of its three wrappers.
 */
export class ChangeNotifications {
  readonly #work = new Set<() => void>()
  readonly #items = new Set<Listener>()
  #relay: NotificationRelay | undefined

  onWork(listener: () => void): () => void {
    this.#work.add(listener)
    return () => this.#work.delete(listener)
  }

  onItems(listener: Listener): () => void {
    this.#items.add(listener)
    return () => this.#items.delete(listener)
  }

  /** From now on others hear it too. */
  relayTo(relay: NotificationRelay): void {
    this.#relay = relay
  }

  /** Work was queued here. */
  wake(): void {
    this.#relay?.work()
    this.heardOfWork()
  }

  /** Another process queued work, or may have. */
  heardOfWork(): void {
    for (const listener of this.#work) listener()
  }

  /** Another process changed items of the account, or may have changed some of any. */
  heardOfItems(accountId: string | undefined): void {
    for (const listener of this.#items) listener(accountId)
  }

  clear(): void {
    this.#work.clear()
    this.#items.clear()
  }

  ofScope(store: ScopedStore): ScopedStore {
    const { accountId } = store.scope
    return {
      ...store,
      putItem: (...put) => this.#after(accountId, store.putItem(...put)),
      deleteItem: (ref) => this.#after(accountId, store.deleteItem(ref)),
      forgetItem: (listed, reason) => this.#after(accountId, store.forgetItem(listed, reason)),
      requeueFailed: (ref) => this.#after(accountId, store.requeueFailed(ref)),
      library: {
        ...store.library,
        reprocess: (refs) => this.#after(accountId, store.library.reprocess(refs)),
      },
    }
  }

  ofQueue(queue: Queue): Queue {
    return {
      ...queue,
      claim: async (request) => {
        const claims = await queue.claim(request)
        for (const accountId of new Set(claims.map((claim) => claim.accountId))) this.#tell(accountId)
        return claims
      },
      complete: (claim, item, rest) => this.#after(claim.accountId, queue.complete(claim, item, rest)),
      fail: (claim, failure) => this.#after(claim.accountId, queue.fail(claim, failure)),
      release: async (claims, lane) => {
        await queue.release(claims, lane)
        for (const accountId of new Set(claims.map((claim) => claim.accountId))) this.#tell(accountId)
      },
    }
  }

  ofRefinements(refinements: Refinements): Refinements {
    return {
      ...refinements,
      complete: (claim, refined) => this.#after(claim.accountId, refinements.complete(claim, refined)),
    }
  }

  async #after<Result>(accountId: string, work: Promise<Result>): Promise<Result> {
    const result = await work
    this.#tell(accountId)
    return result
  }

  #tell(accountId: string): void {
    this.#relay?.items(accountId)
    this.heardOfItems(accountId)
  }
}
