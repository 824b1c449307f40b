import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROCESS_NAMES } from './fault-cluster.ts'
import { Namespaces } from './namespaces.ts'
import { DATABASE, RUN, STORAGE } from './run-network.ts'

/** One network each. */
export const PLACES: readonly string[] = [RUN, DATABASE, STORAGE, ...PROCESS_NAMES]

const INTERRUPTED = 130

/**
 * Runs the program again in a network from which only the others of the run are reached. However it ends, also by a signal,
 * the networks, all processes in them and its temporary files are removed.
 *
 * @param program what runs, and its arguments
 * @returns its exit status
 */
export async function runInNamespaces(program: readonly string[]): Promise<number> {
  const namespaces = new Namespaces(process.pid, PLACES)
  const folder = mkdtempSync(join(tmpdir(), 'recalld-faults-'))
  // PostgreSQL, which is somebody else, has its folder in it.
  chmodSync(folder, 0o711)
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interrupted.abort())
  try {
    await namespaces.make()
    const [command = '', ...args] = [...namespaces.place(RUN).launcher, process.execPath, ...withoutOption(program)]
    const child = spawn(command, [...args, '--inside', String(process.pid)], {
      stdio: 'inherit',
      env: { ...process.env, TMPDIR: folder },
      signal: interrupted.signal,
      killSignal: 'SIGKILL',
    })
    const ended = Promise.withResolvers<number>()
    child.on('error', (error) => (interrupted.signal.aborted ? ended.resolve(INTERRUPTED) : ended.reject(error)))
    child.on('close', (status) => ended.resolve(status ?? 1))
    return await ended.promise
  } finally {
    await namespaces.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

function withoutOption(program: readonly string[]): string[] {
  return program.filter((argument) => argument !== '--namespaces')
}
