/** What is free on this machine, or may be used of it in a container. */
export interface SpareResources {
  readonly cores: number
  readonly memoryBytes: number
}

/** Facts about the machine and the user of this process. */
export interface Machine {
  readonly nodeVersion: string
  readonly platform: string
  readonly userName: string
  readonly userHome: string
  /** User id; absent on platforms without one. */
  readonly userId?: number
  readonly temporaryFolder: string
  /** Absolute path of the running Node.js. */
  readonly nodePath: string
  /** Absolute path of bin/recalld.js, the script that starts recalld on any Node. */
  readonly launcherPath: string
  /** Maximum open files of this process; absent without a limit. */
  readonly openFileLimit?: () => number | undefined
  /** Absent: unknown. */
  readonly spareResources?: () => SpareResources
}
