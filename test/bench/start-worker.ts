import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A process that only makes memories of what others took; its warnings are shown. @param env of the others, with their database */
export function startWorker(home: string, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(new URL('../../bin/recalld.js', import.meta.url)), 'up'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env, RECALLD_HOME: home, RECALLD_ROLES: 'worker', RECALLD_LOG_LEVEL: 'warn' },
  })
}
