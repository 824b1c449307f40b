import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileList } from '../../src/domain/results.ts'
import { stopProcess } from './baselines.ts'
import { sleep } from './measure.ts'
import { resident } from './resident.ts'

/** The real service as a person starts it, in a throw-away home, with the request limits out of the way. */
export interface BenchServer {
  readonly startMs: number
  readonly url: string
  readonly home: string
  /** Of its default account. */
  readonly key: string
  upload(name: string, body: string | Uint8Array<ArrayBuffer>, type: string): Promise<void>
  recall(text: string): Promise<{ memories: { item_id: string; content: { body?: string } }[] }>
  health(): Promise<void>
  /** Number of items that are `ready` or `failed`. */
  settled(): Promise<number>
  /** What failed among the newest 10,000 items, with the reasons. */
  failed(): Promise<string[]>
  residentMiB(): { now: number; peak: number }
  readonly pid: number
  /** The same service again on the same home, as after a reboot. */
  restart(): Promise<BenchServer>
  stop(): Promise<void>
}

/** @param home is kept; without one it is made, and removed at the end. @param env besides that of this process */
export async function startServer(home?: string, env: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  if (home !== undefined) return start(home, env, () => undefined)
  const made = mkdtempSync(path.join(tmpdir(), 'recalld-bench-'))
  return start(made, env, () => rmSync(made, { recursive: true, force: true }))
}

async function start(
  home: string,
  env: Readonly<Record<string, string>>,
  removeHome: () => void,
): Promise<BenchServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../bin/recalld.js', import.meta.url)), 'up'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      RECALLD_LOG_LEVEL: 'error',
      RECALLD_RATE_LIMIT_PER_MINUTE: '1000000',
      RECALLD_MAX_UPLOADS_WAITING: '10000000',
      RECALLD_MAX_UPLOADS_WAITING_PER_ACCOUNT: '10000000',
      ...env,
      RECALLD_HOME: home,
      RECALLD_PORT: String(port),
    },
  })
  const request = async (pathname: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(url + pathname, init)
    if (!response.ok) throw new Error(`${pathname}: ${response.status} ${await response.text()}`)
    return response
  }
  while (true) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    const healthy = await fetch(`${url}/v1/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (healthy) break
    await sleep(5)
  }
  const startMs = performance.now() - startedAt
  let key = ''
  while (key === '') {
    key = readKey(home)
    await sleep(20)
  }
  const headers = { 'x-api-key': key }

  return {
    startMs,
    url,
    home,
    key,
    pid: child.pid ?? 0,
    async upload(name, body, type) {
      const form = new FormData()
      form.set('user_name', 'Ada')
      form.set('item_id', name)
      form.set('file', new Blob([body], { type }), name)
      await (await request('/v1/memorize', { method: 'POST', headers, body: form })).arrayBuffer()
    },
    async recall(text) {
      const form = new FormData()
      form.set('text', text)
      const response = await request('/v1/memories/recall', { method: 'POST', headers, body: form })
      return (await response.json()) as Awaited<ReturnType<BenchServer['recall']>>
    },
    async health() {
      await (await request('/v1/health')).arrayBuffer()
    },
    async settled() {
      const text = await (await request('/metrics')).text()
      return Number(/^recalld_items\{state="settled"\} (\d+)/m.exec(text)?.[1] ?? 0)
    },
    async failed() {
      const list = (await (
        await request('/v1/files/list?source_type=text&limit=10000', { headers })
      ).json()) as FileList
      return list.files.filter((file) => file.status === 'failed').map((file) => `${file.item_id}: ${file.error}`)
    },
    residentMiB: () => resident(child.pid ?? 0),
    async restart() {
      await stopProcess(child)
      return start(home, env, removeHome)
    },
    async stop() {
      await stopProcess(child)
      removeHome()
    },
  }
}

function readKey(home: string): string {
  try {
    return JSON.parse(readFileSync(path.join(home, 'credentials.json'), 'utf8')).api_key
  } catch (error) {
    // Written after the first healthy answer: not there yet.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
