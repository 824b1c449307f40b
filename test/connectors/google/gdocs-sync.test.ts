import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gdocs } from '../../../connectors/google/gdocs.ts'
import { googleMeets } from '../../../connectors/google/google-meets.ts'
import { GoogleDrive } from '../../fakes/google/google-drive.ts'
import { GoogleMeet } from '../../fakes/google/google-meet.ts'
import { GoogleSync } from '../../fakes/google/google-sync.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const DRIVE = '0ATeam'
const CHANGES = /^\/drive\/v3\/changes$/
const LISTING = /^GET \/drive\/v3\/files$/
const CONTENT = /^GET \/v1\/documents\//

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false, clock: () => new Date('2026-03-02T09:00:00Z') })
})
afterAll(() => service[Symbol.asyncDispose]())

const open = async () => new GoogleSync(service, gdocs, await GoogleDrive.start())
const idsOf = async (sync: GoogleSync<GoogleDrive>) => [...(await sync.held()).keys()].sort()

/** Three documents of the person, three of a shared drive. */
async function remembering() {
  const sync = await open()
  const { fake: drive } = sync
  drive.addDrive(DRIVE, 'Team')
  const mine = ['One', 'Two', 'Three'].map((name) => drive.document(name, `${name} of mine.`))
  const team = ['One', 'Two', 'Three'].map((name) => drive.document(name, `${name} of the team.`, DRIVE))
  expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 6 })
  return { sync, drive, mine, team, [Symbol.asyncDispose]: () => sync[Symbol.asyncDispose]() }
}

