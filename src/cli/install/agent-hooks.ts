import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../domain/errors.ts'
import type { HookEvent, HostHooks } from '../../hosts/host.ts'
import type { HookHost } from '../../hosts/hosts.ts'
import type { Context } from '../context.ts'
import { type EntryFormat, isTable } from './entry-format.ts'
import { hookCommand } from './hook-command.ts'
import { type HooksChange, type HooksOutcome, writeHooks } from './hooks-outcome.ts'
import { readHostConfig } from './host-config-file.ts'
import { hostFolders } from './host-folders.ts'
import { messages } from './messages.ts'
import { configurePlugin } from './plugin-file.ts'

/** The key of the hooks by event in a host's file. */
const CONTAINER = 'hooks'

export async function configureHooks(host: HookHost, change: HooksChange, context: Context): Promise<HooksOutcome> {
  const path = host.hooks.file(hostFolders(context))
  if (host.hooks.layout === 'plugin') return configurePlugin(host, path, change, context)
  const format = (await import('./jsonc-format.ts')).jsoncFormat
  const task: Task = { host, format, context }
  if (change.print) {
    const shown = change.remove ? messages.wouldRemoveHooks(path) : messages.printed(path, printed(task))
    return { file: path, result: 'printed', text: `${shown}\n` }
  }
  const found = readHostConfig(path)
  const problem = format.problem(found.text, CONTAINER)
  if (problem !== undefined) throw new AppError('invalid', messages.fileProblem(path, problem))
  const changed = change.remove ? withoutHooks(found.text, task) : withHooks(found.text, task)
  if (changed === undefined) throw new AppError('invalid', messages.hooksNotEditable(path, host.id))
  return writeHooks(found, changed, change.remove)
}

interface Task {
  readonly host: HookHost
  readonly format: EntryFormat
  readonly context: Context
}

function printed({ host, context }: Task): string {
  const { events, top } = host.hooks
  const entries = Object.entries(events).map(([name, event]) => [name, [hookEntry(event, host, context)]])
  return `${JSON.stringify({ ...top, [CONTAINER]: Object.fromEntries(entries) }, null, 2)}\n`
}

/** The text with our hooks added to others; `undefined` when that requires other changes. */
function withHooks(text: string, { host, format, context }: Task): string | undefined {
  const { events, top } = host.hooks
  let changed: string | undefined = text.trim() === '' && top !== undefined ? `${JSON.stringify(top, null, 2)}\n` : text
  for (const [name, event] of Object.entries(events)) {
    if (changed === undefined) return undefined
    const path = [CONTAINER, name] as const
    const present = format.find(changed, path)
    if (present !== undefined && !Array.isArray(present)) return undefined
    const wanted = [...(present ?? []).filter((entry) => !isOwn(entry)), hookEntry(event, host, context)]
    if (!isDeepStrictEqual(present, wanted)) changed = format.set(changed, path, wanted)
  }
  return changed
}

function withoutHooks(text: string, { host, format }: Task): string | undefined {
  let changed: string | undefined = text
  for (const name of Object.keys(host.hooks.events)) {
    if (changed === undefined) return undefined
    const path = [CONTAINER, name] as const
    const present = format.find(changed, path)
    if (!Array.isArray(present) || !present.some(isOwn)) continue
    const others = present.filter((entry) => !isOwn(entry))
    changed = others.length === 0 ? format.remove(changed, path) : format.set(changed, path, others)
  }
  return changed
}

function hookEntry(event: HookEvent, { id, hooks }: HookHost, context: Context) {
  const command = { ...COMMAND_KIND[hooks.layout], command: hookCommand(event, id, context), timeout: hooks.timeout }
  return hooks.layout === 'groups' ? { hooks: [command] } : command
}

const COMMAND_KIND: Readonly<Record<HostHooks['layout'], object>> = {
  groups: { type: 'command' },
  commands: { type: 'command' },
  plugin: {},
}

const OWN_COMMAND = /recalld.* hook (?:session-start|prompt|stop) --host /

function isOwn(entry: unknown): boolean {
  if (!isTable(entry)) return false
  const commands: readonly unknown[] = Array.isArray(entry.hooks) ? entry.hooks : [entry]
  return commands.some((hook) => isTable(hook) && OWN_COMMAND.test(String(hook.command)))
}
