import { setTimeout as delay } from 'node:timers/promises'
import type { NetworkHost } from '../lib/network-host.ts'
import { oneOf } from '../lib/seeded-random.ts'
import type { Namespaces } from './namespaces.ts'
import { DATABASE, type NetworkFault, type Pause, RUN, type RunNetwork, STORAGE } from './run-network.ts'

/** Every process, the database and the storage in a network of the kernel each: what is cut vanishes, and nobody is told. */
export class NamespaceNetwork implements RunNetwork {
  readonly #namespaces: Namespaces

  /** @param namespaces made by whoever runs this, who removes them */
  constructor(namespaces: Namespaces) {
    this.#namespaces = namespaces
  }

  readonly faults: Readonly<Record<string, NetworkFault>> = {
    'network cut': async (processes, random, pause) => {
      const { name } = oneOf(random, processes)
      await this.#dropped([...this.#sentBy(name), ...this.#sentTo(name)], whileCut(random), pause)
    },
    'answers lost': async (processes, random, pause) =>
      this.#dropped(this.#sentTo(oneOf(random, processes).name), whileCut(random), pause),
    'packets lost': async (processes, random, pause) => {
      const share = ['-m', 'statistic', '--mode', 'random', '--probability', (0.05 + random() * 0.4).toFixed(2)]
      const { name } = oneOf(random, processes)
      const some = [...this.#sentBy(name), ...this.#sentTo(name)].map((match) => [...match, ...share])
      await this.#dropped(some, 5_000 + random() * 15_000, pause)
    },
    // Its sockets are gone, and the others never hear of that while it lasts.
    'machine off': async (processes, random, pause) => {
      const one = oneOf(random, processes)
      const { host } = this.place(one.name)
      const rules = [
        ['-s', host],
        ['-d', host],
      ]
      const over = this.#dropped(rules, whileCut(random), pause)
      await delay(200)
      one.kill()
      await over
    },
    'cable pulled': async (processes, random, pause) => {
      const others = processes.filter(({ role }) => role !== 'api').map(({ name }) => name)
      const name = oneOf(random, [...others, DATABASE, STORAGE])
      await this.#namespaces.setLink(name, 'down')
      await pause(random() * 15_000)
      await this.#namespaces.setLink(name, 'up')
    },
    'database out of reach': async (_processes, random, pause) => this.#outOfReach(DATABASE, random, pause),
    'storage out of reach': async (_processes, random, pause) => this.#outOfReach(STORAGE, random, pause),
  }

  place(name: string): NetworkHost {
    return this.#namespaces.place(name)
  }

  async port(_process: string, port: number): Promise<number> {
    return port
  }

  heal(): Promise<void> {
    return this.#namespaces.heal()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.heal()
  }

  async #outOfReach(name: string, random: () => number, pause: Pause): Promise<void> {
    const [host, run] = [this.place(name).host, this.place(RUN).host]
    const rules = [
      ['-s', host, '!', '-d', run],
      ['-d', host, '!', '-s', run],
    ]
    await this.#dropped(rules, random() * 30_000, pause)
  }

  /** Clients ask the APIs all the time: they are judged by what they answer. */
  #sentBy(name: string): string[][] {
    return [['-s', this.place(name).host, '!', '-d', this.place(RUN).host]]
  }

  #sentTo(name: string): string[][] {
    return [['-d', this.place(name).host, '!', '-s', this.place(RUN).host]]
  }

  async #dropped(rules: readonly (readonly string[])[], ms: number, pause: Pause): Promise<void> {
    for (const rule of rules) await this.#namespaces.drop(rule)
    await pause(ms)
    for (const rule of rules) await this.#namespaces.pass(rule)
  }
}

function whileCut(random: () => number): number {
  return random() < 0.5 ? random() * 3_000 : random() * 50_000
}
