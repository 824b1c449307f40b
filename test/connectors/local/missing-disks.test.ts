import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest'
import { technicalDocs as connector } from '../../../connectors/local/folder.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { ConnectorSync } from '../../lib/connector-sync.ts'
import { startService } from '../../lib/start-service.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const technicalDocs: Connector = connector
const service = await startService({ work: false })
afterAll(() => service[Symbol.asyncDispose]())

/** Of the checkout, without tracked files; other tools make it as well. */
const CACHE = packagePath('node_modules/.cache')
mkdirSync(CACHE, { recursive: true })

/** On another disk than temporary folders, which may be in memory. */
const OTHER_DISK = ['/dev/shm', CACHE].find(
  (folder) => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
)

function folders() {
  const docs = join(temporaryFolder(), 'docs')
  mkdirSync(docs)
  writeFileSync(join(docs, 'here.md'), 'Here.')
  const sync = new ConnectorSync(technicalDocs, service, new Date('2026-11-20T10:00:00Z'))
  return { docs, sync, config: { name: 'docs', paths: [docs], follow_links: true } }
}

function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'none', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function otherDisk(task: TestContext): string {
  if (OTHER_DISK !== undefined) return OTHER_DISK
  console.warn(`${task.task.name}: not tested, because all folders are on one disk`)
  return task.skip()
}

function mountOrSkip(folder: string, task: TestContext): void {
  if (mounted(folder)) return
  console.warn(`${task.task.name}: not tested, because only root may mount`)
  task.skip()
}

describe('what is on another disk than its folder', () => {
  test('stays while the link to it leads nowhere, and goes with the link', async (task) => {
    const disk = mkdtempSync(join(otherDisk(task), 'disk-'))
    onTestFinished(() => rmSync(disk, { recursive: true, force: true }))
    writeFileSync(join(disk, 'there.md'), 'There.')
    const { docs, sync, config } = folders()
    await using _ = sync
    symlinkSync(disk, join(docs, 'link'))
    await sync.run(config)
    expect(await sync.held()).toHaveLength(2)
    renameSync(disk, `${disk}-away`)
    const error = `${join(docs, 'link')} leads to a disk that is missing. Mount it, or remove the folder or link.`
    expect(await sync.run(config)).toMatchObject({ removed: 0, failures: [{ error }] })
    renameSync(`${disk}-away`, disk)
    expect(await sync.run(config)).toMatchObject({ outcome: 'ok', removed: 0 })
    rmSync(join(docs, 'link'))
    expect(await sync.run(config)).toMatchObject({ outcome: 'ok', removed: 1 })
  })

  test('stays while the disk is not mounted, and goes when it is deleted there', async (task) => {
    const { docs, sync, config } = folders()
    await using _ = sync
    const disk = join(docs, 'disk')
    mkdirSync(disk)
    mountOrSkip(disk, task)
    const unmount = () => void execFileSync('umount', [disk])
    writeFileSync(join(disk, 'there.md'), 'There.')
    await sync.run(config)
    expect(await sync.held()).toHaveLength(2)
    unmount()
    const failures = [{ error: expect.stringContaining(disk) }]
    expect(await sync.run(config)).toMatchObject({ removed: 0, failures })
    const changed = { ...config, exclude: ['other'] }
    expect(await sync.run(changed, { full: true })).toMatchObject({ removed: 0, failures })
    // The scan before did not succeed.
    expect(await sync.run(changed)).toMatchObject({ removed: 0, failures })
    expect(await sync.held()).toHaveLength(2)
    expect(await sync.run(config)).toMatchObject({ removed: 0, failures })
    expect(mounted(disk)).toBe(true)
    onTestFinished(unmount)
    // Another one, which is empty.
    expect(await sync.run(config)).toMatchObject({ outcome: 'ok', removed: 1 })
  })

  test('goes when the settings exclude it, mounted or not', async (task) => {
    const { docs, sync, config } = folders()
    await using _ = sync
    const disk = join(docs, 'disk')
    mkdirSync(disk)
    mountOrSkip(disk, task)
    writeFileSync(join(disk, 'there.md'), 'There.')
    await sync.run(config)
    execFileSync('umount', [disk])
    expect(await sync.run({ ...config, exclude: ['disk/'] })).toMatchObject({ outcome: 'ok', removed: 1 })
  })

  test('goes when a linked folder is emptied on a disk that is mounted', async (task) => {
    const disk = mkdtempSync(join(otherDisk(task), 'disk-'))
    onTestFinished(() => rmSync(disk, { recursive: true, force: true }))
    writeFileSync(join(disk, 'there.md'), 'There.')
    const { docs, sync, config } = folders()
    await using _ = sync
    symlinkSync(disk, join(docs, 'link'))
    await sync.run(config)
    rmSync(join(disk, 'there.md'))
    expect(await sync.run(config)).toMatchObject({ outcome: 'ok', removed: 1 })
  })

  test('stays while another disk without files is in the place of the folder', async (task) => {
    const { docs, sync, config } = folders()
    await using _ = sync
    await sync.run(config)
    expect(await sync.held()).toHaveLength(1)
    mountOrSkip(docs, task)
    onTestFinished(() => void execFileSync('umount', [docs]))
    mkdirSync(join(docs, 'lost+found'))
    const error = expect.stringContaining('is on a different disk than before, with nothing to sync.')
    expect(await sync.run(config)).toMatchObject({ removed: 0, failures: [{ error }] })
  })
})
