import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a limited process got, since its limit was set. */
export interface ShareUse {
  /** Periods in which it wanted to run, and those in which it had to stop. */
  readonly periods: number
  readonly throttled: number
}

/** Short, so that a stopped process holds a lock of the database no longer than a slow machine would. */
const PERIOD_US = 20_000
/** The kernel takes no less than 1 ms. */
const LEAST_QUOTA_US = 2_000

/** Version 1 of cgroups has a tree for each resource, version 2 one for all. */
const CPU_TREE_1 = '/sys/fs/cgroup/cpu'
const TREE_2 = '/sys/fs/cgroup'

/** A group of processes that get a share of one processor together, as if they had a small machine. Needs Linux and root. */
export class ProcessorShare implements Disposable {
  readonly #folder: string
  readonly #isVersion2: boolean

  private constructor(folder: string, isVersion2: boolean) {
    this.#folder = folder
    this.#isVersion2 = isVersion2
  }

  /** @throws Error where groups can't be written */
  static create(name: string): ProcessorShare {
    const isVersion2 = !existsSync(join(CPU_TREE_1, 'cgroup.procs'))
    const folder = join(isVersion2 ? TREE_2 : CPU_TREE_1, name)
    try {
      if (isVersion2) writeFileSync(join(TREE_2, 'cgroup.subtree_control'), '+cpu')
      mkdirSync(folder)
    } catch (error) {
      throw new Error('--worker-share needs Linux, root and cgroups that can be written', { cause: error })
    }
    return new ProcessorShare(folder, isVersion2)
  }

  /** Moves a process and all that it starts from now on. */
  add(pid: number): void {
    this.#write('cgroup.procs', String(pid))
  }

  /** @param percent of one processor */
  limit(percent: number): void {
    const quota = Math.max(LEAST_QUOTA_US, Math.round((PERIOD_US * percent) / 100))
    const period = Math.round((quota * 100) / percent)
    const version1 = { 'cpu.cfs_period_us': period, 'cpu.cfs_quota_us': quota }
    const files = this.#isVersion2 ? { 'cpu.max': `${quota} ${period}` } : version1
    for (const [file, value] of Object.entries(files)) this.#write(file, String(value))
  }

  get use(): ShareUse {
    const lines = readFileSync(join(this.#folder, 'cpu.stat'), 'utf8').split('\n')
    const figure = (name: string) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1] ?? 0)
    return { periods: figure('nr_periods'), throttled: figure('nr_throttled') }
  }

  /** After its processes have ended. */
  [Symbol.dispose](): void {
    rmdirSync(this.#folder)
  }

  #write(file: string, value: string): void {
    writeFileSync(join(this.#folder, file), value)
  }
}
