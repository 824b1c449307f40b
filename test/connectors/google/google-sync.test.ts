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
    await using fake = await GoogleTasks.open()
    await using sync = new ConnectorSync(tasks, service, NOW)
    fake.server.now = NOW
    fake.addList('c2Vjb25k', 'Work')
    const moved = fake.add('Report')
    fake.add('Stays')
    expect(await sync.run(fake.config)).toMatchObject({ outcome: 'ok', memorized: 2 })
    sync.clock.advance(2 * DAY_MS)
    fake.server.now = sync.clock()
    const { title } = fake.take(moved)
    fake.add(title, { id: moved }, 'c2Vjb25k')
    expect(await sync.run(fake.config)).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect(await sync.held()).toHaveLength(2)
  })

  test('contacts are what Google holds after the sync token has ended, deletions of that time included', async () => {
    await using fake = await GooglePeople.open()
    await using sync = new ConnectorSync(contacts, service, NOW)
    fake.server.now = NOW
    const [gone] = ['Bob', 'Carl', 'Dora'].map((name) => fake.add(name))
    await sync.run(fake.config)
    fake.remove(gone ?? '')
    fake.add('Eve')
    sync.clock.advance(9 * DAY_MS)
    fake.passDays(9)
    expect(await sync.run(fake.config)).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect(await sync.held()).toHaveLength(3)
    expect(await sync.run(fake.config)).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  })

  test('what was watched stays when its export is deleted, also through a complete reading; videos go with their playlist', async () => {
    await using fake = await GoogleYoutube.open()
    await using sync = new ConnectorSync(youtube, service, NOW)
    const exports = new TakeoutArchives()
    await exports.zip('takeout-1.zip', {
      'Takeout/YouTube and YouTube Music/history/watch-history.json': [
        { title: 'Watched A', titleUrl: 'https://www.youtube.com/watch?v=a', time: '2026-11-18T20:15:00Z' },
      ],
    })
    const gone = fake.save('Taken out')
    fake.save('Kept')
    const config = { ...fake.config, takeout: exports.folder }
    expect(await sync.run(config)).toMatchObject({ outcome: 'ok', memorized: 5 })
    await exports.remove('takeout-1.zip')
    fake.takeOut(gone)
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
    await using fake = await open()
    await using sync = new ConnectorSync(fake.connector, service, NOW)
    await sync.run(fake.config)
    const held = await sync.held()
    const putBack = fake.remove()
    sync.clock.advance(fake.noticedAfterMs ?? 0)
    fake.server.now = sync.clock()
    expect(await sync.run(fake.config)).toMatchObject({ outcome: 'ok', removed: 1 })
    putBack()
    await sync.run(fake.config)
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
  const fake = await GooglePeople.open()
  const bob = fake.add('Bob')
  const remove = () => {
    const person = fake.people.get(bob)!
    fake.remove(bob)
    return () => fake.restore(person)
  }
  return returning(fake, { connector: contacts, remove })
}

async function anExercise(): Promise<Returning> {
  const fake = await GoogleHealth.open()
  fake.exercise('run-1', '2026-11-18', 'Running')
  const remove = () => {
    const lost = fake.sessions.splice(0)
    return () => fake.sessions.push(...lost)
  }
  return returning(fake, { connector: fit, remove })
}

async function aBook(): Promise<Returning> {
  const fake = await GoogleBooks.open()
  const book = fake.addBook(fake.addShelf(0, 'Favorites'), 'Mills')
  const remove = () => {
    fake.takeOff(0, book)
    return () => fake.putOn(0, book)
  }
  return returning(fake, { connector: books, noticedAfterMs: 2 * DAY_MS, remove })
}

async function aVideo(): Promise<Returning> {
  const fake = await GoogleYoutube.open()
  const videoId = fake.save('Mills')
  const remove = () => {
    fake.takeOut(videoId)
    return () => fake.save('Mills', 'LL', { videoId })
  }
  return returning(fake, { connector: youtube, noticedAfterMs: 8 * DAY_MS, remove })
}

async function aTask(): Promise<Returning> {
  const fake = await GoogleTasks.open()
  fake.addList('c2Vjb25k', 'Work')
  const [task, other] = [fake.add('Report'), fake.add('Other')]
  const remove = () => {
    const taken = fake.take(task)
    return () => {
      fake.add(taken.title, taken)
      fake.change(other, {})
    }
  }
  return returning(fake, { connector: tasks, noticedAfterMs: 2 * DAY_MS, remove })
}

function returning<Fake extends Pick<Returning, 'server' | 'config'> & AsyncDisposable>(
  fake: Fake,
  parts: Pick<Returning, 'connector' | 'noticedAfterMs' | 'remove'>,
): Returning {
  fake.server.now = NOW
  const { server, config } = fake
  return { ...parts, server, config, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() }
}
