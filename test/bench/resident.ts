import { readFileSync } from 'node:fs'

/** Memory that a process holds, in MiB: now and at its highest. */
export function resident(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
  return { now: field('VmRSS'), peak: field('VmHWM') }
}
