import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Connection, RemoveAnswer, Sources } from '../../src/http/app/schemas/sources.ts'
import { type AppService, startAppService } from '../lib/app/app-service.ts'
import { newVisitor, PASSWORD, type Visitor } from '../lib/app-visit.ts'
import { endLeases } from '../lib/end-leases.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'
import { type CrashEngine, crashDatabase } from './crash-database.ts'

const LOST = 'technical_docs/lost'
const KEPT = 'technical_docs/kept'
/** Enough that a kill after 20 comes in the middle; a server takes longer for each. */
const LOST_COUNT = { sqlite: 60, postgres: 45 } as const
const KEPT_COUNT = 5
/** What was written just now is left alone for a while. */
const LONG_AGO = new Date('2026-01-15T12:00:00Z')

function folderOf(name: string, count: number): string {
  const folder = join(temporaryFolder(), name)
  mkdirSync(folder)
  for (let n = 0; n < count; n++) {
    const file = join(folder, `note-${n}.md`)
    writeFileSync(file, `# Note ${n}\n\nThe lamp of room ${n} is ${name}.\n`)
    utimesSync(file, LONG_AGO, LONG_AGO)
  }
  return folder
}

async function listed(ada: Visitor, id: string): Promise<Connection | undefined> {
  return (await ada.get<Sources>('/sources')).connections.find((one) => one.id === id)
}

async function connect(ada: Visitor, name: string, count: number): Promise<void> {
  const settings = { paths: [folderOf(name, count)] }
  await ada.send('POST', '/sources', { connector: 'technical_docs', name, settings })
  await until(async () => {
    const one = await listed(ada, `technical_docs/${name}`)
    return one?.items === count && !one.running
  })
}

async function up(env: Readonly<Record<string, string>>): Promise<AppService> {
  const service = await startAppService({ env })
  onTestFinished(() => service.stop('SIGKILL'))
  return service
}

async function filesOf({ memory }: AppService): Promise<number> {
  return (await memory.list({ sourceType: 'technical_docs', limit: 1_000 })).files.length
}

/** When its entry has left config.yaml, or when so many of its items are gone. */
async function killedWhileForgetting(engine: CrashEngine, leastGone: number) {
  const count = LOST_COUNT[engine]
  const { address, settled } = await crashDatabase(engine)
  const home = join(temporaryFolder(), 'home')
  const env = { RECALLD_HOME: home, ...(engine === 'postgres' && { RECALLD_DATABASE_URL: address }) }
  const config = join(home, 'config.yaml')
  const killed = await up(env)
  const ada = newVisitor(killed.address)
  await ada.session()
  const token = new URL(killed.firstLink).hash.slice(1)
  await ada.send('POST', '/sign-in/link', { token, name: 'Ada', login: 'ada', password: PASSWORD })
  await ada.session()
  await connect(ada, 'kept', KEPT_COUNT)
  await connect(ada, 'lost', count)

  const removal = ada.call(`/sources/${LOST}?forget=true`, { method: 'DELETE' }).catch(() => 'killed')
  await until(async () => !readFileSync(config, 'utf8').includes('name: lost'))
  await until(async () => (await filesOf(killed)) <= count + KEPT_COUNT - leastGone)
  await killed.stop('SIGKILL')
  expect(await removal).toBe('killed')
  await settled()
  if (engine === 'postgres') await endLeases(address)
  return env
}

async function expectForgottenAgain(env: Readonly<Record<'RECALLD_HOME', string>>): Promise<void> {
  const service = await up(env)
  const again = newVisitor(service.address)
  await again.session()
  await again.send('POST', '/sign-in/password', { login: 'ada', password: PASSWORD })
  await again.session()
  await until(async () => (await listed(again, LOST))?.running === false)
  const left = await listed(again, LOST)
  expect(left).toMatchObject({ state: 'not configured', running: false })
  const { forgotten } = await again.send<RemoveAnswer>('DELETE', `/sources/${LOST}?forget=true`)
  expect(forgotten).toBeLessThanOrEqual(left?.items ?? 0)
  expect(await listed(again, LOST)).toBeUndefined()
  expect(await filesOf(service)).toBe(KEPT_COUNT)
  expect(await listed(again, KEPT)).toMatchObject({ state: 'healthy', items: KEPT_COUNT })
  expect(existsSync(join(env.RECALLD_HOME, 'config.yaml.backup'))).toBe(true)
  await service.stop()
}

test.each([
  ['postgres', 20],
  ['sqlite', 0],
  ['sqlite', 20],
] as const)(
  'a source whose forgetting is killed on %s when %i items are gone is forgotten by doing it again, and no other',
  async (engine, leastGone) => {
    await expectForgottenAgain(await killedWhileForgetting(engine, leastGone))
  },
)
