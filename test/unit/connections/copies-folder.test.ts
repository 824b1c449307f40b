import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCopiesFolder } from '../../../src/connections/copies-folder.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const { log, lines } = recordingLog()
const HOLDER = { pid: process.pid, since: '2026-11-20T10:00:00.000Z' }

/** Another process that has such a folder with a file in it, until it is killed. */
async function otherProcess(parent: string) {
  const module = new URL('../../../src/connections/copies-folder.ts', import.meta.url).href
  const script = `
    import { writeFileSync } from 'node:fs'
    import { openCopiesFolder } from ${JSON.stringify(module)}
    const folder = openCopiesFolder(${JSON.stringify(parent)}, ${JSON.stringify(HOLDER)}, console)
    writeFileSync(folder.path + '/copy.db', 'a copy')
    console.log(folder.path)
    setInterval(() => folder.path, 2 ** 30)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line]: unknown[] = await once(child.stdout, 'data')
  const kill = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return { path: String(line).trim(), kill }
}

describe('the folder of a process for what it copies', () => {
  test('is empty, its own, and removed with everything in it', () => {
    const parent = join(temporaryFolder(), 'copies')
    const first = openCopiesFolder(parent, HOLDER, log)
    const second = openCopiesFolder(parent, HOLDER, log)
    expect(second.path).not.toBe(first.path)
    writeFileSync(join(first.path, 'copy.db'), 'a copy')
    first[Symbol.dispose]()
    expect(existsSync(first.path)).toBe(false)
    expect(readdirSync(second.path)).toEqual([])
    second[Symbol.dispose]()
    expect(readdirSync(parent)).toEqual([])
  })

  test('stays while the process runs, and is removed by the next one after it was killed', async () => {
    const parent = join(temporaryFolder(), 'copies')
    const other = await otherProcess(parent)
    try {
      openCopiesFolder(parent, HOLDER, log)[Symbol.dispose]()
      expect(existsSync(join(other.path, 'copy.db'))).toBe(true)
    } finally {
      await other.kill()
    }
    using folder = openCopiesFolder(parent, HOLDER, log)
    expect(existsSync(other.path)).toBe(false)
    expect(readdirSync(parent).filter((name) => !folder.path.endsWith(name.split('.')[0] ?? ''))).toEqual([])
  })
  test('is opened although a leftover of another process cannot be removed, and the others are', () => {
    const parent = join(temporaryFolder(), 'copies')
    for (const name of ['a.lock', 'b']) mkdirSync(join(parent, name), { recursive: true })
    writeFileSync(join(parent, 'b.lock'), '')
    using _ = openCopiesFolder(parent, HOLDER, log)
    expect(existsSync(join(parent, 'b'))).toBe(false)
    expect(lines).toMatchObject([{ level: 'warn', fields: { folder: join(parent, 'a') } }])
  })
})
