import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { books } from '../../../connectors/google/books.ts'
import { contacts } from '../../../connectors/google/contacts.ts'
import { fit } from '../../../connectors/google/fit.ts'
import { tasks } from '../../../connectors/google/tasks.ts'
import { youtube } from '../../../connectors/google/youtube.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { GoogleBooks } from '../../fakes/google/google-books.ts'
import { GoogleHealth } from '../../fakes/google/google-health.ts'
import { GooglePeople } from '../../fakes/google/google-people.ts'
import type { GoogleServer } from '../../fakes/google/google-server.ts'
import { GoogleTasks } from '../../fakes/google/google-tasks.ts'
import { GoogleYoutube } from '../../fakes/google/google-youtube.ts'
import { TakeoutArchives } from '../../fakes/google/takeout-archives.ts'
import { ConnectorSync } from '../../lib/connector-sync.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

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

  test.each([
    ['a contact', aContact],
    ['an exercise', anExercise],
    ['a book', aBook],
    ['a video', aVideo],
    ['a task', aTask],
  ])('%s that comes back as it was is held again at the next run', async (_, open) => {
    await using world = await open()
    await using sync = new ConnectorSync(world.connector, service, NOW)
    await sync.run(world.config)
    const held = await sync.held()
    const putBack = world.remove()
    sync.clock.advance(world.noticedAfterMs ?? 0)
    world.server.now = sync.clock()
    expect(await sync.run(world.config)).toMatchObject({ outcome: 'ok', removed: 1 })
    putBack()
    await sync.run(world.config)
    expect(await sync.held()).toEqual(held)
  })
})

interface Returning extends AsyncDisposable {
  readonly connector: Connector
  readonly server: GoogleServer
  readonly config: Record<string, unknown>
  /** Until the next inventory, where it is one that notices. */
  readonly noticedAfterMs?: number
  /** @returns what brings it back */
  remove(): () => void
}

async function aContact(): Promise<Returning> {
  const world = await GooglePeople.open()
  const bob = world.add('Bob')
  const remove = () => {
    const person = world.people.get(bob)!
    world.remove(bob)
    return () => world.restore(person)
  }
  return returning(world, { connector: contacts, remove })
}

async function anExercise(): Promise<Returning> {
  const world = await GoogleHealth.open()
  world.exercise('run-1', '2026-11-18', 'Running')
  const remove = () => {
    const lost = world.sessions.splice(0)
    return () => world.sessions.push(...lost)
  }
  return returning(world, { connector: fit, remove })
}

async function aBook(): Promise<Returning> {
  const world = await GoogleBooks.open()
  const book = world.addBook(world.addShelf(0, 'Favorites'), 'Mills')
  const remove = () => {
    world.takeOff(0, book)
    return () => world.putOn(0, book)
  }
  return returning(world, { connector: books, noticedAfterMs: 2 * DAY_MS, remove })
}

async function aVideo(): Promise<Returning> {
  const world = await GoogleYoutube.open()
  const videoId = world.save('Mills')
  const remove = () => {
    world.takeOut(videoId)
    return () => world.save('Mills', 'LL', { videoId })
  }
  return returning(world, { connector: youtube, noticedAfterMs: 8 * DAY_MS, remove })
}

async function aTask(): Promise<Returning> {
  const world = await GoogleTasks.open()
  world.addList('c2Vjb25k', 'Work')
  const [task, other] = [world.add('Report'), world.add('Other')]
  const remove = () => {
    const taken = world.take(task)
    return () => {
      world.add(taken.title, taken)
      world.change(other, {})
    }
  }
  return returning(world, { connector: tasks, noticedAfterMs: 2 * DAY_MS, remove })
}

function returning<World extends Pick<Returning, 'server' | 'config'> & AsyncDisposable>(
  world: World,
  parts: Pick<Returning, 'connector' | 'noticedAfterMs' | 'remove'>,
): Returning {
  world.server.now = NOW
  const { server, config } = world
  return { ...parts, server, config, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}
