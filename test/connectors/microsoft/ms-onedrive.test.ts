import { describe, expect, test } from 'vitest'
import type { DriveCursor } from '../../../connectors/microsoft/drive-changes.ts'
import { msOneDrive } from '../../../connectors/microsoft/ms-onedrive.ts'
import type { Change } from '../../../src/connector/connector.ts'
import { sourceItemId } from '../../../src/connector/source-item-id.ts'
import { GraphDrive } from '../../fakes/microsoft/graph-drive.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'

async function opened(config: Record<string, unknown> = {}) {
  const server = await GraphServer.start()
  const drive = new GraphDrive(server)
  const run = async (cursor?: DriveCursor) => {
    const context = await connectorContext(msOneDrive, { ...server.settings, ...config }, { clock: () => drive.now })
    const changes: Change<DriveCursor>[] = []
    for await (const partition of msOneDrive.partitions(context as never)) {
      for await (const change of msOneDrive.changes(partition, cursor, context as never)) changes.push(change)
    }
    const last = changes.at(-1)
    return {
      names: changes.flatMap((change) => (change.type === 'item' ? [change.item.title] : [])),
      items: changes.flatMap((change) => (change.type === 'item' ? [change.item] : [])),
      gone: changes.flatMap((change) => (change.type === 'gone' ? [change.ref.itemId] : [])),
      skipped: changes.flatMap((change) => (change.type === 'failed' ? [change.error.message] : [])),
      cursor: last?.type === 'checkpoint' ? last.cursor : undefined,
    }
  }
  return { server, drive, run, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('OneDrive', () => {
  test('takes what text can be made of, and says of what might be why not, without fetching it', async () => {
    await using fake = await opened()
    const { drive, server } = fake
    drive.add({ name: 'plan.docx', text: 'x' })
    const photo = drive.add({ name: 'photo.jpg', text: 'x' })
    drive.add({ name: 'empty.md', text: '' })
    drive.add({ name: 'long.txt', text: 'x', extra: { size: 11 * 1024 * 1024 } })
    drive.add({ name: 'virus.txt', text: 'x', extra: { malware: { description: 'EICAR' } } })
    drive.add({ name: 'Notebook', extra: { file: undefined, package: { type: 'oneNote' } } })
    drive.addFolder('Folder')
    const { names, skipped, gone } = await fake.run()
    expect(names).toEqual(['plan.docx'])
    expect(gone).toEqual([sourceItemId('msdrive', drive.id, photo)])
    expect(skipped).toEqual([
      'empty.md: it is empty.',
      'long.txt: it is larger than 10 MB.',
      'virus.txt: Microsoft found malware in it.',
      'Notebook: notebooks and similar items (oneNote) are not supported.',
    ])
    expect(server.count(/signed|content/)).toBe(0)
  })

  test('fetches content without the token, and by its path when that address has expired', async () => {
    await using fake = await opened()
    fake.drive.add({ text: 'Hello' })
    const [item] = (await fake.run()).items
    const read = async () => (typeof item?.body === 'function' ? Buffer.from((await item.body()) ?? '').toString() : '')
    expect(await read()).toBe('Hello')
    expect(fake.server.count(/content/)).toBe(0)
    fake.drive.isSignedExpired = true
    expect(await read()).toBe('Hello')
    expect(fake.server.count(/content/)).toBe(1)
    Object.assign(fake.drive, { isSignedExpired: false, isSignedGone: true })
    expect(await read()).toBe('Hello')
  })

  test('tells an item once that stands twice on a page, as it was told last', async () => {
    await using fake = await opened()
    fake.drive.delta.repeats = true
    fake.drive.add({ name: 'a.md' })
    expect((await fake.run()).names).toEqual(['a.md'])
  })

  test('leaves the revision of a moved file as it was, and that of a changed one not', async () => {
    await using fake = await opened()
    const id = fake.drive.add()
    const first = await fake.run()
    fake.drive.move(id, 'Elsewhere')
    const moved = await fake.run(first.cursor)
    expect(moved.items[0]?.revision).toBe(first.items[0]?.revision)
    expect(moved.items[0]?.parents).toEqual(['Elsewhere'])
    fake.drive.write(id, 'Other words')
    expect((await fake.run(moved.cursor)).items[0]?.revision).not.toBe(first.items[0]?.revision)
  })

  test('knows the folders of files from a delta that does not tell their paths, and asks for each once', async () => {
    await using fake = await opened({ include: ['Work/**'], exclude: ['Private'] })
    const { drive, server } = fake
    drive.tellsPaths = false
    const id = drive.add({ folder: 'Work/Plans', name: 'a.md' })
    drive.add({ folder: 'Work/Plans', name: 'b.md' })
    drive.add({ folder: 'Work/Private', name: 'c.md' })
    drive.add({ name: 'd.md' })
    const { names, cursor } = await fake.run()
    expect(names).toEqual(['a.md', 'b.md'])
    expect(server.count(/items\/01PLACE!/)).toBe(3)
    drive.move(id, 'Private')
    expect((await fake.run(cursor)).gone).toEqual([sourceItemId('msdrive', drive.id, id)])
  })

  test('gives a file without hashes the same revision in a delta and alone', async () => {
    await using fake = await opened()
    const id = fake.drive.add({ extra: { file: { mimeType: 'text/markdown' } } })
    const [told] = (await fake.run()).items
    const context = await connectorContext(msOneDrive, fake.server.settings, {})
    const partition = { id: fake.drive.id, title: 'OneDrive' }
    const ref = { sourceType: 'ms-onedrive', itemId: 'x', locator: `file ${fake.drive.id} ${id}`, partition } as const
    expect((await msOneDrive.read(ref, context as never))?.revision).toBe(told?.revision)
  })

  test('is stopped by no time that is none', async () => {
    await using fake = await opened({ since: '2026-01-01' })
    fake.drive.add({ name: 'odd.md', extra: { createdDateTime: '2021-03-1706:47:05.123Z', lastModifiedDateTime: '' } })
    const [item] = (await fake.run()).items
    expect(item?.title).toBe('odd.md')
    expect(item).not.toHaveProperty('createdAt')
  })

  test.each([
    ['no OneDrive', graphError(404, 'ResourceNotFound', "User's mysite not found.")],
    ['no licence for it', graphError(400, 'BadRequest', 'Tenant does not have a SPO license.')],
    ['no way in', graphError(423, 'resourceLocked')],
  ])('says what to do about an account with %s', async (_, reply) => {
    await using fake = await opened()
    fake.server.fail({ on: /^\/me\/drive$/, ...reply })
    await expect(fake.run()).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: /has no readable OneDrive/,
    })
  })

  test('says of a file that is moved into an excluded folder that it is gone', async () => {
    await using fake = await opened({ include: ['Work/**'], exclude: ['Work/Private'] })
    const { drive } = fake
    const id = drive.add({ folder: 'Work/50% done', name: 'a.md' })
    drive.add({ folder: 'Work/Private/Deep', name: 'b.md' })
    drive.add({ folder: 'Home', name: 'c.md' })
    const { names, cursor } = await fake.run()
    expect(names).toEqual(['a.md'])
    drive.move(id, 'Work/Private')
    expect((await fake.run(cursor)).gone).toEqual([sourceItemId('msdrive', drive.id, id)])
  })

  test.each([
    ['410 resyncChangesApplyDifferences', graphError(410, 'resyncChangesApplyDifferences')],
    ['410 without a known code', graphError(410, 'whatever')],
    ['400 for a link', graphError(400, 'invalidRequest')],
  ])('asks for a complete walk after %s', async (_, reply) => {
    await using fake = await opened()
    fake.drive.add()
    const { cursor } = await fake.run()
    const location = { location: fake.server.link(`/drives/${encodeURIComponent(fake.drive.id)}/root/delta?token=x`) }
    fake.drive.delta.expire({ ...reply, headers: location })
    await expect(fake.run(cursor)).rejects.toMatchObject({ remedy: 'restart' })
    expect((await fake.run()).names).toEqual(['note.md'])
  })

  test('asks for a complete walk when a link dies half way, and goes on from any page before', async () => {
    await using fake = await opened()
    for (let at = 0; at < 20; at++) fake.drive.add({ name: `${at}.md` })
    fake.server.fail({ on: /skiptoken/, after: 1, times: 1, ...graphError(410, 'SyncStateNotFound') })
    await expect(fake.run()).rejects.toMatchObject({ remedy: 'restart' })
    expect((await fake.run()).names).toHaveLength(20)
  })

  test('reads a single file by its id, and nothing when it is gone', async () => {
    await using fake = await opened()
    const id = fake.drive.add()
    const context = await connectorContext(msOneDrive, fake.server.settings, {})
    const partition = { id: fake.drive.id, title: 'OneDrive' }
    const ref = { sourceType: 'ms-onedrive', itemId: 'x', locator: `file ${fake.drive.id} ${id}`, partition } as const
    expect((await msOneDrive.read(ref, context as never))?.title).toBe('note.md')
    fake.drive.remove(id)
    expect(await msOneDrive.read(ref, context as never)).toBeUndefined()
  })
})
