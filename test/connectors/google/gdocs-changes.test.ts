import { describe, expect, test } from 'vitest'
import { gdocs } from '../../../connectors/google/gdocs.ts'
import { runGdocs, textOf } from '../../fakes/google/gdocs-run.ts'
import { GoogleDrive } from '../../fakes/google/google-drive.ts'

const DRIVE = '0ATeam'
const MINE = { id: 'my-drive', title: 'My Drive' }
const TEAM = { id: `drive:${DRIVE}`, title: 'Shared drive Team' }

describe('after the first run', () => {
  test('nothing is asked for but the changes, while there are none', async () => {
    await using drive = await GoogleDrive.start()
    drive.addDrive(DRIVE, 'Team')
    drive.document('Plan')
    const first = await runGdocs(drive)
    const second = await runGdocs(drive, { from: first })
    expect(second.requests.slice(2)).toEqual(['GET /drive/v3/changes', 'GET /drive/v3/changes'])
    expect([second.items.size, second.gone]).toEqual([0, []])
    expect(second.partitions).toEqual([MINE, TEAM])
  })

  test('what changes while files are listed is seen again', async () => {
    await using drive = await GoogleDrive.start()
    drive.most = 2
    const files = [1, 2, 3, 4].map((number) => drive.document(`Note ${number}`))
    let listings = 0
    drive.server.meanwhile = (path) => {
      if (path === '/drive/v3/files' && ++listings === 3) drive.write(files[0]!, 'Written meanwhile.')
    }
    const first = await runGdocs(drive)
    drive.server.meanwhile = undefined
    const { items } = await runGdocs(drive, { from: first })
    expect([...items.keys()]).toEqual([files[0]!.id])
    expect(await textOf(items.get(files[0]!.id))).toBe('Written meanwhile.')
  })

  test('changes are read to the last page', async () => {
    await using drive = await GoogleDrive.start()
    const first = await runGdocs(drive)
    const files = Array.from({ length: 7 }, (_, number) => drive.document(`Note ${number}`))
    drive.most = 2
    const second = await runGdocs(drive, { from: first })
    expect([...second.items.keys()].sort()).toEqual(files.map(({ id }) => id).sort())
    expect((await runGdocs(drive, { from: second })).items.size).toBe(0)
  })

  test('a comment is a change, though the time of the file stays', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.document('Plan')
    const first = await runGdocs(drive)
    drive.comment(file, { content: 'Why?' })
    const { items } = await runGdocs(drive, { from: first })
    expect(items.get(file.id)?.revision).not.toBe(first.items.get(file.id)?.revision)
    expect(await textOf(items.get(file.id))).toContain('Why?')
  })

  test('what is deleted, put into the bin or out of reach is gone', async () => {
    await using drive = await GoogleDrive.start()
    const [deleted, binned, kept] = ['Deleted', 'Binned', 'Kept'].map((name) => drive.document(name))
    const shared = drive.shared('Shared', { viewedByMeTime: '2026-03-01T00:00:00Z' })
    const first = await runGdocs(drive)
    drive.lose(deleted!)
    drive.trash(binned!)
    drive.lose(shared)
    const second = await runGdocs(drive, { from: first })
    expect([...second.gone].sort()).toEqual([deleted!.id, binned!.id, shared.id].sort())
    expect(second.items.has(kept!.id)).toBe(false)
    drive.touch(binned!, { trashed: false })
    expect((await runGdocs(drive, { from: second })).items.has(binned!.id)).toBe(true)
  })

  test('what lies below a folder that is renamed, moved or put into the bin changes with it', async () => {
    await using drive = await GoogleDrive.start()
    const folder = drive.folder('Projects')
    const file = drive.document('Plan', 'Text.', drive.folder('Deep', folder.id).id)
    const first = await runGdocs(drive)
    drive.touch(folder, { name: 'Work' })
    const renamed = await runGdocs(drive, { from: first })
    expect(renamed.items.get(file.id)?.parents).toEqual(['My Drive', 'Work', 'Deep'])
    drive.move(folder, drive.folder('Secret').id)
    const moved = await runGdocs(drive, { from: renamed, config: { exclude: ['Secret'] } })
    expect(moved.gone).toEqual([file.id])
    drive.trash(folder)
    expect((await runGdocs(drive, { from: renamed })).gone).toContain(file.id)
  })

  test('what lies below very many folders is found with a listing of everything', async () => {
    await using drive = await GoogleDrive.start()
    const top = drive.folder('Archive')
    const files = Array.from({ length: 150 }, (_, at) =>
      drive.document('Plan', 'Text.', drive.folder(`F${at}`, top.id).id),
    )
    const stays = drive.document('Stays')
    const first = await runGdocs(drive)
    drive.trash(top)
    const { gone, items, requests } = await runGdocs(drive, { from: first })
    expect(new Set(gone)).toEqual(new Set(files.map(({ id }) => id)))
    expect([...items.keys()]).toEqual([stays.id])
    expect(requests.length).toBeLessThan(110)
  })

  test('a folder that was deleted before it could be listed holds nothing up', async () => {
    await using drive = await GoogleDrive.start()
    const first = await runGdocs(drive)
    const folder = drive.folder('Projects')
    const file = drive.document('Plan')
    drive.server.faults.push({ path: /^\/drive\/v3\/files$/, status: 404, reason: 'notFound' })
    const second = await runGdocs(drive, { from: first })
    expect([...second.items.keys()]).toEqual([file.id])
    expect(folder.trashed).toBe(false)
  })

  test('a file that moves into a shared drive is told there, and back', async () => {
    await using drive = await GoogleDrive.start()
    drive.addDrive(DRIVE, 'Team')
    const file = drive.document('Plan')
    const first = await runGdocs(drive)
    expect(first.items.get(file.id)?.parents).toEqual(['My Drive'])
    drive.move(file, DRIVE)
    const there = await runGdocs(drive, { from: first })
    expect(there.items.get(file.id)?.parents).toEqual(['Team'])
    expect(there.gone).toEqual([file.id])
    drive.move(file, 'root')
    const back = await runGdocs(drive, { from: there })
    expect(back.items.get(file.id)?.parents).toEqual(['My Drive'])
    expect(back.gone).toEqual([file.id])
  })

  test('a shared drive that a person joins is read, and one that is left is listed no more', async () => {
    await using drive = await GoogleDrive.start()
    const first = await runGdocs(drive)
    const file = drive.document('Plan', 'Text.', drive.addDrive(DRIVE, 'Team'))
    const second = await runGdocs(drive, { from: first })
    expect([second.partitions, second.items.has(file.id)]).toEqual([[MINE, TEAM], true])
    drive.drives.get(DRIVE)!.isMember = false
    expect((await runGdocs(drive, { from: second })).partitions).toEqual([MINE])
  })
})

