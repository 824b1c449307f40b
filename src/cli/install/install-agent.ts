import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type Command, InvalidArgumentError } from 'commander'
import { AppError } from '../../domain/errors.ts'
import type { AgentHost } from '../../hosts/host.ts'
import { AGENT_HOSTS, isHookHost } from '../../hosts/hosts.ts'
import { closestName } from '../../lib/closest-name.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { styleFor } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { configureHooks } from './agent-hooks.ts'
import type { Entry, EntryFormat, EntryPath } from './entry-format.ts'
import { type HostConfigFile, readHostConfig, writeHostConfig } from './host-config-file.ts'
import { hostFolders } from './host-folders.ts'
import { entryNotes, mayWrite, mcpEntry, mergedEntry } from './mcp-entry.ts'
import { messages } from './messages.ts'

interface Options {
  readonly print?: boolean
  readonly remove?: boolean
  readonly hooks?: boolean
  /** Absent: as the entry has it. */
  readonly write?: boolean
  readonly json?: boolean
}

/** The change of a host's configuration, made or, with --print, only shown. */
interface Outcome {
  readonly host: string
  readonly file: string
  readonly result: 'written' | 'unchanged' | 'removed' | 'absent' | 'printed'
  /** Path of the previous file. */
  readonly backup?: string
  /** The new entry; only with --print, because an entry in the file may contain a key. */
  readonly entry?: Entry
  readonly notes: readonly string[]
  /** Terminal output. */
  readonly text: string
  /** Terminal output after that of the hooks. */
  readonly ending: string
}

const NAME = 'recalld'

export function addInstallAgent(program: Command, context: Context): void {
  program
    .command('install-agent')
    .alias('install-mcp')
    .description(messages.installAgent)
    .argument('<host>', messages.host, hostArgument)
    .option('--print', messages.print)
    .option('--remove', messages.removeMcp)
    .option('--no-hooks', messages.withoutHooks)
    .option('--write', messages.withWrite)
    .option('--no-write', messages.withoutWrite)
    .option('--json', terminal.json)
    .addHelpText('after', messages.mcpHelp(AGENT_HOSTS.map(({ id }) => id)))
    .action((host: AgentHost, options: Options) => install(host, options, context))
}

async function install(host: AgentHost, options: Options, context: Context): Promise<void> {
  const { print = false, remove = false, json } = options
  // Checked before writing the hooks creates the folder.
  const absence = absenceNotes(host, context)
  const withHooks = options.hooks !== false
  const configured = withHooks && isHookHost(host) ? await configureHooks(host, { print, remove }, context) : undefined
  const { text, ending, ...outcome } = await configureHost(host, options, context)
  const { text: hooksText = '', ...hooks } = configured ?? {}
  const added = outcome.result === 'written' ? absence : []
  const about = withHooks && !remove ? host.notes : []
  const notes = [...added, ...outcome.notes, ...about]
  if (json) context.io.stdout.write(`${jsonText({ ...outcome, notes, ...(configured && { hooks }) }, 2)}\n`)
  else context.io.stdout.write(`${text}${noteLines(added, context)}${hooksText}${noteLines(about, context)}${ending}`)
}

function hostArgument(value: string): AgentHost {
  const found = AGENT_HOSTS.find(({ id }) => id === value)
  if (found !== undefined) return found
  const known = AGENT_HOSTS.map(({ id }) => id)
  const meant = closestName(value, known)
  throw new InvalidArgumentError(meant === undefined ? terminal.chooseOneOf(known) : terminal.didYouMean(meant))
}

/** Loaded on demand, because the parsers would delay the start of every command. */
async function formatOf({ mcp }: AgentHost): Promise<EntryFormat> {
  return mcp.format === 'toml'
    ? (await import('./toml-format.ts')).tomlFormat
    : (await import('./jsonc-format.ts')).jsoncFormat
}

interface Task {
  readonly host: AgentHost
  readonly format: EntryFormat
  readonly path: EntryPath
  readonly context: Context
  readonly write: boolean | undefined
}

