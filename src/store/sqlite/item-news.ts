import type { Refinements } from '../refinements.ts'
import type { Queue, ScopedStore } from '../store.ts'

type Listener = (accountId: string) => void

/** Tells whoever listens of which account items changed. Every way in which they do goes through one of its three wrappers. */
export class ItemNews {
  readonly #listeners = new Set<Listener>()

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  clear(): void {
    this.#listeners.clear()
  }

  ofScope(store: ScopedStore): ScopedStore {
    const { accountId } = store.scope
    return {
      ...store,
      putItem: (item) => this.#after(accountId, store.putItem(item)),
      deleteItem: (ref) => this.#after(accountId, store.deleteItem(ref)),
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
      release: async (claims) => {
        await queue.release(claims)
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
    for (const listener of this.#listeners) listener(accountId)
  }
}
