import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FeedServer, feedServer, rssFeed } from '../fakes/feed-server.ts'

const SCHEDULE = '*/3 * * * * *'

/** What the schedulers read: a folder whose files come, change and go, and a feed that grows. */
export class MadeUpSources implements AsyncDisposable {
  /** Of the files that are there now. */
  readonly files = new Map<string, string>()
  readonly entries: string[] = []
  readonly #folder: string
  readonly #server: FeedServer
  #written = 0

  private constructor(folder: string, server: FeedServer) {
    this.#folder = folder
    this.#server = server
    this.#publish()
  }

  static async open(folder: string, host: string): Promise<MadeUpSources> {
    mkdirSync(folder)
    return new MadeUpSources(folder, await feedServer(host))
  }

  /** For `config.yaml`. */
  get config(): string {
    return `connectors: ${JSON.stringify({
      technical_docs: [{ name: 'docs', paths: [this.#folder], schedule: SCHEDULE }],
      feeds: [{ name: 'news', urls: [`${this.#server.origin}/feed.xml`], schedule: SCHEDULE }],
    })}\n`
  }

  /** One change: a file or an entry. */
  change(random: () => number): void {
    const names = [...this.files.keys()]
    const known = names[Math.floor(random() * names.length)]
    const kind = random()
    if (kind < 0.4) this.#publish(`entry-${this.entries.length}`)
    else if (kind < 0.55 && known !== undefined) this.#remove(known)
    else if (kind < 0.7 && known !== undefined) this.#write(known)
    else this.#write(`note-${this.#written}.md`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
  }

  #write(name: string): void {
    const text = `# ${name}\n\nThe lamp of ${name} hangs in hall ${this.#written}.\n`
    const file = join(this.#folder, name)
    writeFileSync(file, text)
    // Long ago: what was written just now is left alone at first.
    const at = new Date(Date.now() - 3_600_000 + 1_000 * this.#written++)
    utimesSync(file, at, at)
    this.files.set(name, text)
  }

  #remove(name: string): void {
    rmSync(join(this.#folder, name))
    this.files.delete(name)
  }

  #publish(...added: string[]): void {
    this.entries.push(...added)
    const entries = this.entries.map((id) => ({ id, title: `Post ${id}`, html: `<p>What ${id} tells.</p>` }))
    this.#server.pages.set('/feed.xml', { body: rssFeed(entries) })
  }
}
