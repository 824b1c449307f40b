import { rmSync } from 'node:fs'
import { AppError } from '../../domain/errors.ts'
import type { HookHost } from '../../hosts/hosts.ts'
import type { Context } from '../context.ts'
import { hookWords } from './hook-command.ts'
import { type HooksChange, type HooksOutcome, writeHooks } from './hooks-outcome.ts'
import { readHostConfig } from './host-config-file.ts'
import { messages } from './messages.ts'

const FIRST_LINE = '// Made by "recalld install-agent", which overwrites this file.'

/** Hooks as a JavaScript plugin. */
export function configurePlugin(
  { id }: HookHost,
  path: string,
  { print, remove }: HooksChange,
  context: Context,
): HooksOutcome {
  const wanted = pluginText(hookWords('prompt', id, context))
  if (print) {
    const shown = remove ? messages.wouldRemoveHooks(path) : messages.printed(path, wanted)
    return { file: path, result: 'printed', text: `${shown}\n` }
  }
  const found = readHostConfig(path)
  if (found.exists && !found.text.startsWith(FIRST_LINE)) {
    if (remove) return writeHooks(found, found.text, true)
    throw new AppError('invalid', messages.foreignPlugin(path))
  }
  if (!remove) return writeHooks(found, wanted, false)
  if (!found.exists) return writeHooks(found, '', true)
  rmSync(path)
  return { file: path, result: 'removed', text: `${messages.hooksRemoved(path)}\n` }
}

/** The plugin for opencode. Runs the same hooks as other hosts, with the same time limit. */
function pluginText(words: readonly string[]): string {
  const [command, launcher, hook, , ...rest] = words
  return `${FIRST_LINE}
import { spawn } from 'node:child_process'

const COMMAND = ${JSON.stringify(command)}
const BEFORE = ${JSON.stringify([launcher, hook])}
const AFTER = ${JSON.stringify(rest)}
const PATIENCE_MS = 1_500
const MOST_SESSIONS = 100

/** Runs a hook. @returns its context; empty if there is none, or it fails or times out */
function ask(event, call) {
  return new Promise((resolve) => {
    const child = spawn(COMMAND, [...BEFORE, event, ...AFTER], { stdio: ['pipe', 'pipe', 'ignore'] })
    const timer = setTimeout(() => child.kill(), PATIENCE_MS)
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stdin.on('error', () => undefined)
    const end = () => {
      clearTimeout(timer)
      try {
        resolve(output === '' ? '' : String(JSON.parse(output).context))
      } catch {
        resolve('')
      }
    }
    child.on('error', end)
    child.on('close', end)
    child.stdin.end(JSON.stringify(call))
  })
}

export const recalld = async ({ directory }) => {
  const begun = new Map()
  return {
    event: async ({ event }) => {
      const { sessionID } = event.properties ?? {}
      if (event.type === 'session.compacted') begun.set(sessionID, 'compact')
      if (event.type === 'session.idle') await ask('stop', { session_id: sessionID, cwd: directory })
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const texts = parts.filter((part) => part.type === 'text' && !part.synthetic)
      const call = { session_id: sessionID, cwd: directory }
      const source = begun.has(sessionID) ? begun.get(sessionID) : 'startup'
      begun.set(sessionID, undefined)
      if (begun.size > MOST_SESSIONS) begun.delete(begun.keys().next().value)
      const start = source === undefined ? '' : await ask('session-start', { ...call, source })
      const found = await ask('prompt', { ...call, prompt: texts.map(({ text }) => text).join('\\n') })
      const text = [start, found].filter((one) => one !== '').join('\\n\\n')
      if (text === '' || texts.length === 0) return
      const { id } = parts.at(-1)
      parts.push({ id: id + 'r', sessionID, messageID: message.id, type: 'text', text, synthetic: true })
    },
  }
}
`
}
