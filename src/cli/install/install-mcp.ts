import { existsSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Command, InvalidArgumentError } from 'commander'
import { AppError } from '../../domain/errors.ts'
import { closestName } from '../../lib/closest-name.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { styleFor } from '../terminal/layout.ts'
import type { Entry, EntryFormat, EntryPath } from './entry-format.ts'
import { type HostConfigFile, readHostConfig, writeHostConfig } from './host-config-file.ts'
import { entryNotes, mcpEntry, mergedEntry } from './mcp-entry.ts'
import { hostConfigPath, MCP_HOSTS, type McpHost } from './mcp-hosts.ts'

interface Options {
  readonly print?: boolean
  readonly remove?: boolean
  readonly json?: boolean
}

/** What was done, or with --print would be. */
interface Outcome {
  readonly host: string
  readonly file: string
  readonly result: 'written' | 'unchanged' | 'removed' | 'absent' | 'printed'
  /** The file as it was. */
  readonly backup?: string
  /** What a host is told to start; only with --print, because the one in the file may hold a key. */
  readonly entry?: Entry
  readonly notes: readonly string[]
  /** For the terminal. */
  readonly text: string
}

const NAME = 'recalld'

const HELP = `
Hosts: ${MCP_HOSTS.map(({ id }) => id).join(', ')}

Examples:
  $ recalld install-mcp claude-code            the next session can recall and ask
  $ recalld install-mcp codex --print          what would be written, and where; writes nothing
  $ recalld install-mcp cursor --remove        takes it out again

Everything else in the file stays, and the file as it was is kept beside it. No key is written: "recalld mcp" reads
credentials.json of the home.`

export function addInstallMcp(program: Command, context: Context): void {
  program
    .command('install-mcp')
    .description('let a program such as Claude Code or Cursor recall and ask: writes its MCP configuration')
    .argument('<host>', 'the program; the list is below', hostArgument)
    .option('--print', 'show what would be written and where; writes nothing')
    .option('--remove', 'take recalld out of the configuration')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (host: McpHost, options: Options) => {
      const { text, ...outcome } = await run(host, options, context)
      context.io.stdout.write(options.json ? `${jsonText(outcome, 2)}\n` : text)
    })
}

function hostArgument(value: string): McpHost {
  const found = MCP_HOSTS.find(({ id }) => id === value)
  if (found !== undefined) return found
  const known = MCP_HOSTS.map(({ id }) => id)
  const meant = closestName(value, known)
  throw new InvalidArgumentError(
    meant === undefined ? `It must be one of ${known.join(', ')}.` : `Did you mean ${meant}?`,
  )
}

interface Task {
  readonly host: McpHost
  readonly format: EntryFormat
  readonly path: EntryPath
  readonly context: Context
}

async function run(host: McpHost, { print, remove }: Options, context: Context): Promise<Outcome> {
  const task: Task = { host, format: await host.format(), path: [host.container, NAME], context }
  const file = hostConfigPath(host, context)
  if (print) return remove ? shownRemoval(task, file) : shown(task, file)
  const found = readHostConfig(file)
  const problem = task.format.problem(found.text, host.container)
  if (problem !== undefined) {
    throw new AppError('invalid', `${file}, ${problem}. Nothing was changed: correct it there, then run this again.`)
  }
  return remove ? removed(task, found) : installed(task, found)
}

/** Reads nothing: what else stands in the file is not to be shown. */
function shown({ host, format, path, context }: Task, file: string): Outcome {
  const entry = mcpEntry(host, context)
  const notes = entryNotes(entry, context)
  const text = `In ${file}:\n\n${format.print(path, entry)}\n${noteLines(notes, context)}Nothing was written.\n`
  return { host: host.id, file, result: 'printed', entry, notes, text }
}

function shownRemoval({ host, path: [container, name] }: Task, file: string): Outcome {
  const text = `"${name}" would be taken out of "${container}" in ${file}\nNothing was written.\n`
  return { host: host.id, file, result: 'printed', notes: [], text }
}

function installed({ host, format, path, context }: Task, found: HostConfigFile): Outcome {
  const existing = format.find(found.text, path)
  const entry = mergedEntry(existing, mcpEntry(host, context))
  const { path: file } = found
  const notes = [...absenceNote(host, found, context), ...entryNotes(entry, context)]
  if (isDeepStrictEqual(existing, entry)) {
    const text = `There is nothing to change: ${host.title} starts recalld already, by ${file}\n`
    return { host: host.id, file, result: 'unchanged', notes, text: text + noteLines(notes, context) }
  }
  const changed = format.set(found.text, path, entry) ?? refuse(host, file, '--print')
  const backup = writeHostConfig(found, changed)
  const text = [
    `${host.title} will start recalld: its entry stands in ${file}\n`,
    backupLine(backup),
    noteLines(notes, context),
    '\nNext:\n',
    `  1. ${host.next}\n`,
    '  2. Let the service run: "recalld up" in a terminal of its own, unless it runs already.\n',
    '  3. Try it there: "Recall what I wrote about ...". The tools are called recall and ask.\n',
  ]
  return { host: host.id, file, result: 'written', ...(backup && { backup }), notes, text: text.join('') }
}

function removed({ host, format, path }: Task, found: HostConfigFile): Outcome {
  const { path: file } = found
  if (format.find(found.text, path) === undefined) {
    const text = `There is nothing to change: no ${NAME} stands in ${file}\n`
    return { host: host.id, file, result: 'absent', notes: [], text }
  }
  const changed = format.remove(found.text, path) ?? refuse(host, file, '--remove --print')
  const backup = writeHostConfig(found, changed)
  const text = `${host.title} will not start recalld any more: its entry was taken out of ${file}\n${backupLine(backup)}`
  const next = 'A session that is running keeps it until it ends.\n'
  return { host: host.id, file, result: 'removed', ...(backup && { backup }), notes: [], text: text + next }
}

function refuse(host: McpHost, file: string, flags: string): never {
  const reason = `the entry "${host.container}" cannot be changed without changing other lines`
  const remedy = `Change it by hand; "recalld install-mcp ${host.id} ${flags}" shows what.`
  throw new AppError('invalid', `${file} is written in a way that recalld leaves alone: ${reason}. ${remedy}`)
}

/** Most hosts make their folder when they are first started. */
function absenceNote(host: McpHost, { path, exists }: HostConfigFile, { machine }: Context): readonly string[] {
  const folder = (machine.platform === 'win32' ? win32 : posix).dirname(path)
  if (exists || existsSync(folder)) return []
  return [`There was no folder ${folder} until now: is ${host.title} installed for this user?`]
}

function backupLine(backup: string | undefined): string {
  return backup === undefined ? '' : `The file as it was: ${backup}\n`
}

function noteLines(notes: readonly string[], { io }: Context): string {
  const style = styleFor(io.stdout, io.env)
  return notes.map((note) => `${style('yellow', `Note: ${note}`)}\n`).join('')
}
