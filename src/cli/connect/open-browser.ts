import { spawn } from 'node:child_process'
import type { Machine } from '../../lib/machine.ts'
import type { Io } from '../../lib/terminal-text.ts'

/**
 * Opens an address in the person's browser. The result is unknown, because openers end at once or never, so the address
 * must be shown in any case.
 */
export function openBrowser(url: string, { platform }: Pick<Machine, 'platform'>): void {
  // The opener must not interpret the provider's address as an option or a file.
  if (!/^https?:\/\//.test(url)) return
  const [command, ...args] = openerOf(platform)
  const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  opener.on('error', () => undefined)
  opener.unref()
}

function openerOf(platform: string): [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  // `start` needs a shell, which interprets & in an address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}

/** Whether somebody is at the machine: on a server, an opener would start a browser in the terminal, or nothing. */
export function hasBrowser(
  { stdout, env }: Pick<Io, 'stdout' | 'env'>,
  { platform }: Pick<Machine, 'platform'>,
): boolean {
  if (stdout.isTTY !== true) return false
  if (platform !== 'darwin' && platform !== 'win32') return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  // Over ssh, nobody sees the screen.
  return !env.SSH_CONNECTION && !env.SSH_TTY
}
