import type { HookEvent } from '../../hosts/host.ts'
import type { Context } from '../context.ts'
import { homeVariable } from './mcp-entry.ts'
import { stableNode } from './program-path.ts'

/** What a host starts for an event, word by word. */
export function hookWords(event: HookEvent, hostId: string, context: Context): string[] {
  const { nodePath, launcherPath } = context.machine
  const { RECALLD_HOME: home } = homeVariable(context)
  const words = [stableNode(nodePath), launcherPath, 'hook', event, '--host', hostId]
  return typeof home === 'string' ? [...words, '--home', home] : words
}

/** The same for a shell: that of Windows or a POSIX one. */
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
