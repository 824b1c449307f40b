import { LOOPBACK } from '../lib/network-host.ts'
import { oneOf } from '../lib/seeded-random.ts'
import { SeverableLink } from '../lib/severable-link.ts'
import { type NetworkFault, type Pause, type RunNetwork, STORAGE } from './run-network.ts'

/** Everything on loopback: each process reaches the database by a link of its own, and all reach the storage by one. */
export class LoopbackNetwork implements RunNetwork {
  readonly #links = new Map<string, SeverableLink>()

  readonly faults: Readonly<Record<string, NetworkFault>> = {
    'storage slow': async (_processes, random, pause) => {
      const link = this.#link(STORAGE)
      link.delayMs = 500 + random() * 4_000
      await pause(2_000 + random() * 8_000)
      link.delayMs = 0
    },
    'network cut': async (processes, random, pause) => this.#sever(oneOf(random, processes).name, 'cut', random, pause),
    'answers of the database lost': async (processes, random, pause) =>
      this.#sever(oneOf(random, processes).name, 'answers lost', random, pause),
  }

  place() {
    return LOOPBACK
  }

  async port(process: string, port: number): Promise<number> {
    const link = this.#links.get(process) ?? (await SeverableLink.to(port))
    this.#links.set(process, link)
    return link.port
  }

  async heal(): Promise<void> {
    for (const link of this.#links.values()) {
      link.delayMs = 0
      link.state = 'whole'
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link[Symbol.asyncDispose]()))
  }

  async #sever(process: string, state: 'cut' | 'answers lost', random: () => number, pause: Pause): Promise<void> {
    const link = this.#link(process)
    link.state = state
    await pause(random() < 0.5 ? random() * 3_000 : random() * 50_000)
    if (random() < 0.5) link.reset()
    link.state = 'whole'
  }

  #link(name: string): SeverableLink {
    const link = this.#links.get(name)
    if (link === undefined) throw new Error(`no link of ${name}`)
    return link
  }
}
