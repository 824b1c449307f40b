import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { fit } from '../../../connectors/google/fit.ts'
import { fitCursor } from '../../../connectors/google/fit-changes.ts'
import { dayRef, exerciseRef } from '../../../connectors/google/fit-item.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GoogleHealth } from '../../fakes/google/google-health.ts'
import { TakeoutArchives } from '../../fakes/google/takeout-archives.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { connectorWalk, type Told, textOf } from '../../lib/connector-walk.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const clock = () => NOW
/** Fewer requests than for the standard 90 days. */
const SINCE = '2026-10-25'
const dayId = (day: string) => dayRef('health:1001', day).itemId
const exerciseId = (id: string, day: string) => exerciseRef('health:1001', { id, day }).itemId

describeConnectorContract('Google Health', async () => {
  const fake = await GoogleHealth.open()
  for (const day of ['2026-10-20', '2026-11-18', '2026-11-19']) {
    fake.measure(day, 'steps', { countSum: '8532' })
  }
  fake.exercise('run-1', '2026-11-18', 'Running')
  fake.sleep('2026-11-19', 432)
  return {
    connector: fit,
    config: { ...fake.config, since: '2026-10-20' },
    options: { clock },
    async add() {
      fake.exercise('run-2', '2026-11-20', 'Running')
      return exerciseId('run-2', '2026-11-20')
    },
    async edit() {
      fake.measure('2026-11-18', 'steps', { countSum: '9001' })
      return dayId('2026-11-18')
    },
    async remove() {
      fake.sessions.splice(0, 1)
      return exerciseId('run-1', '2026-11-18')
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})

describe('Google Health', () => {
  test('tells a day in numbers, with the sleep that ended on it', async () => {
    await using fake = await GoogleHealth.open()
    const day = '2026-11-19'
    fake.measure(day, 'steps', { countSum: '8532' })
    fake.measure(day, 'distance', { millimetersSum: '6400000' })
    fake.measure(day, 'total-calories', { kcalSum: 2100.4 })
    fake.measure(day, 'active-zone-minutes', { sumInFatBurnHeartZone: '20', sumInPeakHeartZone: '4' })
    fake.measure(day, 'heart-rate', { beatsPerMinuteAvg: 71.2, beatsPerMinuteMin: 48, beatsPerMinuteMax: 132 })
    fake.measure(day, 'weight', { weightGramsAvg: 71_240 })
    fake.sleep(day, 432)
    const { items } = await connectorWalk(fit, { ...fake.config, since: SINCE }, { clock })
    expect([...items.keys()]).toEqual([dayId(day)])
    expect(await textOf(items.get(dayId(day)))).toBe(
      `My day 2026-11-19 in numbers:

- Steps: 8532
- Distance: 6.40 km
- Energy: 2100 kcal
- Active zone minutes: 24
- Heart rate: 48 to 132 bpm, 71 on average
- Weight: 71.2 kg
- Asleep: 7 h 12 min (00:15 to 07:00)
`,
    )
  })

  test('tells an exercise', async () => {
    await using fake = await GoogleHealth.open()
    fake.exercise('run-1', '2026-11-18', 'Running', {
      activeDuration: '2340s',
      notes: 'Along the river',
      metricsSummary: { distanceMillimeters: 7_250_000, caloriesKcal: 512.3, averageHeartRateBeatsPerMinute: '143' },
    })
    const { items } = await connectorWalk(fit, { ...fake.config, since: SINCE }, { clock })
    const item = items.get(exerciseId('run-1', '2026-11-18'))
    expect(item).toMatchObject({ title: 'Running on 2026-11-18', createdAt: new Date('2026-11-18T06:00:00Z') })
    expect(await textOf(item)).toBe(
      'Running on 2026-11-18:\n\n- Time: 07:00 to 07:40\n- Active for 39 minutes\n- Distance: 7.25 km\n- Energy: 512 kcal\n- Heart rate: 143 bpm on average\n\nAlong the river\n',
    )
  })

  test('reads from the day that since names, in fortnights, and goes on where it was cut short', async () => {
    await using fake = await GoogleHealth.open()
    for (const day of ['2026-10-01', '2026-10-18', '2026-10-28', '2026-11-20'])
      fake.measure(day, 'steps', { countSum: '1' })
    const config = { ...fake.config, since: '2026-10-01' }
    const connector: Connector = fit
    const context = await connectorContext(connector, config, { clock })
    const whole = await connectorWalk(fit, config, { clock })
    expect([...whole.items.keys()]).toHaveLength(4)
    const partition = { id: 'health', title: '' }
    for await (const change of connector.changes(partition, undefined, context)) {
      if (change.type !== 'checkpoint' || fitCursor.parse(change.cursor).next < '2026-10-29') continue
      const days: string[] = []
      for await (const later of connector.changes(partition, change.cursor, context)) {
        if (later.type === 'item') days.push(later.item.itemId)
        expect(later.type).not.toBe('gone')
      }
      expect(days).toEqual(['2026-10-28', '2026-11-20'].map(dayId))
      break
    }
  })

  test('reads the last seven days again at each run, and takes back what is there no more', async () => {
    await using fake = await GoogleHealth.open()
    for (const day of ['2026-10-26', '2026-11-15', '2026-11-16']) fake.measure(day, 'steps', { countSum: '1' })
    fake.exercise('run-1', '2026-11-16', 'Running')
    const first = await connectorWalk(fit, { ...fake.config, since: SINCE }, { clock })
    fake.measure('2026-11-15', 'steps', { countSum: '2' })
    fake.days.delete('2026-11-16')
    fake.sessions.splice(0)
    const second = await connectorWalk(fit, { ...fake.config, since: SINCE }, { clock, after: first })
    expect([...second.items.keys()]).toEqual([dayId('2026-11-15')])
    expect(second.gone).toContain(dayId('2026-11-16'))
    expect(second.gone).toContain(exerciseId('run-1', '2026-11-16'))
    expect(second.gone).not.toContain(dayId('2026-10-26'))
  })

  test('keeps an exercise whose beginning was put right to another day', async () => {
    await using fake = await GoogleHealth.open()
    fake.exercise('run-1', '2026-11-16', 'Running')
    const first = await connectorWalk(fit, { ...fake.config, since: SINCE }, { clock })
    fake.sessions.splice(0)
    fake.exercise('run-1', '2026-11-15', 'Running')
    const second = await connectorWalk(fit, { ...fake.config, since: SINCE }, { clock, after: first })
    expect(second.items.get(exerciseId('run-1', '2026-11-15'))?.title).toBe('Running on 2026-11-15')
    expect(second.gone).not.toContain(exerciseId('run-1', '2026-11-15'))
  })

  test('takes back what was told by a run that ended early and is gone when it is read again', async () => {
    await using fake = await GoogleHealth.open()
    fake.exercise('run-1', '2026-11-16', 'Running')
    const connector: Connector = fit
    const context = await connectorContext(connector, { ...fake.config, since: SINCE }, { clock })
    const partition = { id: 'health', title: '' }
    let cursor: unknown
    for await (const change of connector.changes(partition, undefined, context)) {
      if (change.type === 'checkpoint') cursor = change.cursor
      if (change.type === 'item') break
    }
    fake.sessions.splice(0)
    const gone: string[] = []
    for await (const change of connector.changes(partition, cursor, context)) {
      if (change.type === 'gone') gone.push(change.ref.itemId)
    }
    expect(gone).toContain(exerciseId('run-1', '2026-11-16'))
  })

  test('asks for nothing that is not included', async () => {
    await using fake = await GoogleHealth.open()
    fake.measure('2026-11-19', 'weight', { weightGramsAvg: 70_000 })
    const config = { ...fake.config, include: ['sleep'] }
    await connectorWalk(fit, config, { clock })
    expect(fake.server.log.filter((line) => /dataTypes/.test(line)).every((line) => line.includes('/sleep/'))).toBe(
      true,
    )
    expect(fit.manifest.grant?.scopes(fit.manifest.config.parse(config))).toEqual([
      'https://www.googleapis.com/auth/googlehealth.sleep.readonly',
    ])
  })

  test('goes on when one kind of data is not known, and stops when steps are refused', async () => {
    await using fake = await GoogleHealth.open()
    fake.measure('2026-11-19', 'steps', { countSum: '1' })
    fake.server.faults.push({ path: /floors/, status: 400, reason: 'INVALID_ARGUMENT', times: 100 })
    expect((await connectorWalk(fit, { ...fake.config, since: SINCE }, { clock })).items.size).toBe(1)
    fake.server.faults.push({ path: /steps/, status: 400, reason: 'INVALID_ARGUMENT' })
    await expect(connectorWalk(fit, { ...fake.config, since: SINCE }, { clock })).rejects.toMatchObject({
      remedy: 'skip',
    })
  })
})

describe('the Fit API', () => {
  test('tells the same days for accounts that still have it', async () => {
    await using fake = await GoogleHealth.open()
    fake.measure('2026-11-19', 'steps', { countSum: '8532' })
    const config = { ...fake.config, api: 'fit-rest', since: SINCE }
    const first = await connectorWalk(fit, config, { clock })
    const [item] = first.items.values()
    expect(item?.itemId).toBe(dayRef('connection:me', '2026-11-19').itemId)
    expect(await textOf(item)).toBe('My day 2026-11-19 in numbers:\n\n- Steps: 8532\n')
    fake.days.clear()
    expect((await connectorWalk(fit, config, { clock, after: first })).gone).toEqual([item?.itemId])
    expect(fit.manifest.grant?.scopes(fit.manifest.config.parse(config))).toContain(
      'https://www.googleapis.com/auth/fitness.activity.read',
    )
  })
})

describe('days of Google Fit', () => {
  const walk = (exports: TakeoutArchives, after?: Told) =>
    connectorWalk(
      fit,
      { name: 'me', api: 'takeout', takeout: exports.folder },
      { clock: () => exports.now, ...(after && { after }) },
    )
  const TABLE = 'Takeout/Fit/Daily activity metrics/Daily activity metrics.csv'

  test('come from the table of all days', async () => {
    const exports = new TakeoutArchives()
    await exports.zip('takeout-1.zip', {
      [TABLE]:
        'Date,Move Minutes count,Distance (m),Low latitude (deg),Step count,Walking duration (ms)\n2024-05-01,34,5120.456,52.5,7003,3600000\n2024-05-02,,,,,\n',
    })
    const { items } = await walk(exports)
    expect(await textOf([...items.values()][0])).toBe(
      'My day 2024-05-01 in numbers:\n\n- Move Minutes count: 34\n- Distance (m): 5120.46\n- Step count: 7003\n- Walking duration: 60 minutes\n',
    )
    expect(items.size).toBe(1)
  })

  test('come from exports of Health Connect, where several apps tell the same', async () => {
    const exports = new TakeoutArchives()
    await exports.zip('Health Connect.zip', { 'health_connect_export.db': healthConnect() })
    const { items } = await walk(exports)
    expect(await Promise.all([...items.values()].map(textOf))).toEqual([
      'My day 2026-05-02 in numbers:\n\n- Weight: 72.4 kg\n- Sleep: 7 h 30 min\n',
      'My day 2026-05-01 in numbers:\n\n- Steps: 900\n- Energy: 2100 kcal\n',
    ])
  })

  test('are left out when the database is none, with the reason', async () => {
    const exports = new TakeoutArchives()
    await exports.zip('Health Connect.zip', { 'health_connect_export.db': 'no database' })
    const { items, failed } = await walk(exports)
    expect({ items: items.size, failed }).toEqual({
      items: 0,
      failed: [expect.stringContaining('health_connect_export.db')],
    })
  })

  test('come from the tables of single days where there is no other, and from the latest export', async () => {
    const exports = new TakeoutArchives()
    const quarter = (steps: number) =>
      `Start time,End time,Step count,Average speed (m/s)\n08:00,08:15,${steps},1.2\n08:15,08:30,50,1.1\n`
    const path = 'Takeout/Fit/Daily activity metrics/2024-05-03.csv'
    await exports.zip('takeout-1.zip', { [path]: quarter(10) })
    const first = await walk(exports)
    await exports.tgz('takeout-2.tgz', { [path]: quarter(100) })
    const [item] = (await walk(exports, first)).items.values()
    expect(await textOf(item)).toBe('My day 2024-05-03 in numbers:\n\n- Step count: 150\n')
  })
})

/** As Android writes it: times in milliseconds, offsets in seconds; two apps count the same steps. */
function healthConnect(): Uint8Array {
  const path = join(temporaryFolder(), 'export.db')
  const database = new DatabaseSync(path)
  const interval =
    'start_time integer, start_zone_offset integer, end_time integer, end_zone_offset integer, app_info_id integer'
  database.exec(`
    create table steps_record_table (${interval}, count integer);
    create table total_calories_burned_record_table (${interval}, energy real);
    create table sleep_session_record_table (${interval});
    create table weight_record_table (time integer, zone_offset integer, app_info_id integer, weight real);
    create table distance_record_table (odd integer);
  `)
  const at = (text: string) => Date.parse(text)
  const steps = database.prepare('insert into steps_record_table values (?, 7200, ?, 7200, ?, ?)')
  // Half an hour after midnight in Berlin: a day earlier in UTC.
  steps.run(at('2026-04-30T22:30:00Z'), at('2026-04-30T22:40:00Z'), 1, 400)
  steps.run(at('2026-05-01T10:00:00Z'), at('2026-05-01T10:10:00Z'), 1, 500)
  steps.run(at('2026-05-01T10:00:00Z'), at('2026-05-01T10:10:00Z'), 2, 480)
  const night = database.prepare('insert into sleep_session_record_table values (?, 7200, ?, 7200, 1)')
  night.run(at('2026-05-01T21:30:00Z'), at('2026-05-02T03:00:00Z'))
  night.run(at('2026-05-02T02:00:00Z'), at('2026-05-02T05:00:00Z'))
  database
    .prepare('insert into total_calories_burned_record_table values (?, 7200, ?, 7200, 1, 2100000)')
    .run(at('2026-05-01T08:00:00Z'), at('2026-05-01T20:00:00Z'))
  database.prepare('insert into weight_record_table values (?, 7200, 1, 72400)').run(at('2026-05-02T06:00:00Z'))
  database.close()
  return readFileSync(path)
}
