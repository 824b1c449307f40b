/** How a service manager is to run recalld; written as a unit of systemd or an agent of launchd. */
export interface ServiceDefinition {
  /** With the roles, where it does not take all of them: `recalld-worker`. */
  readonly name: string
  /** The whole command line: absolute path of Node, launcher, arguments. */
  readonly command: readonly [string, ...string[]]
  /** Absolute path of the home folder, the one place that is written. */
  readonly home: string
  /** `NAME=value` lines for what config.yaml refers to; may be absent. */
  readonly environmentFile: string
  /** Of the machine, as a user of its own; else of the person. */
  readonly isSystem: boolean
}