describe('where Google loses the thread', () => {
  for (const [name, fault] of [
    ['400', { status: 400, reason: 'invalid' }],
    ['404', { status: 404, reason: 'notFound' }],
    ['410', { status: 410, reason: 'gone' }],
  ] as const) {
    test(`a token of changes that is refused with ${name} means a new beginning`, async () => {
      await using drive = await GoogleDrive.start()
      const first = await runGdocs(drive)
      drive.server.faults.push({ path: /^\/drive\/v3\/changes$/, ...fault })
      await expect(runGdocs(drive, { from: first })).rejects.toMatchObject({ remedy: 'restart' })
    })
  }

  test('a limit is no lost token', async () => {
    await using drive = await GoogleDrive.start()
    const first = await runGdocs(drive)
    drive.server.faults.push({ path: /^\/drive\/v3\/changes$/, status: 403, reason: 'rateLimitExceeded' })
    await expect(runGdocs(drive, { from: first })).rejects.toMatchObject({ remedy: 'retry', limited: true })
  })

  test.each([
    { listing: 'of the last 30 days', isRecent: true },
    { listing: 'of all files', isRecent: false },
  ])(
    'a listing $listing whose page is refused begins again, with the state that it began with',
    async ({ isRecent }) => {
      await using drive = await GoogleDrive.start()
      drive.most = 2
      const files = [1, 2, 3, 4, 5].map((number) => drive.document(`Note ${number}`))
      const { context } = await runGdocs(drive)
      const walk = gdocs.changes(MINE, undefined, context)
      let cursor: Parameters<typeof gdocs.changes>[1]
      for await (const change of walk) {
        if (change.type !== 'checkpoint' || change.cursor.kind !== 'walk' || change.cursor.page === undefined) continue
        cursor = change.cursor
        if (isRecent === (change.cursor.recentSince !== undefined)) break
      }
      expect(cursor).toMatchObject({ kind: 'walk', page: expect.any(String) })
      drive.write(files[0]!, 'Written meanwhile.')
      drive.listings += 1
      const run = await runGdocs(drive)
      const from = { ...run, cursors: new Map([[MINE.id, cursor!]]) }
      const resumed = await runGdocs(drive, { from })
      expect(resumed.items.size).toBe(5)
      expect(resumed.cursors.get(MINE.id)).toEqual({ kind: 'changes', token: cursor?.kind === 'walk' && cursor.start })
      expect((await runGdocs(drive, { from: resumed })).items.has(files[0]!.id)).toBe(true)
    },
  )

  test('a search that was not complete ends with an error, not with a state', async () => {
    await using drive = await GoogleDrive.start()
    drive.most = 2
    for (const number of [1, 2, 3]) drive.document(`Note ${number}`)
    const { context } = await runGdocs(drive)
    drive.isIncomplete = true
    const seen: string[] = []
    const walk = async () => {
      for await (const { type } of gdocs.changes(MINE, undefined, context)) seen.push(type)
    }
    await expect(walk()).rejects.toMatchObject({ remedy: 'retry' })
    // The last checkpoint is that of the last 30 days, before the listing of everything.
    expect(seen.slice(seen.lastIndexOf('checkpoint') + 1)).toEqual(['item', 'item', 'item'])
    const listed = async () => {
      for await (const _ of gdocs.inventory!(MINE, context)) seen.push('ref')
    }
    await expect(listed()).rejects.toMatchObject({ remedy: 'retry' })
  })

  test('an odd record does not hide the others', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.document('Plan')
    const odd = drive.document('Odd')
    Object.assign(odd, { name: 17, createdTime: 'yesterday', modifiedTime: null, owner: 'nobody' })
    const { items } = await runGdocs(drive)
    expect(items.has(file.id)).toBe(true)
    expect(items.get(odd.id)).toMatchObject({ title: 'Untitled' })
  })

  test('access that is taken away says so', async () => {
    await using drive = await GoogleDrive.start()
    const first = await runGdocs(drive)
    drive.server.tokens.clear()
    await expect(runGdocs(drive, { from: first })).rejects.toMatchObject({ remedy: 'reauthorize' })
  })
})
