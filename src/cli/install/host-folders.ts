import { readdirSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import type { HostFolders } from '../../hosts/host.ts'
import { isAbsent } from '../../lib/files.ts'
import type { Context } from '../context.ts'

/** The folders of host configurations on this machine. @param namesIn lists a folder; only set by tests */
export function hostFolders(
  { io, machine }: Pick<Context, 'io' | 'machine'>,
  namesIn: HostFolders['namesIn'] = namesInFolder,
): HostFolders {
  const { platform, userHome: home } = machine
  const path = platform === 'win32' ? win32 : posix
  return { platform, path, home, settings: settingsFolder(platform, home, io.env), env: io.env, namesIn }
}

function settingsFolder(platform: string, home: string, env: Context['io']['env']): string {
  if (platform === 'win32') return env.APPDATA || win32.join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support')
  // The XDG base directory specification says to ignore a relative XDG_CONFIG_HOME.
  return env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : posix.join(home, '.config')
}

function namesInFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
