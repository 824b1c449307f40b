/** A model in use, which can be exchanged while the service runs. */
export class PluggedIn<Model> {
  #current: Model | undefined
  #users = new Users()
  #changed: () => Promise<void> = () => Promise.resolve()
  readonly #closing = new Set<Promise<void>>()

  constructor(current: Model | undefined) {
    this.#current = current
  }

  get current(): Model | undefined {
    return this.#current
  }

  /** Work that may use the model; what is in use at its beginning stays open until it ends. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    const users = this.#users
    users.enter()
    try {
      return await work()
    } finally {
      users.leave()
    }
  }

  /** @param changed stops the work of the previous model and starts that of the new one */
  onChange(changed: () => Promise<void>): void {
    this.#changed = changed
  }

  /** @param closePrevious called once nobody uses the previous model; must not throw */
  async replace(model: Model | undefined, closePrevious: () => Promise<void>): Promise<void> {
    const users = this.#users
    this.#users = new Users()
    this.#current = model
    await this.#changed()
    const closing = users.gone().then(closePrevious)
    this.#closing.add(closing)
    void closing.finally(() => this.#closing.delete(closing))
  }

  /** Resolves when all previous models are closed. */
  async settled(): Promise<void> {
    await Promise.all(this.#closing)
  }
}

/** Counts who uses a model. */
class Users {
  #count = 0
  #gone = Promise.withResolvers<void>()

  enter(): void {
    this.#count += 1
  }

  leave(): void {
    this.#count -= 1
    if (this.#count === 0) this.#gone.resolve()
  }

  /** To be called once nobody enters any more. */
  gone(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    this.#gone = Promise.withResolvers()
    return this.#gone.promise
  }
}