describe('what is remembered of Google Drive', () => {
  test('is what Drive holds: additions, edits and deletions, each with the fewest requests', async () => {
    await using fake = await remembering()
    const { sync, drive, mine } = fake
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0, requests: 4 })
    drive.write(mine[0]!, 'One, corrected.')
    drive.lose(mine[1]!)
    const fresh = drive.document('Fresh')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 2, removed: 1, failed: 0 })
    const held = await sync.held()
    expect(held.size).toBe(6)
    expect(held.get(`gdrive:${mine[0]!.id}`)).toContain('One, corrected.')
    expect(held.get(`gdrive:${fresh.id}`)).toMatch(/^---\ntitle: Fresh\nurl: https:/)
    expect(await sync.run()).toMatchObject({ memorized: 0, removed: 0, requests: 4 })
  })

  test('is what Drive holds after its state was lost, deletions of that time included, and changes count again', async () => {
    await using fake = await remembering()
    const { sync, drive, mine, team } = fake
    drive.lose(mine[0]!)
    drive.lose(team[0]!)
    drive.write(mine[1]!, 'Two, corrected.')
    drive.expireTokens()
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 2, failed: 0 })
    expect(await idsOf(sync)).toEqual([mine[1]!, mine[2]!, team[1]!, team[2]!].map(({ id }) => `gdrive:${id}`).sort())
    // Only what differs was read.
    expect(sync.asked(CONTENT)).toBe(1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', requests: 4 })
    drive.lose(mine[2]!)
    expect(await sync.run()).toMatchObject({ removed: 1 })
    expect(sync.asked(LISTING)).toBe(0)
  })

  test('does not begin anew for ever when every state is refused', async () => {
    await using fake = await remembering()
    const { sync, drive } = fake
    drive.server.faults.push({ path: CHANGES, times: 2, status: 400, reason: 'invalid' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    expect(sync.asked(LISTING)).toBe(6)
  })

  test('stays when a search was not complete', async () => {
    await using fake = await remembering()
    const { sync, drive } = fake
    for (const file of drive.files.values()) if (file.name === 'One') file.isLost = true
    drive.isIncomplete = true
    expect(await sync.run({}, { full: true })).toMatchObject({ outcome: 'partial', removed: 0 })
    expect((await sync.held()).size).toBe(6)
    drive.isIncomplete = false
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 2 })
  })

  for (const status of [403, 404]) {
    test(`stays when a shared drive answers ${status} in the middle, and the others go on`, async () => {
      await using fake = await remembering()
      const { sync, drive, mine } = fake
      drive.most = 2
      drive.document('Fresh')
      // Before the second page of its files come all pages of its folders.
      const after = Math.ceil(drive.files.size / drive.most) + 1
      drive.server.faults.push({ path: /^\/drive\/v3\/files$/, query: /driveId=/, after, status, reason: 'notFound' })
      expect(await sync.run({}, { full: true })).toMatchObject({
        memorized: 1,
        removed: 0,
        failures: [{ partition: 'Shared drive Team' }],
      })
      expect((await sync.held()).size).toBe(7)
      drive.lose(mine[0]!)
      expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1, failures: [] })
    })
  }

  test('goes with a shared drive that was left, and comes back with it', async () => {
    await using fake = await remembering()
    const { sync, drive } = fake
    drive.drives.get(DRIVE)!.isMember = false
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 3 })
    drive.drives.get(DRIVE)!.isMember = true
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 3 })
  })

  test('goes with a folder that is put into the bin, and comes back with it as it was', async () => {
    await using fake = await remembering()
    const { sync, drive } = fake
    const folder = drive.folder('Work')
    drive.document('Four', 'Four.', folder.id)
    await sync.run()
    drive.trash(folder)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1 })
    drive.restore(folder)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })

  test('is held once when it moves between drives, there and back', async () => {
    await using fake = await remembering()
    const { sync, drive, mine, team } = fake
    for (const [to, file] of [
      [DRIVE, mine[0]!],
      ['root', team[0]!],
      ['root', mine[0]!],
      [DRIVE, team[0]!],
    ] as const) {
      drive.move(file, to)
      expect(await sync.run()).toMatchObject({ outcome: 'ok', failed: 0 })
      const held = await sync.held()
      expect(held.size).toBe(6)
      expect(held.get(`gdrive:${file.id}`)).toContain(to === DRIVE ? 'where: Team' : 'where: My Drive')
    }
    expect(await sync.run({}, { full: true })).toMatchObject({ memorized: 0, removed: 0 })
  })

  test('of which only the folder was reported as deleted goes within a week', async () => {
    await using sync = await open()
    const { fake: drive } = sync
    const folder = drive.folder('Projects')
    drive.document('Plan', 'Text.', folder.id)
    drive.document('Stays')
    await sync.run()
    drive.lose(folder)
    expect(await sync.run()).toMatchObject({ removed: 0 })
    sync.pass(8 * DAY_MS)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1, memorized: 0 })
    expect((await sync.held()).size).toBe(1)
  })

  test('follows the settings: folders that are excluded go, and come back', async () => {
    await using fake = await remembering()
    const { sync } = fake
    expect(await sync.run({ exclude: ['Team'] })).toMatchObject({ outcome: 'ok', removed: 3, memorized: 0 })
    expect(await sync.run({ kinds: ['files'] })).toMatchObject({ outcome: 'ok', removed: 3, memorized: 0 })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 6, removed: 0 })
  })

  test('takes what somebody is writing once, when it is left alone', async () => {
    await using fake = await remembering()
    const { sync, drive, mine } = fake
    const settle = { settle: true }
    for (let round = 0; round < 3; round += 1) {
      sync.pass(5 * MINUTE_MS)
      drive.write(mine[0]!, `Draft ${round}.`)
      expect(await sync.run({}, settle)).toMatchObject({ memorized: 0, settling: 1 })
    }
    sync.pass(11 * MINUTE_MS)
    expect(await sync.run({}, settle)).toMatchObject({ memorized: 1 })
    expect((await sync.held()).get(`gdrive:${mine[0]!.id}`)).toContain('Draft 2.')
  })

  test('is not memorized again when somebody only looked at it', async () => {
    await using fake = await remembering()
    const { sync, drive, mine } = fake
    drive.touch(mine[0]!, { viewedByMeTime: '2026-03-02T09:30:00Z' })
    expect(await sync.run()).toMatchObject({ memorized: 0, unchanged: 1 })
  })

  test('records why a file cannot be read, once, and reads the others', async () => {
    await using sync = await open()
    const { fake: drive } = sync
    drive.document('Plan')
    drive.document('Locked', 'Secret.', 'root', { canDownload: false })
    const failures = [{ item: 'Locked', error: `The owner of "Locked" doesn't allow downloads.` }]
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, failed: 1, failures })
    expect(await sync.run({}, { full: true })).toMatchObject({ outcome: 'ok', failed: 0, failures: [] })
  })
})

test('a meeting stays remembered when Google deletes its record', async () => {
  await using sync = new GoogleSync(service, googleMeets, await GoogleMeet.start())
  const { fake: meet } = sync
  meet.transcribe(meet.meet(1), [[1, 'Hello.']])
  expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
  expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, unchanged: 1 })
  sync.pass(40 * DAY_MS)
  for (const full of [false, true]) {
    expect(await sync.run({}, { full })).toMatchObject({ outcome: 'ok', removed: 0 })
    expect((await sync.held()).size).toBe(1)
  }
})
