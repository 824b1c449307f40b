import { existsSync } from 'node:fs'
import { serviceBaseUrl, usableCredentials } from '../../config/credentials.ts'
import { homeFolder } from '../../config/home-folder.ts'
import type { AgentHost, McpConfiguration } from '../../hosts/host.ts'
import type { Context } from '../context.ts'
import { type Entry, isTable } from './entry-format.ts'
import { messages } from './messages.ts'
import { isInNpxCache, stableNode } from './program-path.ts'

/** The key of the variables in an entry. */
const VARIABLES = { command: 'env', argv: 'environment' } as const
/** See `mcp_write` in the settings. */
const WRITE = 'RECALLD_MCP_WRITE'
type EntryShape = McpConfiguration['entry']

/** The entry that starts `recalld mcp`. Hosts use no shell, so there is no PATH and no profile. */
export function mcpEntry({ mcp }: AgentHost, context: Context, write = false): Entry {
  const command = stableNode(context.machine.nodePath)
  const args = [context.machine.launcherPath, 'mcp']
  const env = { ...homeVariable(context), ...urlVariable(context), ...(write && { [WRITE]: 'on' }) }
  return {
    ...mcp.extra,
    ...(mcp.entry === 'argv' ? { command: [command, ...args] } : { command, args }),
    ...(Object.keys(env).length > 0 && { [VARIABLES[mcp.entry]]: env }),
  }
}

/** Fields that a person may have changed. */
const CHOICES = ['alwaysLoad', 'enabled']

/** Merges the entry into an existing one. Fields that a person added stay, such as timeouts, approvals and a key. */
export function mergedEntry(shape: EntryShape, existing: unknown, entry: Entry, write?: boolean): Entry {
  // An HTTP entry has no fields that apply to a program.
  if (!isTable(existing) || existing.command === undefined) return entry
  const name = VARIABLES[shape]
  const { [name]: before, ...others } = existing
  const { RECALLD_HOME: _, [WRITE]: couldWrite, ...rest } = isTable(before) ? before : {}
  const kept = couldWrite === undefined || write === false ? rest : { ...rest, [WRITE]: couldWrite }
  const written = variablesOf(shape, entry)
  const env: Entry = { ...kept, ...written }
  // A key is never sent to another address than the one it was written for.
  const isElsewhere = kept.RECALLD_URL !== env.RECALLD_URL
  const { RECALLD_API_KEY: key, ...withoutKey } = env
  const merged = isElsewhere || key === undefined ? withoutKey : env
  const { [name]: _env, ...own } = entry
  const chosen = Object.fromEntries(CHOICES.flatMap((key) => (key in others ? [[key, others[key]]] : [])))
  return { ...others, ...own, ...chosen, ...(Object.keys(merged).length > 0 && { [name]: merged }) }
}

/** Whether the entry lets the agent store and delete notes. */
export function mayWrite(shape: EntryShape, entry: Entry): boolean {
  return variablesOf(shape, entry)[WRITE] === 'on'
}

function variablesOf(shape: EntryShape, entry: Entry): Entry {
  const variables = entry[VARIABLES[shape]]
  return isTable(variables) ? variables : {}
}

/** Notes about the entry, in one or two sentences each. @param entry as written to the file */
export function entryNotes(shape: EntryShape, entry: Entry, context: Context): readonly string[] {
  const { launcherPath } = context.machine
  const notes: string[] = []
  if (isInNpxCache(launcherPath)) {
    notes.push(messages.npxEntry(launcherPath))
  }
  const key = keyNote(variablesOf(shape, entry), context)
  return key === undefined ? notes : [...notes, key]
}

function keyNote(env: Entry, context: Context): string | undefined {
  if (env.RECALLD_API_KEY !== undefined) return undefined
  const { home, credentials } = context.home()
  const stored = usableCredentials(credentials)
  const url = typeof env.RECALLD_URL === 'string' ? env.RECALLD_URL : undefined
  if (url !== undefined && url !== stored?.baseUrl) {
    const shape = `{"base_url": "${url}", "api_key": "rk_..."}`
    const way =
      stored === undefined && !existsSync(credentials)
        ? messages.putIntoCredentials(shape, credentials)
        : messages.putIntoOwnFolder(shape)
    return messages.keyForUrl(url, way)
  }
  if (stored === undefined) {
    return messages.noKeyYet(home, credentials)
  }
  if (context.io.env.RECALLD_API_KEY) {
    return messages.shellKeyNotWritten(credentials)
  }
  return undefined
}

/** Set only if `recalld mcp` would not find the home without the variables of this shell. */
export function homeVariable({ home, io, machine }: Context): Entry {
  const { platform, userHome } = machine
  const env = platform === 'win32' ? { LOCALAPPDATA: io.env.LOCALAPPDATA } : {}
  const chosen = home().home
  return chosen === homeFolder({ env, platform, userHome }) ? {} : { RECALLD_HOME: chosen }
}

/** Set only if the service is not the one in credentials.json. */
function urlVariable({ home, io }: Context): Entry {
  const url = io.env.RECALLD_URL && serviceBaseUrl(io.env.RECALLD_URL)
  return url && url !== usableCredentials(home().credentials)?.baseUrl ? { RECALLD_URL: url } : {}
}
