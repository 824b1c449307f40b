import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { NetworkHost } from '../lib/network-host.ts'

const run = promisify(execFile)

/** The beginning of every name, with the process that made it after it. */
const PREFIX = 'recalld-faults-'
const ROUTER = 'router'

/**
 * Networks of the kernel, one for each name, joined by a router that can lose packets. No other network is reached from
 * them, and nothing else of the machine is changed. Linux as root, with the programs `ip` and `iptables`.
 */
export class Namespaces {
  readonly #owner: number
  readonly #names: readonly string[]

  /** @param owner the process that made them */
  constructor(owner: number, names: readonly string[]) {
    this.#owner = owner
    this.#names = names
  }

  /** Why there can be none here, in a sentence; `undefined` when there can. */
  static get lack(): string | undefined {
    if (process.getuid?.() !== 0) return 'only root makes network namespaces'
    const missing = ['ip', 'iptables', 'setpriv', 'unshare'].filter((program) => !succeeds(program, '-V'))
    if (missing.length > 0) return `there is no ${missing.join(' and no ')}`
    return succeeds('unshare', '--net', 'true') ? undefined : 'this machine allows no network namespaces'
  }

  /** Makes them. What processes left behind that were killed is removed first. */
  async make(): Promise<void> {
    for (const name of await existing()) if (!isAlive(ownerOf(name))) await removeNamespace(name)
    for (const name of [ROUTER, ...this.#names]) {
      await run('ip', ['netns', 'add', this.#full(name)])
      await this.#ip(name, 'link', 'set', 'lo', 'up')
    }
    for (const name of this.#names) {
      const peer = ['peer', 'name', 'eth0', 'netns', this.#full(name)]
      await this.#ip(ROUTER, 'link', 'add', 'name', name, 'type', 'veth', ...peer)
      await this.#ip(ROUTER, 'address', 'add', `${this.#gateway(name)}/30`, 'dev', name)
      await this.#ip(ROUTER, 'link', 'set', name, 'up')
      await this.#ip(name, 'address', 'add', `${this.place(name).host}/30`, 'dev', 'eth0')
      await this.#ip(name, 'link', 'set', 'eth0', 'up')
      await this.#ip(name, 'route', 'add', 'default', 'via', this.#gateway(name))
      // What a killed process had open is forgotten, as with its machine, and not closed later.
      await this.#in(name, 'sysctl', '-qw', 'net.ipv4.tcp_orphan_retries=1')
    }
    await this.#in(ROUTER, 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
  }

  place(name: string): NetworkHost {
    return { host: `10.231.${this.#number(name)}.2`, launcher: ['ip', 'netns', 'exec', this.#full(name)] }
  }

  /** From now on packets vanish that match; nobody is told. @param match as `iptables` reads it */
  async drop(match: readonly string[]): Promise<void> {
    await this.#in(ROUTER, 'iptables', '-w', '-A', 'FORWARD', ...match, '-j', 'DROP')
  }

  /** Ends one `drop`. */
  async pass(match: readonly string[]): Promise<void> {
    await this.#in(ROUTER, 'iptables', '-w', '-D', 'FORWARD', ...match, '-j', 'DROP')
  }

  async setLink(name: string, state: 'up' | 'down'): Promise<void> {
    await this.#ip(ROUTER, 'link', 'set', name, state)
  }

  async heal(): Promise<void> {
    await this.#in(ROUTER, 'iptables', '-w', '-F', 'FORWARD')
    for (const name of this.#names) await this.setLink(name, 'up')
  }

  /** Ends every process in them and removes them. */
  async remove(): Promise<void> {
    for (const name of await existing()) if (ownerOf(name) === this.#owner) await removeNamespace(name)
  }

  #full(name: string): string {
    return `${PREFIX}${this.#owner}-${name}`
  }

  #number(name: string): number {
    const at = this.#names.indexOf(name)
    if (at < 0) throw new RangeError(`there is no place ${name}`)
    return at + 1
  }

  #gateway(name: string): string {
    return `10.231.${this.#number(name)}.1`
  }

  async #ip(name: string, ...args: string[]): Promise<void> {
    await run('ip', ['-n', this.#full(name), ...args])
  }

  async #in(name: string, ...command: string[]): Promise<void> {
    await run('ip', ['netns', 'exec', this.#full(name), ...command])
  }
}

/** Names of all that runs on this machine made. */
async function existing(): Promise<string[]> {
  const { stdout } = await run('ip', ['netns', 'list'])
  return stdout.split('\n').flatMap((line) => line.match(/^recalld-faults-\d+-[\w-]+/)?.[0] ?? [])
}

function ownerOf(name: string): number {
  return Number.parseInt(name.slice(PREFIX.length), 10)
}

/** A network lasts as long as a process is in it. */
async function removeNamespace(name: string): Promise<void> {
  const { stdout } = await run('ip', ['netns', 'pids', name])
  for (const pid of stdout.split('\n').filter(Boolean)) kill(Number(pid))
  await run('ip', ['netns', 'delete', name])
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !isGone(error)
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH'
}

function succeeds(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
