/** What the machine tells about itself and about who is sitting at it. */
export interface Machine {
  readonly nodeVersion: string
  readonly platform: string
  readonly userName: string
  readonly userHome: string
  /** Number of the user; absent where users have none. */
  readonly userId?: number
  readonly temporaryFolder: string
  /** Absolute path of the Node.js that runs this. */
  readonly nodePath: string
  /** Absolute path of bin/recalld.js, the script that starts recalld on any Node. */
  readonly launcherPath: string
  /** Files that this process may have open; absent where nothing limits them. */
  readonly openFileLimit?: () => number | undefined
}
