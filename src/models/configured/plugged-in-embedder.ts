import type { Embedder } from '../model.ts'

/** The embedding model in use. A local one can be added or removed while the service runs. */
export class PluggedInEmbedder {
  #current: Embedder | undefined
  #changed: () => Promise<void> = () => Promise.resolve()

  constructor(current: Embedder | undefined) {
    this.#current = current
  }

  get current(): Embedder | undefined {
    return this.#current
  }

  /** @param changed stops the work of the previous model and starts that of the new one */
  onChange(changed: () => Promise<void>): void {
    this.#changed = changed
  }

  async replace(embedder: Embedder | undefined): Promise<void> {
    this.#current = embedder
    await this.#changed()
  }
}
