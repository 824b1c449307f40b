import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { acquireProcessLock, type ProcessLock } from '../../../src/lib/process-lock.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const SINCE = '2026-03-04T10:00:00.000Z'

function taken(file: string, pid: number): ProcessLock {
  const lock = acquireProcessLock(file, { pid, since: SINCE })
  if (!('release' in lock)) throw new Error('the lock was held')
  return lock
}

test('a lock that is held is refused, with what its holder says of itself', () => {
  const file = join(temporaryFolder(), 'lock')
  const lock = taken(file, 1)
  lock.describe({ pid: 1, since: SINCE, address: 'http://127.0.0.1:7411' })
  expect(acquireProcessLock(file, { pid: 2, since: SINCE })).toEqual({
    heldBy: { pid: 1, since: SINCE, address: 'http://127.0.0.1:7411' },
  })
  lock.release()
})

test('a lock that was released can be taken again', () => {
  const file = join(temporaryFolder(), 'lock')
  taken(file, 1).release()
  taken(file, 2).release()
})

test('a lock whose holder could not be described can be taken later', () => {
  const file = join(temporaryFolder(), 'lock')
  mkdirSync(`${file}.json`)
  expect(() => taken(file, 1)).toThrow('EISDIR')
  rmdirSync(`${file}.json`)
  taken(file, 2).release()
})

test('a process that is killed leaves no lock behind', async () => {
  const file = join(temporaryFolder(), 'lock')
  const script = `
    import { acquireProcessLock } from ${JSON.stringify(packagePath('src/lib/process-lock.ts'))}
    acquireProcessLock(${JSON.stringify(file)}, { pid: process.pid, since: ${JSON.stringify(SINCE)} })
    console.log('held')
    setInterval(() => undefined, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  expect(acquireProcessLock(file, { pid: 2, since: SINCE })).toEqual({ heldBy: { pid: holder.pid, since: SINCE } })
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  taken(file, 3).release()
})
