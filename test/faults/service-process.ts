import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packagePath } from '../../src/lib/files.ts'
import type { NetworkHost } from '../lib/network-host.ts'

const LAUNCHER = packagePath('bin/recalld.js')
/** Characters of its log that tell why it ended. */
const LAST_WORDS = 500
const CLOCK = new URL('./shifted-clock.ts', import.meta.url).href

export interface ServiceParts {
  readonly name: string
  readonly role: 'api' | 'worker' | 'scheduler'
  readonly home: string
  readonly place: NetworkHost
  /** Where its log goes. */
  readonly logFile: string
  readonly port: number
  readonly env: Readonly<Record<string, string>>
}

/** Its greeting shows the key then. */
const AS_ON_A_TERMINAL = 'data:text/javascript,process.stdout.isTTY=true'

/** One `recalld up`, started again whenever it ends, as a supervisor does. */
export class ServiceProcess {
  readonly name: string
  readonly role: ServiceParts['role']
  readonly address: string
  readonly #parts: ServiceParts
  #child: ChildProcess | undefined
  #greeting = ''
  #isKilled = false
  #stopped = true
  #supervised = Promise.resolve()
  readonly #unasked: string[] = []

  constructor(parts: ServiceParts) {
    this.#parts = parts
    this.name = parts.name
    this.role = parts.role
    this.address = `http://${parts.place.host}:${parts.port}`
  }

  /** Everything that it printed since it was started last. */
  get greeting(): string {
    return this.#greeting
  }

  start(): void {
    if (!this.#stopped) return
    this.#stopped = false
    this.#supervised = this.#supervise()
  }

  kill(): void {
    this.#isKilled = true
    this.#child?.kill('SIGKILL')
  }

  /** Nothing of it runs until `go`: a machine that was suspended. */
  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  go(): void {
    this.#child?.kill('SIGCONT')
  }

  /** Sets its clock; once it has started only, for the signal ends it before. */
  setClock(aheadMs: number): void {
    writeFileSync(this.#clockFile, String(aheadMs))
    if (this.#greeting !== '') this.#child?.kill('SIGUSR2')
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.go()
    this.#child?.kill('SIGTERM')
    const stuck = setTimeout(() => this.kill(), 20_000)
    await this.#supervised
    clearTimeout(stuck)
  }

  async #supervise(): Promise<void> {
    while (!this.#stopped) {
      await this.#runOnce()
      await delay(500)
    }
  }

  async #runOnce(): Promise<void> {
    const { role, port, place, home, env, logFile } = this.#parts
    const listening = role === 'api' ? ['--host', place.host, '--port', String(port)] : []
    const command = [
      process.execPath,
      '--import',
      CLOCK,
      '--import',
      AS_ON_A_TERMINAL,
      LAUNCHER,
      'up',
      '--roles',
      role,
      ...listening,
    ]
    const [program = '', ...args] = [...place.launcher, ...command]
    writeFileSync(this.#clockFile, '0')
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, NO_COLOR: '1', ...env, RECALLD_HOME: home, CLOCK_FILE: this.#clockFile },
    })
    const log = createWriteStream(logFile, { flags: 'a' })
    child.stderr.pipe(log)
    let said = ''
    child.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-LAST_WORDS)
    })
    this.#greeting = ''
    this.#isKilled = false
    child.stdout.on('data', (chunk) => {
      this.#greeting += chunk
    })
    this.#child = child
    const [code, signal] = await once(child, 'close')
    this.#greeting = ''
    if (this.#isKilled || this.#stopped) return
    this.#unasked.push(`${this.name} ended by itself with ${signal ?? code}: ${said.trim()}`)
  }

  /** Whenever it ended although nobody ended it, also before it had started: what is away then is waited for. */
  get unasked(): readonly string[] {
    return this.#unasked
  }

  get #clockFile(): string {
    return join(this.#parts.home, 'clock')
  }
}
