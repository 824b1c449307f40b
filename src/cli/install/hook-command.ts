import type { HookEvent } from '../../hosts/host.ts'
import type { Context } from '../context.ts'
import { homeVariable } from './mcp-entry.ts'
import { stableNode } from './program-path.ts'

/** The command that a host runs for an event, as a list of words. */
export function hookWords(event: HookEvent, hostId: string, context: Context): string[] {
  const { nodePath, launcherPath } = context.machine
  const { RECALLD_HOME: home } = homeVariable(context)
  const words = [stableNode(nodePath), launcherPath, 'hook', event, '--host', hostId]
  return typeof home === 'string' ? [...words, '--home', home] : words
}

/** The same as a command line for the shell of Windows or a POSIX shell. */
export function hookCommand(event: HookEvent, hostId: string, context: Context): string {
  const { platform } = context.machine
  return hookWords(event, hostId, context)
    .map((word) => quotedWord(word, platform))
    .join(' ')
}

function quotedWord(word: string, platform: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}
