import type { posix } from 'node:path'

/** Hook events: a session starts or was compacted, the user sends a prompt, a session or an answer ends. */
export const HOOK_EVENTS = ['session-start', 'prompt', 'stop'] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

/** A program in which an agent runs, with the location and format of its MCP servers and hooks. */
export interface AgentHost {
  readonly id: string
  readonly title: string
  readonly mcp: McpConfiguration
  /** Absent: it has no hooks that recalld can use. */
  readonly hooks?: HostHooks
  /** Sentences about limitations of its hooks. */
  readonly notes: readonly string[]
  /** How to make the host load the change. */
  readonly next: string
}

export interface McpConfiguration {
  readonly format: 'jsonc' | 'toml'
  /** The key of the servers in the file. */
  readonly container: string
  /** `argv`: command and arguments are one list, and the variables' key is `environment`. */
  readonly entry: 'command' | 'argv'
  /** Further fields of an entry. */
  readonly extra?: Readonly<Record<string, string | boolean>>
  file(folders: HostFolders): string
}

export interface HostHooks {
  /** Our event by the host's event name. */
  readonly events: Readonly<Record<string, HookEvent>>
  /** `groups`: lists of matchers with commands; `commands`: lists of commands; `plugin`: a JavaScript file. */
  readonly layout: 'groups' | 'commands' | 'plugin'
  /** Timeout of the host, in the host's unit. */
  readonly timeout: number
  /** Further top-level fields of a new hooks file. */
  readonly top?: Readonly<Record<string, unknown>>
  /** The id of the connector that reads this host's transcripts; absent: none. */
  readonly transcripts?: string
  file(folders: HostFolders): string
  /** Parses the host's input; `undefined` if it is not a call of this host. */
  readCall(fields: Readonly<Record<string, unknown>>): HostCall | undefined
  /** The output that adds `context` to the agent's context. */
  answer(event: HookEvent, context: string): unknown
}

/** A hook call. */
export interface HostCall {
  readonly session: string
  /** The folder that the agent works in. */
  readonly folder: string
  /** Empty for other events. */
  readonly prompt: string
  /** At session start: earlier passages are no longer in the agent's context. */
  readonly isAnew: boolean
  /** Path of the session's transcript. */
  readonly transcript?: string
}

/** The folders of a person, with the path rules of the platform. */
export interface HostFolders {
  readonly platform: string
  readonly path: typeof posix
  readonly home: string
  /** The user's settings folder: `%APPDATA%`, `~/Library/Application Support`, `~/.config`. */
  readonly settings: string
  /** The names in a folder; none if it doesn't exist. */
  namesIn(folder: string): readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}
