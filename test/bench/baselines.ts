import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Corpus } from './corpus.ts'
import { percentile } from './measure.ts'

/** The twenty lines a person would write instead: one FTS5 table, one row a text, commits of 100. */
export class BareFts5 {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'recalld-bench-fts-'))
  readonly #db: DatabaseSync
  #rows = 0

  constructor() {
    this.#db = new DatabaseSync(path.join(this.#folder, 'bare.db'))
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    this.#db.exec(`CREATE VIRTUAL TABLE t USING fts5(body, tokenize = 'porter unicode61')`)
  }

  /** Adds texts until there are `rows`; returns rows per second. */
  grow(corpus: Corpus, rows: number, characters: number): number {
    const insert = this.#db.prepare('INSERT INTO t(body) VALUES (?)')
    const start = performance.now()
    const before = this.#rows
    while (this.#rows < rows) {
      this.#db.exec('BEGIN')
      for (let i = 0; i < 100 && this.#rows < rows; i++) insert.run(corpus.text(this.#rows++, characters))
      this.#db.exec('COMMIT')
    }
    return ((this.#rows - before) / (performance.now() - start)) * 1000
  }

  /** Median of the best ten by `bm25()` of an OR of the question's words, in ms. */
  queryP50(corpus: Corpus, count: number): number {
    const query = this.#db.prepare('SELECT body FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10')
    const durations: number[] = []
    for (let number = 0; number < count; number++) {
      const words = corpus.question(number).match(/\w+/g) ?? []
      const match = words.map((word) => `"${word}"`).join(' OR ')
      const start = performance.now()
      query.all(match)
      durations.push(performance.now() - start)
    }
    return percentile(durations, 0.5)
  }

  close(): void {
    this.#db.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

interface BareFastify {
  readonly url: string
  readonly pid: number
  readonly startMs: number
  stop(): Promise<void>
}

/** A Fastify server that answers everything with nothing, or with as many bytes as the path says, in a process of its own. */
export async function startBareFastify(): Promise<BareFastify> {
  const start = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL('./bare-fastify.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await firstLine(child)
  await fetch(url)
  return { url, pid: child.pid ?? 0, startMs: performance.now() - start, stop: () => stopProcess(child) }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it said its address`)))
    child.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()))
  })
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