async function configureHost(host: AgentHost, { print, remove, write }: Options, context: Context): Promise<Outcome> {
  const task: Task = { host, format: await formatOf(host), path: [host.mcp.container, NAME], context, write }
  const file = host.mcp.file(hostFolders(context))
  if (print) return remove ? previewRemoval(task, file) : previewEntry(task, file)
  const found = readHostConfig(file)
  const problem = task.format.problem(found.text, host.mcp.container)
  if (problem !== undefined) {
    throw new AppError('invalid', messages.fileProblem(file, problem))
  }
  return remove ? removeEntry(task, found) : installEntry(task, found)
}

/** Doesn't read the file, because its other content must not be shown. */
function previewEntry({ host, format, path, context, write }: Task, file: string): Outcome {
  const entry = mcpEntry(host, context, write)
  const notes = entryNotes(host.mcp.entry, entry, context)
  const text = `${messages.printed(file, format.print(path, entry))}\n${noteLines(notes, context)}`
  return { host: host.id, file, result: 'printed', entry, notes, text, ending: `${messages.nothingWritten}\n` }
}

function previewRemoval({ host, path: [container, name] }: Task, file: string): Outcome {
  const text = `${messages.wouldRemove(name, container, file)}\n`
  return { host: host.id, file, result: 'printed', notes: [], text, ending: `${messages.nothingWritten}\n` }
}

function installEntry({ host, format, path, context, write }: Task, found: HostConfigFile): Outcome {
  const existing = format.find(found.text, path)
  const entry = mergedEntry(host.mcp.entry, existing, mcpEntry(host, context, write), write)
  const { path: file } = found
  const notes = entryNotes(host.mcp.entry, entry, context)
  if (isDeepStrictEqual(existing, entry)) {
    const text = `${messages.alreadyInstalled(host.title, file)}\n`
    return { host: host.id, file, result: 'unchanged', notes, text: text + noteLines(notes, context), ending: '' }
  }
  const changed = format.set(found.text, path, entry) ?? refuseEdit(host, file, '--print')
  const backup = writeHostConfig(found, changed)
  const text = [`${messages.installed(host.title, file)}\n`, backupLine(backup), noteLines(notes, context)].join('')
  const ending = [
    `\n${messages.next}\n`,
    `  1. ${host.next}\n`,
    `  2. ${messages.startService}\n`,
    `  3. ${messages.tryIt}\n`,
    ...(mayWrite(host.mcp.entry, entry) ? [] : [`\n${messages.offerWrite(host.id)}\n`]),
  ].join('')
  return { host: host.id, file, result: 'written', ...(backup && { backup }), notes, text, ending }
}

function removeEntry({ host, format, path }: Task, found: HostConfigFile): Outcome {
  const { path: file } = found
  if (format.find(found.text, path) === undefined) {
    const text = `${messages.notInstalled(NAME, file)}\n`
    return { host: host.id, file, result: 'absent', notes: [], text, ending: '' }
  }
  const changed = format.remove(found.text, path) ?? refuseEdit(host, file, '--remove --print')
  const backup = writeHostConfig(found, changed)
  const text = `${messages.removed(host.title, file)}\n${backupLine(backup)}`
  const ending = `${messages.sessionKeeps}\n`
  return { host: host.id, file, result: 'removed', ...(backup && { backup }), notes: [], text, ending }
}

function refuseEdit(host: AgentHost, file: string, flags: string): never {
  throw new AppError('invalid', messages.cannotEdit(file, host.mcp.container, host.id, flags))
}

/** Warns if the host has no folder, because most hosts create it at their first start. */
function absenceNotes({ mcp, title }: AgentHost, context: Context): readonly string[] {
  const folders = hostFolders(context)
  const folder = folders.path.dirname(mcp.file(folders))
  return existsSync(folder) ? [] : [messages.folderMissing(folder, title)]
}

function backupLine(backup: string | undefined): string {
  return backup === undefined ? '' : `${messages.backup(backup)}\n`
}

function noteLines(notes: readonly string[], { io }: Context): string {
  const style = styleFor(io.stdout, io.env)
  return notes.map((note) => `${style('yellow', messages.note(note))}\n`).join('')
}
