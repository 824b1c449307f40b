import { readdirSync, readFileSync } from 'node:fs'

// What Linux counts in /proc: hundredths of a second (proc_pid_stat(5), _SC_CLK_TCK).
const TICKS_PER_SECOND = 100

interface Times {
  readonly parent: number
  readonly own: number
  /** Of children that have ended. */
  readonly ended: number
}

/** Seconds of processor time of a process and all that it has started, ended or not. */
export function cpuSeconds(pid: number): number {
  const all = new Map<number, Times>()
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? timesOf(name) : undefined
    if (times !== undefined) all.set(Number(name), times)
  }
  const sum = (one: number): number => {
    const times = all.get(one)
    if (times === undefined) return 0
    let total = times.own + times.ended
    for (const [child, { parent }] of all) if (parent === one) total += sum(child)
    return total
  }
  return sum(pid) / TICKS_PER_SECOND
}

/** Seconds that all processors of the machine were busy and idle, since it started. */
export function machineSeconds(): { readonly busy: number; readonly idle: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, one) => sum + one, 0)
  const [, , , idle = 0, waiting = 0] = ticks
  return { busy: (all - idle - waiting) / TICKS_PER_SECOND, idle: (idle + waiting) / TICKS_PER_SECOND }
}

function timesOf(pid: string): Times | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in parentheses and may hold anything.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
    return { parent, own: user + system, ended: endedUser + endedSystem }
  } catch (error) {
    // Ended meanwhile.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined
    throw error
  }
}
