/** A model in use, which can be exchanged while the service runs. */
export class PluggedIn<Model> {
  #current: Model | undefined
  #changed: () => Promise<void> = () => Promise.resolve()

  constructor(current: Model | undefined) {
    this.#current = current
  }

  get current(): Model | undefined {
    return this.#current
  }

  /** @param changed stops the work of the previous model and starts that of the new one */
  onChange(changed: () => Promise<void>): void {
    this.#changed = changed
  }

  async replace(model: Model | undefined): Promise<void> {
    this.#current = model
    await this.#changed()
  }
}
