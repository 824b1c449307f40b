import type { NetworkHost } from '../lib/network-host.ts'
import type { ServiceProcess } from './service-process.ts'

/** Waits, until the time for faults is over at most. */
export type Pause = (ms: number) => Promise<void>

/** Ends with what it broke whole again. */
export type NetworkFault = (processes: readonly ServiceProcess[], random: () => number, pause: Pause) => Promise<void>

/** What lies between the processes of a run, and what can happen to it. */
export interface RunNetwork extends AsyncDisposable {
  /** Where the database, the storage, a process or the run itself is. */
  place(name: string): NetworkHost
  /** @returns the port at which a process reaches the database or the storage, which listens at `port` */
  port(process: string, port: number): Promise<number>
  readonly faults: Readonly<Record<string, NetworkFault>>
  /** Whatever is broken is whole again. */
  heal(): Promise<void>
}

/** Names of places. */
export const RUN = 'run'
export const DATABASE = 'database'
export const STORAGE = 'storage'
