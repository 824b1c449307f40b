import type { Embedder } from '../model.ts'

/** The embedding model that is plugged in. A local one can come and go while the service runs. */
export class PluggedInEmbedder {
  #current: Embedder | undefined
  #changed: () => Promise<void> = () => Promise.resolve()

  constructor(current: Embedder | undefined) {
    this.#current = current
  }

  get current(): Embedder | undefined {
    return this.#current
  }

  /** @param changed ends the work with the model before, and begins that with the new one */
  onChange(changed: () => Promise<void>): void {
    this.#changed = changed
  }

  async replace(embedder: Embedder | undefined): Promise<void> {
    this.#current = embedder
    await this.#changed()
  }
}
