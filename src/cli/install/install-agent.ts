import { existsSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Command, InvalidArgumentError } from 'commander'
import { AppError } from '../../domain/errors.ts'
import { closestName } from '../../lib/closest-name.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { styleFor } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { configureHooks } from './agent-hooks.ts'
import type { Entry, EntryFormat, EntryPath } from './entry-format.ts'
import { type HostConfigFile, readHostConfig, writeHostConfig } from './host-config-file.ts'
import { entryNotes, mcpEntry, mergedEntry } from './mcp-entry.ts'
import { hostConfigPath, MCP_HOSTS, type McpHost } from './mcp-hosts.ts'
import { messages } from './messages.ts'

interface Options {
  readonly print?: boolean
  readonly remove?: boolean
  readonly hooks?: boolean
  readonly json?: boolean
}

/** What was done, or with --print would be. */
interface Outcome {
  readonly host: string
  readonly file: string
  readonly result: 'written' | 'unchanged' | 'removed' | 'absent' | 'printed'
  /** The file as it was. */
  readonly backup?: string
  /** The command that a host starts; only with --print, because the one in the file may hold a key. */
  readonly entry?: Entry
  readonly notes: readonly string[]
  /** For the terminal. */
  readonly text: string
  /** What comes last on the terminal, after the hooks. */
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
    .option('--json', terminal.json)
    .addHelpText('after', messages.mcpHelp(MCP_HOSTS.map(({ id }) => id)))
    .action(async (host: McpHost, options: Options) => {
      const { print = false, remove = false } = options
      const configured = options.hooks === false ? undefined : await configureHooks(host.id, { print, remove }, context)
      const { text, ending, ...outcome } = await configureHost(host, options, context)
      const { text: hooksText = '', ...hooks } = configured ?? {}
      const all = { ...outcome, ...(configured !== undefined && { hooks }) }
      context.io.stdout.write(options.json ? `${jsonText(all, 2)}\n` : `${text}${hooksText}${ending}`)
    })
}

function hostArgument(value: string): McpHost {
  const found = MCP_HOSTS.find(({ id }) => id === value)
  if (found !== undefined) return found
  const known = MCP_HOSTS.map(({ id }) => id)
  const meant = closestName(value, known)
  throw new InvalidArgumentError(meant === undefined ? terminal.chooseOneOf(known) : terminal.didYouMean(meant))
}

interface Task {
  readonly host: McpHost
  readonly format: EntryFormat
  readonly path: EntryPath
  readonly context: Context
}

async function configureHost(host: McpHost, { print, remove }: Options, context: Context): Promise<Outcome> {
  const task: Task = { host, format: await host.format(), path: [host.container, NAME], context }
  const file = hostConfigPath(host, context)
  if (print) return remove ? previewRemoval(task, file) : previewEntry(task, file)
  const found = readHostConfig(file)
  const problem = task.format.problem(found.text, host.container)
  if (problem !== undefined) {
    throw new AppError('invalid', messages.fileProblem(file, problem))
  }
  return remove ? removeEntry(task, found) : installEntry(task, found)
}

/** Doesn't read the file, because the rest of it must not be shown. */
function previewEntry({ host, format, path, context }: Task, file: string): Outcome {
  const entry = mcpEntry(host, context)
  const notes = entryNotes(entry, context)
  const text = `${messages.printed(file, format.print(path, entry))}\n${noteLines(notes, context)}`
  return { host: host.id, file, result: 'printed', entry, notes, text, ending: `${messages.nothingWritten}\n` }
}

function previewRemoval({ host, path: [container, name] }: Task, file: string): Outcome {
  const text = `${messages.wouldRemove(name, container, file)}\n`
  return { host: host.id, file, result: 'printed', notes: [], text, ending: `${messages.nothingWritten}\n` }
}

function installEntry({ host, format, path, context }: Task, found: HostConfigFile): Outcome {
  const existing = format.find(found.text, path)
  const entry = mergedEntry(existing, mcpEntry(host, context))
  const { path: file } = found
  const notes = [...absenceNote(host, found, context), ...entryNotes(entry, context)]
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

function refuseEdit(host: McpHost, file: string, flags: string): never {
  throw new AppError('invalid', messages.cannotEdit(file, host.container, host.id, flags))
}

/** Most hosts create their folder at their first start. */
function absenceNote(host: McpHost, { path, exists }: HostConfigFile, { machine }: Context): readonly string[] {
  const folder = (machine.platform === 'win32' ? win32 : posix).dirname(path)
  if (exists || existsSync(folder)) return []
  return [messages.folderMissing(folder, host.title)]
}

function backupLine(backup: string | undefined): string {
  return backup === undefined ? '' : `${messages.backup(backup)}\n`
}

function noteLines(notes: readonly string[], { io }: Context): string {
  const style = styleFor(io.stdout, io.env)
  return notes.map((note) => `${style('yellow', messages.note(note))}\n`).join('')
}
