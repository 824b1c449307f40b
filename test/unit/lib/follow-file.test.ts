import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { followFile } from '../../../src/lib/follow-file.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { until } from '../../lib/until.ts'

const NEVER = 3_600_000

/** @param intervals of looking where the system does not report changes; never when absent */
function follow(file: string, intervals: { backstopMs?: number; unwatchedMs?: number } = {}) {
  let changes = 0
  const following = followFile(file, () => changes++, { backstopMs: NEVER, unwatchedMs: NEVER, ...intervals })
  onTestFinished(() => following[Symbol.dispose]())
  return {
    end: () => following[Symbol.dispose](),
    changes: () => changes,
    changed: (times: number) => until(async () => changes >= times),
  }
}

test('a file that is written in place, or replaced again and again, is noticed without looking', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'config.yaml')
  writeFileSync(file, 'port: 1')
  const { changed } = follow(file)
  writeFileSync(file, 'port: 20')
  await changed(1)
  for (const [at, port] of ['300', '4000', '50000'].entries()) {
    writeFileSync(join(folder, 'new'), `port: ${port}`)
    renameSync(join(folder, 'new'), file)
    await changed(at + 2)
  }
  writeFileSync(file, 'port: 600000')
  await changed(5)
})

test('a file that is created, removed and created again is noticed', async () => {
  const file = join(temporaryFolder(), 'config.yaml')
  const { changed } = follow(file, { unwatchedMs: 10 })
  writeFileSync(file, 'port: 1')
  await changed(1)
  rmSync(file)
  await changed(2)
  writeFileSync(file, 'port: 20')
  await changed(3)
})

test('a change that the system does not report is noticed by looking', async () => {
  const folder = temporaryFolder()
  for (const name of ['old', 'newer']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'config.yaml'), name)
  }
  symlinkSync(join(folder, 'old'), join(folder, 'current'))
  const { changed } = follow(join(folder, 'current', 'config.yaml'), { backstopMs: 10 })
  symlinkSync(join(folder, 'newer'), join(folder, 'next'))
  renameSync(join(folder, 'next'), join(folder, 'current'))
  await changed(1)
})

test('nothing is followed after the end', async () => {
  const file = join(temporaryFolder(), 'config.yaml')
  writeFileSync(file, 'port: 1')
  const ended = follow(file, { backstopMs: 5, unwatchedMs: 5 })
  const { changed } = follow(file)
  ended.end()
  writeFileSync(file, 'port: 20')
  await changed(1)
  expect(ended.changes()).toBe(0)
})
