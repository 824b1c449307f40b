import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where packages put programs: services often start with a shorter PATH than a terminal. */
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/opt/local/bin']

/** The path of a program on PATH or in a usual folder; `undefined` when it is not installed. */
export function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  usual: readonly string[] = USUAL_FOLDERS,
): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const endings = env.PATHEXT === undefined ? [''] : env.PATHEXT.split(';').map((ending) => ending.toLowerCase())
  const candidates = [...folders, ...usual].flatMap((folder) => endings.map((end) => join(folder, name + end)))
  return candidates.find((path) => isExecutable(path))
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
