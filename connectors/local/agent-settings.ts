import { dirname, matchesGlob, posix } from 'node:path'
import { z } from 'zod'
import { connectionFields, sinceField } from '../../src/connector/connection-fields.ts'
import type {
  ConnectionConfig,
  ConnectorIcon,
  Manifest,
  SourceMachine,
  SourceType,
} from '../../src/connector/connector.ts'
import { withoutTilde } from './agent-folders.ts'

const TOOL_OUTPUT_KB = 4

/** Settings of every coding agent. @param standard the default location, for display */
function agentSettings(standard: string) {
  const glob = z.string().min(1).max(500)
  return z.strictObject({
    ...connectionFields(),
    path: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .optional()
      .describe(`Folder or folders with the sessions. Default: ${standard}.`),
    include: z
      .array(glob)
      .min(1)
      .optional()
      .describe(
        'Project folders to sync, with their subfolders, e.g. "~/work/*"; without / it matches the folder name. Default: all.',
      ),
    exclude: z.array(glob).optional().describe('Project folders to exclude, with their subfolders.'),
    since: sinceField(),
    tool_output_kb: z
      .number()
      .min(0)
      .max(1024)
      .default(TOOL_OUTPUT_KB)
      .describe(`How many KB to keep of each tool input and output; 0 keeps none. Default: ${TOOL_OUTPUT_KB}.`),
  })
}

export type AgentConfig = z.infer<ReturnType<typeof agentSettings>>

/** The settings that choose sessions by their project and time. */
export type SessionChoice = ConnectionConfig & Partial<Pick<AgentConfig, 'include' | 'exclude' | 'since'>>

/** The settings that select sessions. */
function agentSelection({ path, include, exclude, since, tool_output_kb }: AgentConfig): unknown {
  return { path, include, exclude, since, tool_output_kb }
}

/** The configured folders, otherwise the standard ones. */
export function placesOf(config: AgentConfig, standard: readonly string[], machine: SourceMachine): readonly string[] {
  if (config.path === undefined) return standard
  return [config.path].flat().map((path) => withoutTilde(path, machine))
}

/** Whether sessions in this project folder are selected. @param folder absent when the session does not state it */
export function takesProject(folder: string | undefined, config: SessionChoice, machine: SourceMachine): boolean {
  const lies = (patterns: readonly string[]) => folder !== undefined && liesIn(folder, patterns, machine)
  return (config.include === undefined || lies(config.include)) && !lies(config.exclude ?? [])
}

function liesIn(folder: string, patterns: readonly string[], machine: SourceMachine): boolean {
  const globs = patterns.map((pattern) => slashed(withoutTilde(pattern, machine)).replace(/(?<=.)\/$/, ''))
  for (let at = slashed(folder); ; at = dirname(at)) {
    if (globs.some((glob) => matchesGlob(glob.includes('/') ? at : posix.basename(at), glob))) return true
    if (dirname(at) === at) return false
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

/** Quiet period: within this time the next prompt of a session usually follows. */
const QUIET_MS = 5 * 60_000

/** Fields shared by the manifests of coding agents. */
export function agentManifest<Cursor>(
  agent: {
    readonly id: string
    readonly sourceType: SourceType
    readonly title: string
    /** In the list of connectors. */
    readonly summary?: string
    readonly icon?: ConnectorIcon
    /** The default location of its sessions, for display. */
    readonly standard: string
  },
  cursor: z.ZodType<Cursor>,
): Manifest<AgentConfig, Cursor> {
  return {
    id: agent.id,
    title: agent.title,
    sourceTypes: [agent.sourceType],
    auth: 'none',
    config: agentSettings(agent.standard),
    cursor,
    schedule: '*/10 * * * *',
    deletions: 'none',
    inventoryEveryMs: 0,
    // Tools delete old transcripts, so a missing transcript does not mean that it should be forgotten.
    vanished: 'keep',
    provider: agent.id,
    version: 1,
    quietPeriodMs: QUIET_MS,
    selection: agentSelection,
    listing: {
      summary: agent.summary ?? 'Your sessions: your prompts and the answers.',
      icon: agent.icon ?? 'bot',
      group: 'Coding agents',
    },
    documentation: {
      item: 'about 20 prompts of a session, with the answers',
      removed: 'never, because tools delete old sessions on their own',
      api: 'files of the tool on this machine',
      cursor: 'how far each file was read, and a hash of its start',
      limits: 'sub-agents of Cursor, VS Code and Gemini CLI are skipped',
      verified: 'synthetic folders; recorded sessions',
      needs: `sessions on this machine (${agent.standard})`,
    },
  }
}
