import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { browser as connector } from '../../../connectors/local/browser.ts'
import type { Change, Connector, Partition, SourceItem } from '../../../src/connector/connector.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import {
  chromiumHistory,
  clearHistory,
  firefoxHistory,
  type MadeUpVisit,
  safariHistory,
  titlePage,
} from '../../fakes/local/browser-databases.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { withoutPermission } from '../../lib/without-permission.ts'

const browser: Connector = connector
const NOW = new Date('2026-11-21T10:00:00Z')
const CHROME = '.config/google-chrome/Default/History'
const ISSUE = {
  at: '2026-11-20T08:12:00Z',
  url: 'https://github.com/fastify/fastify/issues/5120',
  title: 'Hooks fire twice · Issue #5120',
}

describeConnectorContract('browser', async () => {
  const home = temporaryFolder()
  const path = join(home, CHROME)
  chromiumHistory(path, [
    ISSUE,
    { at: '2026-11-20T09:00:00Z', url: 'https://kysely.dev/docs', title: 'Kysely' },
    { at: '2026-11-19T09:00:00Z', url: 'https://kysely.dev/', title: 'Kysely' },
  ])
  const idAfter = async (visit: MadeUpVisit) => {
    chromiumHistory(path, [visit])
    const all = await items(home)
    return (
      all.find(
        ({ url, createdAt }) =>
          url === new URL('/', visit.url).href && createdAt?.toISOString().startsWith('2026-11-20'),
      )?.itemId ?? ''
    )
  }
  return {
    connector: browser,
    config: { name: 'me' },
    options: { machine: { userHome: home, temporaryFolder: temporaryFolder() }, clock: () => NOW },
    add: () => idAfter({ at: '2026-11-20T15:00:00Z', url: 'https://nodejs.org/api', title: 'Node' }),
    edit: () => idAfter({ at: '2026-11-20T15:01:00Z', url: 'https://github.com/a/b', title: 'a/b' }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
})

describe('a day on a site', () => {
  test('is told with its pages, their titles and times on the clock of the person', async () => {
    const home = temporaryFolder()
    chromiumHistory(join(home, CHROME), [
      ISSUE,
      { ...ISSUE, at: '2026-11-20T10:31:00Z', title: '(2) Hooks fire twice · Issue #5120' },
      { at: '2026-11-20T09:02:00Z', url: 'https://www.github.com/kysely-org/kysely_(x)', title: '[kysely]\n SQL ' },
      { at: '2026-11-20T09:03:00Z', url: 'https://github.com/untitled' },
    ])
    const [day, ...others] = await items(home, {}, { timeZone: 'Europe/Berlin' })
    expect(others).toEqual([])
    expect(day).toMatchObject({
      title: 'github.com on 20 November 2026',
      where: 'github.com',
      url: 'https://github.com/',
      visibility: 'private',
      createdAt: new Date('2026-11-20T08:12:00Z'),
      updatedAt: new Date('2026-11-20T10:31:00Z'),
      body: `On 20 November 2026 I read 3 pages on github.com.

- 09:12 [Hooks fire twice · Issue #5120](https://github.com/fastify/fastify/issues/5120), twice until 11:31
- 10:02 [(kysely) SQL](https://www.github.com/kysely-org/kysely_%28x%29)
- 10:03 [github.com/untitled](https://github.com/untitled)
`,
    })
    expect(day?.itemId).toMatch(/^browser:[0-9a-f]{10}:day=2026-11-20:d=github=2Ecom$/)
  })

  test('begins at midnight where the person is', async () => {
    const home = temporaryFolder()
    chromiumHistory(join(home, CHROME), [
      { ...ISSUE, at: '2026-11-20T22:59:00Z' },
      { ...ISSUE, at: '2026-11-20T23:01:00Z' },
    ])
    expect(await titles(home, {}, { timeZone: 'Europe/Berlin' })).toEqual([
      'github.com on 21 November 2026',
      'github.com on 20 November 2026',
    ])
    expect(await titles(home, {}, { timeZone: 'UTC' })).toEqual(['github.com on 20 November 2026'])
  })

  test('with very many pages counts the rest', async () => {
    const home = temporaryFolder()
    chromiumHistory(
      join(home, CHROME),
      Array.from({ length: 103 }, (_, i) => ({ ...ISSUE, url: `https://github.com/p/${i}` })),
    )
    const [day] = await items(home)
    expect(day?.body).toContain('I read 103 pages on github.com')
    expect(String(day?.body).trimEnd().split('\n').at(-1)).toBe('- and 3 more pages')
  })

  test('is given again only when there are new visits of it', async () => {
    const home = temporaryFolder()
    chromiumHistory(join(home, CHROME), [ISSUE, { ...ISSUE, url: 'https://kysely.dev/' }])
    const first = await walk(home)
    expect(first.items).toHaveLength(2)
    expect((await walk(home, first.cursor)).items).toEqual([])
    chromiumHistory(join(home, CHROME), [{ ...ISSUE, at: '2026-11-20T19:00:00Z', url: 'https://github.com/later' }])
    const second = await walk(home, first.cursor)
    expect(second.items.map(({ title }) => title)).toEqual(['github.com on 20 November 2026'])
    expect(second.items[0]?.body).toContain('I read 2 pages')
    expect((await walk(home, second.cursor)).items).toEqual([])
  })

  test('is looked at again when its last visit was too young to have a title', async () => {
    const home = temporaryFolder()
    chromiumHistory(join(home, CHROME), [ISSUE, { at: '2026-11-21T09:59:30Z', url: 'https://nodejs.org/' }])
    const { cursor } = await walk(home)
    titlePage(join(home, CHROME), 'https://nodejs.org/', 'Run JavaScript everywhere')
    const [day, ...others] = (await walk(home, cursor)).items
    expect(others).toEqual([])
    expect(day?.body).toContain('- 09:59 [Run JavaScript everywhere](https://nodejs.org/)')
  })
})

describe('a history that was cleared', () => {
  test.each(['higher', 'lower'])('begins anew with ids that are %s than before; what was is not gone', async (ids) => {
    const home = temporaryFolder()
    const path = join(home, CHROME)
    chromiumHistory(path, [ISSUE, { ...ISSUE, at: '2026-11-20T09:00:00Z', url: 'https://kysely.dev/' }])
    const first = await walk(home)
    clearHistory(path, 'visits')
    const empty = await walk(home, first.cursor)
    expect([empty.items, empty.gone]).toEqual([[], []])
    const id = ids === 'higher' ? 50 : 1
    chromiumHistory(path, [{ id, at: '2026-11-21T08:00:00Z', url: 'https://nodejs.org/', title: 'Node' }])
    for (const cursor of [first.cursor, empty.cursor]) {
      const after = await walk(home, cursor)
      expect(after.items.map(({ title }) => title)).toEqual(['nodejs.org on 21 November 2026'])
      expect(after.gone).toEqual([])
    }
    expect(browser.manifest).toMatchObject({ deletions: 'none', vanished: 'keep' })
  })
})

describe('what is left out', () => {
  test('is gone when everything is compared again, for it may have been taken before', async () => {
    const home = temporaryFolder()
    chromiumHistory(join(home, CHROME), [ISSUE, { ...ISSUE, url: 'https://kysely.dev/' }])
    const [taken] = (await items(home)).filter(({ where }) => where === 'kysely.dev')
    const { gone, cursor } = await walk(home, undefined, { exclude: ['kysely.dev'] })
    expect(gone).toEqual([taken?.itemId])
    chromiumHistory(join(home, CHROME), [{ ...ISSUE, url: 'https://kysely.dev/2' }])
    expect((await walk(home, cursor, { exclude: ['kysely.dev'] })).gone).toEqual([])
  })

  test('frames, redirects on the way and downloads', async () => {
    const home = temporaryFolder()
    chromiumHistory(join(home, CHROME), [
      ISSUE,
      { ...ISSUE, url: 'https://frame.example.org/', transition: 0x30000003 },
      { ...ISSUE, url: 'https://way.example.org/', transition: 0x10000000 },
      { ...ISSUE, url: 'https://hidden.example.org/', hidden: true },
    ])
    firefoxHistory(join(home, '.mozilla/firefox/x.default/places.sqlite'), [
      { ...ISSUE, url: 'https://kysely.dev/' },
      { ...ISSUE, url: 'https://frame.example.org/', transition: 4 },
      { ...ISSUE, url: 'https://download.example.org/', transition: 7 },
    ])
    expect((await items(home)).map(({ where }) => where)).toEqual(['github.com', 'kysely.dev'])
  })

  test('what is older than the day that is set', async () => {
    const home = temporaryFolder()
    chromiumHistory(join(home, CHROME), [ISSUE, { ...ISSUE, at: '2021-08-22T10:00:00Z' }])
    expect(await titles(home)).toEqual(['github.com on 20 November 2026', 'github.com on 22 August 2021'])
    expect(await titles(home, { since: '2021-08-23' })).toEqual(['github.com on 20 November 2026'])
  })
})

describe('browsers', () => {
  test('of every family and place on Linux are found, each profile by itself', async () => {
    const home = temporaryFolder()
    const chromium = [
      CHROME,
      '.config/google-chrome/Profile 1/History',
      '.config/BraveSoftware/Brave-Browser/Default/History',
      '.config/microsoft-edge/Default/History',
      '.config/vivaldi/Default/History',
      '.config/opera/History',
      '.var/app/com.google.Chrome/config/google-chrome/Default/History',
      'snap/chromium/common/chromium/Default/History',
    ]
    for (const path of [...chromium, '.config/google-chrome/Guest Profile/History'])
      chromiumHistory(join(home, path), [ISSUE])
    for (const path of ['.mozilla/firefox/ab.default/places.sqlite', '.librewolf/cd.default/places.sqlite'])
      firefoxHistory(join(home, path), [ISSUE])
    const { partitions } = await opened(home)
    expect(partitions.map(({ title }) => title)).toEqual([
      'Chrome, Default',
      'Chrome, Profile 1',
      'Brave, Default',
      'Edge, Default',
      'Vivaldi, Default',
      'Opera',
      'Chrome, Default',
      'Chromium, Default',
      'Firefox, ab.default',
      'LibreWolf, cd.default',
    ])
    const all = await items(home)
    expect(new Set(all.map(({ itemId }) => itemId)).size).toBe(10)
    expect(new Set(all.map(({ body }) => body)).size).toBe(1)
  })

  test.each([
    ['darwin', 'Library/Application Support/Google/Chrome/Default/History', 'Chrome, Default', chromiumHistory],
    ['darwin', 'Library/Application Support/Arc/User Data/Default/History', 'Arc, Default', chromiumHistory],
    ['darwin', 'Library/Application Support/Firefox/Profiles/x/places.sqlite', 'Firefox, x', firefoxHistory],
    ['darwin', 'Library/Safari/History.db', 'Safari', safariHistory],
    ['win32', 'AppData/Local/Microsoft/Edge/User Data/Default/History', 'Edge, Default', chromiumHistory],
    ['win32', 'AppData/Roaming/Opera Software/Opera Stable/History', 'Opera', chromiumHistory],
    ['win32', 'AppData/Roaming/Mozilla/Firefox/Profiles/x/places.sqlite', 'Firefox, x', firefoxHistory],
  ] as const)('on %s lie in %s', async (platform, path, title, write) => {
    const home = temporaryFolder()
    write(join(home, path), [ISSUE])
    const { partitions } = await opened(home, {}, { platform })
    expect(partitions.map((partition) => partition.title)).toEqual([title])
    const [day] = await items(home, {}, { platform })
    expect(day?.createdAt).toEqual(new Date(ISSUE.at))
    expect(day?.body).toContain('[Hooks fire twice · Issue #5120](https://github.com/fastify/fastify/issues/5120)')
  })

  test('on telephones count in milliseconds', async () => {
    const home = temporaryFolder()
    const path = join(home, 'phone.sqlite')
    firefoxHistory(path, [ISSUE], 'ms')
    expect((await items(home, { databases: ['~/phone.sqlite'] }))[0]?.createdAt).toEqual(new Date(ISSUE.at))
  })

  test('that are open are read with what is still in their log, and nothing is left of the copy', async () => {
    const home = temporaryFolder()
    const copies = temporaryFolder()
    chromiumHistory(join(home, CHROME), [])
    using open = new DatabaseSync(join(home, CHROME))
    open.exec('PRAGMA journal_mode = WAL')
    open.prepare('SELECT * FROM urls').all()
    chromiumHistory(join(home, CHROME), [ISSUE])
    expect(existsSync(join(home, `${CHROME}-wal`))).toBe(true)
    expect(await titles(home, {}, { temporaryFolder: copies })).toHaveLength(1)
    expect(readdirSync(copies)).toEqual([])
  })

  test('that are not there: it says what to set', async () => {
    await expect(opened(temporaryFolder())).rejects.toThrow('No browser history was found. Set databases to its files.')
  })

  test('of an unknown kind are an error of their partition alone', async () => {
    const home = temporaryFolder()
    chromiumHistory(join(home, CHROME), [ISSUE])
    mkdirSync(join(home, '.mozilla/firefox/x'), { recursive: true })
    writeFileSync(join(home, '.mozilla/firefox/x/places.sqlite'), 'not a database')
    const { partitions, context } = await opened(home)
    expect(await drained(browser.changes(partitions[0] as Partition, undefined, context))).toHaveLength(2)
    await expect(drained(browser.changes(partitions[1] as Partition, undefined, context))).rejects.toMatchObject({
      remedy: 'skip',
    })
  })

  test('that may not be read on a Mac: it says how to allow it, and the others are read', async () => {
    const home = temporaryFolder()
    chromiumHistory(join(home, 'Library/Application Support/Google/Chrome/Default/History'), [ISSUE])
    safariHistory(join(home, 'Library/Safari/History.db'), [ISSUE])
    const copies = temporaryFolder()
    for (const folder of [home, copies]) chmodSync(folder, 0o777)
    const { partitions, context } = await opened(home, {}, { platform: 'darwin', temporaryFolder: copies })
    const safari = partitions[1] as Partition
    await withoutPermission(join(home, 'Library/Safari'), async () => {
      const seen = await drained(browser.partitions(context))
      expect(seen.map(({ title }) => title)).toEqual(['Chrome, Default', 'Safari'])
      await expect(drained(browser.changes(safari, undefined, context))).rejects.toMatchObject({
        remedy: 'reconfigure',
        message: expect.stringContaining('Full Disk Access'),
      })
      expect(await drained(browser.changes(partitions[0] as Partition, undefined, context))).toHaveLength(2)
    })
  })
})

interface Made {
  readonly timeZone?: string
  readonly platform?: string
  readonly temporaryFolder?: string
}

async function opened(home: string, settings: Record<string, unknown> = {}, { timeZone, ...machine }: Made = {}) {
  const context = await connectorContext(
    browser,
    { name: 'me', ...settings },
    { machine: { userHome: home, ...machine }, clock: () => NOW, ...(timeZone && { timeZone }) },
  )
  return { context, partitions: await drained(browser.partitions(context)) }
}

async function drained<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

async function items(home: string, settings?: Record<string, unknown>, made?: Made): Promise<SourceItem[]> {
  const { context, partitions } = await opened(home, settings, made)
  const changes: Change<unknown>[] = []
  for (const partition of partitions) changes.push(...(await drained(browser.changes(partition, undefined, context))))
  return changes.flatMap((change) => (change.type === 'item' ? [change.item] : []))
}

async function titles(home: string, settings?: Record<string, unknown>, made?: Made): Promise<string[]> {
  return (await items(home, settings, made)).map(({ title }) => title)
}

/** One run over the first profile. */
async function walk(home: string, cursor?: unknown, settings?: Record<string, unknown>) {
  const { context, partitions } = await opened(home, settings)
  const changes = await drained(browser.changes(partitions[0] as Partition, cursor, context))
  const last = changes.at(-1)
  return {
    items: changes.flatMap((change) => (change.type === 'item' ? [change.item] : [])),
    gone: changes.flatMap((change) => (change.type === 'gone' ? [change.ref.itemId] : [])),
    cursor: last?.type === 'checkpoint' ? last.cursor : undefined,
  }
}
