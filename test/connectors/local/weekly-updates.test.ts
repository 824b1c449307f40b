import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isoWeek, weekAfter, weekNamed, weekSpan } from '../../../connectors/local/weekly-digest.ts'
import { weeklyUpdates as connector } from '../../../connectors/local/weekly-updates.ts'
import type { Connector, MemorizedItem, SourceItem } from '../../../src/connector/connector.ts'
import { accountPart } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { type ContextOptions, connectorContext } from '../../lib/connector-context.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const weekly: Connector = connector
/** A Wednesday; the week before is number 47. */
const NOW = new Date('2026-11-25T12:00:00Z')
const GENERATED = { id: 'generated', title: 'digests' }
const ID = (week: string) => `weekly:${accountPart('local')}:${week}`

describeConnectorContract('weekly_updates', async () => {
  const home = temporaryFolder()
  const write = (name: string, text: string) => writeFileSync(join(home, 'updates', name), text)
  mkdirSync(join(home, 'updates'))
  write('one.md', 'One')
  write('two.md', 'Two')
  const memorized = [told('slack', 'Deploy on Friday', '2026-11-17T10:00:00Z')]
  const options = { machine: { userHome: home }, clock: () => NOW, memorized }
  const config = { name: 'me', paths: ['~/updates'] }
  const idOf = async (title: string) =>
    (await walk({ ...options, config })).items.find((item) => item.title === title)?.itemId ?? ''
  return {
    connector: weekly,
    config,
    options,
    async add() {
      write('three.md', 'Three')
      return idOf('three.md')
    },
    async edit() {
      memorized.push(told('github', 'Fix the lock', '2026-11-19T10:00:00Z'))
      return ID('2026-W47')
    },
    async remove() {
      const id = await idOf('two.md')
      rmSync(join(home, 'updates/two.md'))
      return id
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
})

describe('the digest of a week', () => {
  test('lists what was memorized by source, the largest first, with days and links', async () => {
    const { items } = await walk({
      timeZone: 'Europe/Berlin',
      memorized: [
        told('github', 'Fix [the] lock · acme/shop#12', '2026-11-15T23:30:00Z', 'https://github.com/acme/shop/pull/12'),
        told('slack', 'Deploy on Friday', '2026-11-17T10:00:00Z'),
        told('slack', 'Deploy on Friday', '2026-11-18T10:00:00Z'),
        told('slack', 'Lunch', '2026-11-22T22:59:59Z', 'https://acme.slack.com/(1)'),
        told('slack', 'Next week', '2026-11-22T23:00:00Z'),
      ],
    })
    expect(items).toMatchObject([
      {
        sourceType: 'weekly_updates',
        itemId: ID('2026-W47'),
        title: 'Week 47 of 2026, 16 November 2026 to 22 November 2026',
        createdAt: new Date('2026-11-15T23:00:00Z'),
        body: `In the week from 16 November 2026 to 22 November 2026 I took in 4 things: 3 from Slack, 1 from GitHub.

## From Slack: 3

- 17 November: Deploy on Friday
- 22 November: [Lunch](https://acme.slack.com/%281%29)

## From GitHub: 1

- 16 November: [Fix (the) lock · acme/shop#12](https://github.com/acme/shop/pull/12)
`,
      },
    ])
  })

  test('counts what is more than twenty lines of a source', async () => {
    const memorized = Array.from({ length: 32 }, (_, i) => told('slack', `Thread ${i}`, '2026-11-17T10:00:00Z'))
    const [digest] = (await walk({ memorized })).items
    expect(String(digest?.body).match(/^- /gm)).toHaveLength(21)
    expect(String(digest?.body).trimEnd().split('\n').at(-1)).toBe('- and 12 more')
  })

  test('is not made for weeks without anything, nor of digests, but of updates that people wrote', async () => {
    const memorized = [
      told('weekly_updates', 'Week 44', '2026-10-26T00:00:00Z', undefined, ID('2026-W44')),
      told('weekly_updates', 'My update', '2026-11-10T00:00:00Z', undefined, 'file:1'),
    ]
    expect((await walk({ memorized })).items.map(({ itemId }) => itemId)).toEqual([ID('2026-W46')])
  })

  test('is made when the week is over and three hours have passed', async () => {
    const memorized = [told('slack', 'Deploy', '2026-11-17T10:00:00Z')]
    const at = async (now: string) => (await walk({ memorized, clock: () => new Date(now) })).items.length
    expect(await at('2026-11-22T23:59:59Z')).toBe(0)
    expect(await at('2026-11-23T02:59:59Z')).toBe(0)
    expect(await at('2026-11-23T03:00:00Z')).toBe(1)
  })

  test('is made anew for a week, and final then', async () => {
    const memorized = [told('slack', 'Deploy', '2026-11-17T10:00:00Z')]
    const first = await walk({ memorized })
    memorized.push(told('slack', 'Late', '2026-11-18T10:00:00Z'))
    const second = await walk({ memorized, cursor: first.cursor })
    expect(second.items.map(({ itemId }) => itemId)).toEqual([ID('2026-W47')])
    expect(second.items[0]?.body).toContain('Late')
    memorized.push(told('slack', 'Too late', '2026-11-19T10:00:00Z'))
    const before = await walk({ memorized, cursor: second.cursor, clock: () => new Date('2026-11-30T02:59:59Z') })
    expect(before.items).toHaveLength(1)
    const sealing = await walk({ memorized, cursor: before.cursor, clock: () => new Date('2026-11-30T03:00:00Z') })
    expect(sealing.items).toHaveLength(1)
    const after = await walk({ memorized, cursor: sealing.cursor, clock: () => new Date('2026-11-30T04:00:00Z') })
    expect(after.items).toEqual([])
  })

  test('is made for eight weeks back at first, or since the day that is set', async () => {
    const memorized = ['2026-09-20', '2026-09-29', '2026-10-14', '2026-11-18'].map((day) =>
      told('slack', day, `${day}T10:00:00Z`),
    )
    const weeks = async (settings: object) =>
      (await walk({ memorized, config: { name: 'me', ...settings } })).items.map(({ itemId }) => itemId.slice(-8))
    expect(await weeks({})).toEqual(['2026-W40', '2026-W42', '2026-W47'])
    expect(await weeks({ since: '2026-09-01' })).toEqual(['2026-W38', '2026-W40', '2026-W42', '2026-W47'])
    expect(await weeks({ since: '2026-10-15' })).toEqual(['2026-W42', '2026-W47'])
    expect(await weeks({ generated: false })).toEqual([])
  })

  test('that was made long ago stays in the inventory, and is made again when everything is read anew', async () => {
    const memorized = [
      told('weekly_updates', 'Week 10', '2026-03-02T00:00:00Z', undefined, ID('2026-W10')),
      told('slack', 'Long ago', '2026-03-03T10:00:00Z'),
      told('slack', 'Deploy', '2026-11-17T10:00:00Z'),
    ]
    const context = await connectorContext(weekly, { name: 'me' }, { clock: () => NOW, memorized })
    const listed: string[] = []
    for await (const { itemId } of weekly.inventory?.(GENERATED, context) ?? []) listed.push(itemId)
    expect(listed.sort()).toEqual([ID('2026-W10'), ID('2026-W47')])
    expect((await walk({ memorized })).items.map(({ itemId }) => itemId)).toEqual(listed)
  })
})

test('weeks are those of ISO 8601, also around New Year and changes of the clock', () => {
  expect(isoWeek(new Date('2027-01-03T12:00:00Z'), 'UTC').name).toBe('2026-W53')
  expect(isoWeek(new Date('2027-01-04T00:00:00Z'), 'UTC').name).toBe('2027-W01')
  expect(isoWeek(new Date('2024-12-30T00:00:00Z'), 'UTC').name).toBe('2025-W01')
  expect(weekNamed('2026-W53')?.monday).toEqual({ year: 2026, month: 12, day: 28 })
  expect(weekNamed('2025-W53')).toBeUndefined()
  expect(weekNamed('nonsense')).toBeUndefined()
  for (let week = weekNamed('2019-W50'); week && week.name < '2028'; week = weekAfter(week))
    expect(weekNamed(week.name)).toEqual(week)
  const change = weekNamed('2026-W43')
  expect(change && weekSpan(change, 'Europe/Berlin')).toEqual({
    since: new Date('2026-10-18T22:00:00Z'),
    until: new Date('2026-10-25T23:00:00Z'),
  })
})

function told(
  sourceType: MemorizedItem['sourceType'],
  title: string,
  at: string,
  url?: string,
  itemId = `${sourceType}:${title}`,
): MemorizedItem {
  return { sourceType, itemId, title, at: new Date(at), ...(url !== undefined && { url }) }
}

interface Walk extends ContextOptions {
  readonly config?: Record<string, unknown>
  readonly cursor?: unknown
}

async function walk({ config = { name: 'me' }, cursor, ...options }: Walk) {
  const context = await connectorContext(weekly, config, { clock: () => NOW, ...options })
  const items: SourceItem[] = []
  let last: unknown
  for await (const partition of weekly.partitions(context))
    for await (const change of weekly.changes(partition, cursor, context))
      if (change.type === 'item') items.push(change.item)
      else if (change.type === 'checkpoint') last = change.cursor
  return { items, cursor: last }
}
