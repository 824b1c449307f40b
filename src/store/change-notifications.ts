/** `undefined`: of any account. */
type Listener = (accountId: string | undefined) => void

/** Carries what happened in this process to the others that use the store. */
export interface NotificationRelay {
  work(): void
  items(accountId: string): void
}

/** Notifies listeners that work is waiting, and which accounts have changed items. */
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

  /** The work that changes items of the account; whoever listens hears of it when it is done. */
  async after<Result>(accountId: string, work: Promise<Result>): Promise<Result> {
    const result = await work
    this.itemsChanged(accountId)
    return result
  }

  /** Items of the account were changed here. */
  itemsChanged(accountId: string): void {
    this.#relay?.items(accountId)
    this.heardOfItems(accountId)
  }
}
