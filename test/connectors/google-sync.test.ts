import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contacts } from '../../connectors/google/contacts.ts'
import { tasks } from '../../connectors/google/tasks.ts'
import { youtube } from '../../connectors/google/youtube.ts'
import { ConnectorSync } from '../kit/connector-sync.ts'
import { GooglePeople } from '../kit/google-people.ts'
import { GoogleTasks } from '../kit/google-tasks.ts'
import { GoogleYoutube } from '../kit/google-youtube.ts'
import { type RunningService, startService } from '../kit/start-service.ts'
import { TakeoutArchives } from '../kit/takeout-archives.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false, clock: () => NOW })
})
afterAll(() => service[Symbol.asyncDispose]())

describe('what is remembered of Google', () => {
  test('a task that is moved to another list is held once, in the list it is in', async () => {
    await using world = await GoogleTasks.open()
    await using sync = new ConnectorSync(tasks, service, NOW)
    world.server.now = NOW
    world.addList('c2Vjb25k', 'Work')
    const moved = world.add('Report')
    world.add('Stays')
    expect(await sync.run(world.config)).toMatchObject({ outcome: 'ok', memorized: 2 })
    sync.clock.advance(2 * DAY_MS)
    world.server.now = sync.clock()
    const { title } = world.take(moved)
    world.add(title, { id: moved }, 'c2Vjb25k')
    expect(await sync.run(world.config)).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect(await sync.held()).toHaveLength(2)
  })

  test('contacts are what Google holds after the sync token has ended, deletions of that time included', async () => {
    await using world = await GooglePeople.open()
    await using sync = new ConnectorSync(contacts, service, NOW)
    world.server.now = NOW
    const [gone] = ['Bob', 'Carl', 'Dora'].map((name) => world.add(name))
    await sync.run(world.config)
    world.remove(gone ?? '')
    world.add('Eve')
    sync.clock.advance(9 * DAY_MS)
    world.passDays(9)
    expect(await sync.run(world.config)).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect(await sync.held()).toHaveLength(3)
    expect(await sync.run(world.config)).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  })

  test('what was watched stays when its export is deleted, also through a complete reading; videos go with their playlist', async () => {
    await using world = await GoogleYoutube.open()
    await using sync = new ConnectorSync(youtube, service, NOW)
    const exports = new TakeoutArchives()
    await exports.zip('takeout-1.zip', {
      'Takeout/YouTube and YouTube Music/history/watch-history.json': [
        { title: 'Watched A', titleUrl: 'https://www.youtube.com/watch?v=a', time: '2026-11-18T20:15:00Z' },
      ],
    })
    const gone = world.save('Taken out')
    world.save('Kept')
    const config = { ...world.config, takeout: exports.folder }
    expect(await sync.run(config)).toMatchObject({ outcome: 'ok', memorized: 5 })
    await exports.remove('takeout-1.zip')
    world.takeOut(gone)
    sync.clock.advance(8 * DAY_MS)
    expect(await sync.run(config)).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(await sync.run(config, { full: true })).toMatchObject({ outcome: 'ok', removed: 0 })
    const held = await sync.held()
    expect(held).not.toContain(`yt:v:${gone}`)
    expect(held.filter((id) => id.endsWith(':day=2026-11-18'))).toHaveLength(1)
  })
})
