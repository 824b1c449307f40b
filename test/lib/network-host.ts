/** Where a process runs: at an address of its own, maybe in a network of its own. */
export interface NetworkHost {
  readonly host: string
  /** Goes before the command line of a program that is to run there; empty where nothing is needed. */
  readonly launcher: readonly string[]
}

export const LOOPBACK: NetworkHost = { host: '127.0.0.1', launcher: [] }
