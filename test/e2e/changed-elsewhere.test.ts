import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { recallResult } from '../../src/domain/results.ts'
import { httpCall } from '../lib/http-call.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recalld, startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const server = await postgresServer()
const ROUNDS = 3
const KEY = z.object({ key: z.string() })
const FILES = z.object({ files: z.array(z.object({ item_id: z.string(), status: z.string() })) })
const chat = (name: string, text: string) =>
  `${name} [2026-03-02 09:00]: ${text}\nOle Lind [2026-03-02 09:02]: Thanks, that helps.\n`

type Engine = 'sqlite' | 'postgres'

/** Changes are made at one address and read at the other: with PostgreSQL of another process, with SQLite of the same. */
async function twoAddresses(engine: Engine) {
  const database: Record<string, string> =
    engine === 'postgres' ? { RECALLD_DATABASE_URL: await server.emptyDatabase() } : {}
  const up = async () => {
    const env = { RECALLD_HOME: temporaryFolder(), RECALLD_LOG_LEVEL: 'warn', ...database }
    const service = await startRecalld(env)
    onTestFinished(async () => void (await service.stop('SIGKILL')))
    return { env, service }
  }
  const here = await up()
  const there = engine === 'postgres' ? await up() : here
  const key = /rk_[\w-]+/.exec(here.service.greeting)?.[0] ?? ''
  const fields = (form: Readonly<Record<string, string>>) => ({ key, form: Object.entries(form) })
  return {
    command: async (...words: string[]) => {
      const { code, stdout, stderr } = await recalld([...words, '--json'], here.env)
      expect(code, stderr).toBe(0)
      return stdout
    },
    async upload(itemId: string, text: string) {
      const file = new File([text], 'note.txt', { type: 'text/plain' })
      const form = Object.entries({ user_name: 'Ole Lind', source_type: 'slack', item_id: itemId })
      const all = [['file', file] as const, ...form]
      const answer = await httpCall(`${here.service.address}/v1/memorize`, { method: 'POST', key, form: all })
      expect(answer.status).toBe(200)
      await until(async () => {
        const { body } = await httpCall(`${there.service.address}/v1/files/list?source_type=slack`, { key })
        return FILES.parse(body).files.some(({ item_id, status }) => item_id === itemId && status === 'ready')
      })
    },
    change: async (method: string, path: string, form: Readonly<Record<string, string>> = {}) => {
      const sent = Object.keys(form).length > 0 ? fields(form) : { key }
      const answer = await httpCall(`${here.service.address}${path}`, { method, ...sent })
      expect(answer.status, answer.text).toBe(200)
    },
    recall: async (form: Readonly<Record<string, string>> = {}) => {
      const asked = fields({ text: 'offsite', ...form })
      const answer = await httpCall(`${there.service.address}/v1/memories/recall`, { method: 'POST', ...asked })
      expect(answer.status, answer.text).toBe(200)
      return recallResult.parse(answer.body).memories
    },
    statusWith: async (otherKey: string) =>
      (await httpCall(`${there.service.address}/v1/memories/recent`, { key: otherKey })).status,
  }
}

test.each<Engine>(['sqlite', 'postgres'])(
  'on %s, a changed tag, pin, name, item or key shows in the very next request to a process that has just read the old one',
  async (engine) => {
    const { command, upload, change, recall, statusWith } = await twoAddresses(engine)
    await upload('full', chat('Priya Raman', "I'll send the budget for the offsite on Friday."))
    await upload('first', chat('Priya', "I'll book the bus to the offsite next week."))
    const idsOf = async (form: Readonly<Record<string, string>>) =>
      [...new Set((await recall(form)).map(({ item_id }) => item_id))].sort()
    const pins = async () => (await recall()).filter(({ content }) => content.pin !== undefined).length

    for (let round = 0; round < ROUNDS; round++) {
      expect(await idsOf({ tag: 'trip' })).toEqual([])
      await change('POST', '/v1/files/slack/first/tags', { add: 'Trip' })
      expect(await idsOf({ tag: 'trip' })).toEqual(['first'])
      await change('POST', '/v1/files/slack/first/tags', { remove: 'Trip' })

      expect(await pins()).toBe(0)
      await change('PUT', '/v1/memories/full_memory_0/pin')
      expect(await pins()).toBe(1)
      await change('DELETE', '/v1/memories/full_memory_0/pin')

      expect(await idsOf({ person: 'Priya Raman' })).toEqual(['full'])
      await change('PUT', '/v1/memories/people/Priya/merge?into=Priya%20Raman')
      expect(await idsOf({ person: 'Priya Raman' })).toEqual(['first', 'full'])
      await change('DELETE', '/v1/memories/people/Priya/decision')
    }

    expect(await idsOf({})).toEqual(['first', 'full'])
    await change('DELETE', '/v1/files/slack/first')
    expect(await idsOf({})).toEqual(['full'])

    const made = KEY.parse(JSON.parse(await command('keys', 'create', '--name', 'agent')))
    expect(await statusWith(made.key)).toBe(200)
    const renewed = KEY.parse(JSON.parse(await command('keys', 'regenerate', 'agent')))
    expect([await statusWith(made.key), await statusWith(renewed.key)]).toEqual([401, 200])
    await command('keys', 'delete', 'agent')
    expect(await statusWith(renewed.key)).toBe(401)
  },
)
