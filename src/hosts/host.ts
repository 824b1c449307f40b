import type { posix } from 'node:path'
import type { SourceType } from '../domain/source-type.ts'

/** When hosts call a hook: a session begins or was compacted, a person sends a prompt, a session or an answer ends. */
export const HOOK_EVENTS = ['session-start', 'prompt', 'stop'] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

/** A program in which an agent runs: where it reads its MCP servers and hooks, and in which form. */
export interface AgentHost {
  readonly id: string
  readonly title: string
  readonly mcp: McpConfiguration
  /** Absent: it has none that recalld can use. */
  readonly hooks?: HostHooks
  /** What to know about its hooks, or about their absence; a sentence each. */
  readonly notes: readonly string[]
  /** What to do for the host to pick up the change. */
  readonly next: string
}

export interface McpConfiguration {
  readonly format: 'jsonc' | 'toml'
  /** The key of the file under which the servers stand by name. */
  readonly container: string
  /** `argv`: command and arguments are one list, and variables are called `environment`. */
  readonly entry: 'command' | 'argv'
  /** What this host wants in an entry besides command, arguments and variables. */
  readonly extra?: Readonly<Record<string, string | boolean>>
  file(folders: HostFolders): string
}

export interface HostHooks {
  /** By the host's own names. */
  readonly events: Readonly<Record<string, HookEvent>>
  /** `groups`: lists of matchers with commands; `commands`: lists of commands; `plugin`: a JavaScript file. */
  readonly layout: 'groups' | 'commands' | 'plugin'
  /** After which the host stops waiting, in its own unit. */
  readonly timeout: number
  /** What else the host wants at the top of a file that only has hooks. */
  readonly top?: Readonly<Record<string, unknown>>
  /** The source whose reader knows this host's transcripts; absent: none does. */
  readonly transcripts?: SourceType
  file(folders: HostFolders): string
  /** What the host wrote to standard input; `undefined` when it isn't a call of this host. */
  readCall(fields: Readonly<Record<string, unknown>>): HostCall | undefined
  /** What goes to standard output so that the agent reads `context`. */
  answer(event: HookEvent, context: string): unknown
}

/** What a host says when it calls a hook. */
export interface HostCall {
  readonly session: string
  /** The folder that the agent works in. */
  readonly folder: string
  /** Empty for other events. */
  readonly prompt: string
  /** Of a session start: the agent holds nothing of what it was shown before. */
  readonly isAnew: boolean
  /** Path of the session's transcript. */
  readonly transcript?: string
}

/** The folders of a person, with the path rules of the platform. */
export interface HostFolders {
  readonly platform: string
  readonly path: typeof posix
  readonly home: string
  /** Where programs keep what belongs to the person: `%APPDATA%`, `~/Library/Application Support`, `~/.config`. */
  readonly settings: string
  /** Names in a folder; none when there is no such folder. */
  namesIn(folder: string): readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}
