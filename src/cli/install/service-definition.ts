/** How a service manager runs recalld; written as a systemd unit or a launchd agent. */
export interface ServiceDefinition {
  /** Includes the roles if they are a subset: `recalld-worker`. */
  readonly name: string
  /** The whole command line: absolute path of Node, launcher, arguments. */
  readonly command: readonly [string, ...string[]]
  /** Absolute path of the home folder, the only writable place. */
  readonly home: string
  /** `NAME=value` lines for the variables in config.yaml; may be absent. */
  readonly environmentFile: string
  /** A system service with its own user; otherwise a user service. */
  readonly isSystem: boolean
}
