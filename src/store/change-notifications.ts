/** `undefined`: of any account. */
type Listener = (accountId: string | undefined) => void

/** Sends notifications to the other processes that use the store. */
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

  /** Starts sending notifications to other processes. */
  relayTo(relay: NotificationRelay): void {
    this.#relay = relay
  }

  /** This process queued work. */
  wake(): void {
    this.#relay?.work()
    this.heardOfWork()
  }

  /** Another process queued work, or may have. */
  heardOfWork(): void {
    for (const listener of this.#work) listener()
  }

  /** Another process changed items of the account; `undefined`: possibly of any account. */
  heardOfItems(accountId: string | undefined): void {
    for (const listener of this.#items) listener(accountId)
  }

  clear(): void {
    this.#work.clear()
    this.#items.clear()
  }

  /** Waits for work that changes items of the account, then notifies listeners. */
  async after<Result>(accountId: string, work: Promise<Result>): Promise<Result> {
    const result = await work
    this.itemsChanged(accountId)
    return result
  }

  /** This process changed items of the account. */
  itemsChanged(accountId: string): void {
    this.#relay?.items(accountId)
    this.heardOfItems(accountId)
  }
}
