import { createHash } from 'node:crypto'
import { pack } from 'tar-stream'
import type { ArchiveManifest, ArchiveTable } from './archive-format.ts'

/** Beyond it, further lines go into another entry. */
const PART_BYTES = 4 * 1024 * 1024

/** Writes entries one after another, as fast as they are read; holds one in memory. */
export class ArchiveWriter {
  readonly #pack = pack()
  readonly #madeAt: Date
  readonly #entries: Record<string, ArchiveManifest['entries'][string]> = {}
  readonly #counts = new Map<string, number>()
  readonly #parts = new Map<string, number>()

  constructor(madeAt: Date) {
    this.#madeAt = madeAt
    // Whoever waits for an entry is told, and whoever reads what is made of it.
    this.#pack.on('error', () => undefined)
  }

  get stream() {
    return this.#pack
  }

  get entries(): ArchiveManifest['entries'] {
    return this.#entries
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  /** A file of an item, which its line describes. */
  async file(name: string, bytes: Uint8Array): Promise<void> {
    const header = { name, size: bytes.byteLength, mtime: this.#madeAt, mode: 0o600 }
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    await new Promise<void>((done, reject) => {
      const ended = () => reject(new Error('nobody reads the archive any more'))
      if (this.#pack.destroyed) return ended()
      this.#pack.once('close', ended)
      const entry = this.#pack.entry(header, content, (error) => {
        this.#pack.off('close', ended)
        if (error == null) done()
        else reject(error)
      })
      entry.on('error', reject)
    })
  }

  /** Anything else, with its hash for the manifest. */
  async entry(name: string, content: string): Promise<void> {
    const bytes = Buffer.from(content)
    this.#entries[name] = { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength }
    await this.file(name, bytes)
  }

  /** The next entry of this name, with a line for each row. */
  async lines(folder: string, rows: readonly unknown[]): Promise<void> {
    if (rows.length === 0) return
    const part = (this.#parts.get(folder) ?? 0) + 1
    this.#parts.set(folder, part)
    this.#counts.set(folder, this.count(folder) + rows.length)
    const name = `${folder}/${String(part).padStart(6, '0')}.jsonl`
    await this.entry(name, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }

  /** A whole table, in as many entries as it takes. */
  async table(name: ArchiveTable, rows: AsyncIterable<unknown>): Promise<void> {
    let waiting: unknown[] = []
    let bytes = 0
    for await (const row of rows) {
      waiting.push(row)
      bytes += JSON.stringify(row).length
      if (bytes < PART_BYTES) continue
      await this.lines(name, waiting)
      waiting = []
      bytes = 0
    }
    await this.lines(name, waiting)
  }

  end(): void {
    this.#pack.finalize()
  }

  fail(error: unknown): void {
    this.#pack.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}
