import { posix, win32 } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../domain/errors.ts'
import type { HookEvent } from '../../hooks/host-call.ts'
import type { Context } from '../context.ts'
import { type EntryFormat, isTable } from './entry-format.ts'
import { readHostConfig, writeHostConfig } from './host-config-file.ts'
import { homeVariable } from './mcp-entry.ts'
import { messages } from './messages.ts'
import { stableNode } from './program-path.ts'

/** The hooks of a host: its events, and what recalld does at each. */
interface HostHooks {
  readonly container: string
  readonly events: Readonly<Record<string, HookEvent>>
  file(home: string, env: Context['io']['env'], path: typeof posix): string
}

/** Hosts with hooks that can add to a prompt. Claude Code: https://code.claude.com/docs/en/hooks, read in November 2026. */
const HOSTS: Readonly<Record<string, HostHooks>> = {
  'claude-code': {
    container: 'hooks',
    events: { UserPromptSubmit: 'prompt', SessionEnd: 'stop' },
    file: (home, env, path) => path.join(env.CLAUDE_CONFIG_DIR || path.join(home, '.claude'), 'settings.json'),
  },
}

/** A hook answers within 300 ms; the rest is for a machine that has just woken up. */
const HOST_TIMEOUT_SECONDS = 5

/** What was done with the hooks of a host, or with `print` would be. */
export interface HooksOutcome {
  readonly file: string
  readonly result: 'written' | 'unchanged' | 'removed' | 'absent' | 'printed'
  readonly backup?: string
  /** For the terminal. */
  readonly text: string
}

interface Change {
  readonly print: boolean
  readonly remove: boolean
}

/** @returns `undefined` for a host without hooks */
export async function configureHooks(
  hostId: string,
  { print, remove }: Change,
  context: Context,
): Promise<HooksOutcome | undefined> {
  const hooks = HOSTS[hostId]
  if (hooks === undefined) return undefined
  const { platform, userHome } = context.machine
  const path = hooks.file(userHome, context.io.env, platform === 'win32' ? win32 : posix)
  const format = (await import('./jsonc-format.ts')).jsoncFormat
  if (print) {
    const shown = remove ? messages.wouldRemoveHooks(path) : messages.printed(path, printed(hooks, hostId, context))
    return { file: path, result: 'printed', text: `${shown}\n` }
  }
  const found = readHostConfig(path)
  const problem = format.problem(found.text, hooks.container)
  if (problem !== undefined) throw new AppError('invalid', messages.fileProblem(path, problem))
  const changed = remove
    ? withoutHooks(found.text, hooks, format)
    : withHooks(found.text, { hooks, hostId, format, context })
  if (changed === undefined) throw new AppError('invalid', messages.hooksNotEditable(path, hostId))
  if (changed === found.text) {
    const text = remove ? messages.noHooks(path) : messages.hooksPresent(path)
    return { file: path, result: remove ? 'absent' : 'unchanged', text: `${text}\n` }
  }
  const backup = writeHostConfig(found, changed)
  const lines = [
    remove ? messages.hooksRemoved(path) : messages.hooksInstalled(path),
    ...(backup === undefined ? [] : [messages.backup(backup)]),
  ]
  const result = remove ? 'removed' : 'written'
  return { file: path, result, ...(backup !== undefined && { backup }), text: `${lines.join('\n')}\n` }
}

function printed({ container, events }: HostHooks, hostId: string, context: Context): string {
  const groups = Object.entries(events).map(([name, event]) => [name, [hookGroup(event, hostId, context)]])
  return `${JSON.stringify({ [container]: Object.fromEntries(groups) }, null, 2)}\n`
}

interface Task {
  readonly hooks: HostHooks
  readonly hostId: string
  readonly format: EntryFormat
  readonly context: Context
}

/** The text with the hooks, beside those of others; `undefined` when they can't be placed without other changes. */
function withHooks(text: string, { hooks, hostId, format, context }: Task): string | undefined {
  let changed: string | undefined = text
  for (const [name, event] of Object.entries(hooks.events)) {
    if (changed === undefined) return undefined
    const path = [hooks.container, name] as const
    const present = format.find(changed, path)
    if (present !== undefined && !Array.isArray(present)) return undefined
    const wanted = [...(present ?? []).filter((group) => !isOwn(group)), hookGroup(event, hostId, context)]
    if (!isDeepStrictEqual(present, wanted)) changed = format.set(changed, path, wanted)
  }
  return changed
}

function withoutHooks(text: string, { container, events }: HostHooks, format: EntryFormat): string | undefined {
  let changed: string | undefined = text
  for (const name of Object.keys(events)) {
    if (changed === undefined) return undefined
    const path = [container, name] as const
    const present = format.find(changed, path)
    if (!Array.isArray(present) || !present.some(isOwn)) continue
    const others = present.filter((group) => !isOwn(group))
    changed = others.length === 0 ? format.remove(changed, path) : format.set(changed, path, others)
  }
  return changed
}

function hookGroup(event: HookEvent, hostId: string, context: Context) {
  return { hooks: [{ type: 'command', command: hookCommand(event, hostId, context), timeout: HOST_TIMEOUT_SECONDS }] }
}

/** Hosts run it in a shell: that of Windows or a POSIX one. */
function hookCommand(event: HookEvent, hostId: string, context: Context): string {
  const { nodePath, launcherPath, platform } = context.machine
  const { RECALLD_HOME: home } = homeVariable(context)
  const words = [stableNode(nodePath), launcherPath, 'hook', event, '--host', hostId]
  if (typeof home === 'string') words.push('--home', home)
  return words.map((word) => quotedWord(word, platform)).join(' ')
}

function quotedWord(word: string, platform: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}

const OWN_COMMAND = /recalld.* hook (?:prompt|stop) --host /

function isOwn(group: unknown): boolean {
  const hooks = isTable(group) ? group.hooks : undefined
  return Array.isArray(hooks) && hooks.some((hook) => isTable(hook) && OWN_COMMAND.test(String(hook.command)))
}
