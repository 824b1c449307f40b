import { randomBytes } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { FIRST_PERSON } from '../lib/app/sign-in-to.ts'
import { endLeases } from '../lib/end-leases.ts'
import { type Answer, httpCall } from '../lib/http-call.ts'
import { httpHost } from '../lib/mcp-host.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recalld, type ServiceProcess, startRecalld } from '../lib/recalld-process.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const server = await postgresServer()
/** A database without rows, and processes that share nothing else but a key; each has a home of its own, as on another machine. */
async function machines(config = '', database = server.clearedDatabase) {
  const url = await database()
  const keyFile = join(temporaryFolder(), 'shared.key')
  writeFileSync(keyFile, randomBytes(32), { mode: 0o600 })
  const envOf = (roles: string) => {
    const home = temporaryFolder()
    if (config !== '') writeFileSync(join(home, 'config.yaml'), config)
    return {
      RECALLD_HOME: home,
      RECALLD_DATABASE_URL: url,
      RECALLD_DATABASE_CONNECTIONS: '4',
      RECALLD_SECRET_KEY_FILE: keyFile,
      RECALLD_ROLES: roles,
      RECALLD_LOG_LEVEL: 'warn',
    }
  }
  return {
    envOf,
    async up(roles: string): Promise<ServiceProcess> {
      const started = await startRecalld(envOf(roles))
      onTestFinished(async () => void (await started.stop('SIGKILL')))
      return started
    },
    /** When nobody who lives holds one. */
    endLeases: () => endLeases(url),
    /** As one more process that looks. */
    async store(): Promise<Store> {
      const store = await openPostgresStore({ url, mostConnections: 2, log: recordingLog().log })
      onTestFinished(() => store.close())
      return store
    },
  }
}

const keyIn = ({ greeting }: ServiceProcess) => /rk_[\w-]+/.exec(greeting)?.[0]
const linkIn = ({ greeting }: ServiceProcess) => /\S+\/welcome#\S+/.exec(greeting)?.[0]

async function upload({ address }: ServiceProcess, key: string, itemId: string, text: string): Promise<void> {
  const file = new File([text], 'note.txt', { type: 'text/plain' })
  const form = [['file', file] as const, ['user_name', 'Ada'] as const, ['item_id', itemId] as const]
  const answer = await httpCall(`${address}/v1/memorize`, { method: 'POST', key, form })
  if (answer.status !== 200) throw new Error(answer.text)
}

const FILES = z.object({
  files: z.array(z.object({ item_id: z.string(), status: z.string(), memory_count: z.number() })),
})

async function files({ address }: ServiceProcess, key: string, source = 'text') {
  const answer = await httpCall(`${address}/v1/files/list?source_type=${source}&limit=1000`, { key })
  return FILES.parse(answer.body).files
}

async function recalled({ address }: ServiceProcess, key: string, question: string): Promise<string> {
  const answer = await httpCall(`${address}/v1/memories/recall`, { method: 'POST', key, form: [['text', question]] })
  return answer.text
}

/** What a browser keeps of a server. */
async function signUp(service: ServiceProcess, link: string): Promise<string> {
  const api = `${service.address}/app/api`
  const session = await httpCall(`${api}/session`)
  const cookies = new Map<string, string>()
  const keep = ({ headers }: Answer) => {
    for (const set of headers.getSetCookie()) cookies.set(set.split('=')[0] ?? '', set.split(';')[0] ?? '')
    return [...cookies.values()].join('; ')
  }
  const cookie = keep(session)
  const token = new URL(link).hash.slice(1)
  const { password, login, name } = FIRST_PERSON
  const answer = await httpCall(`${api}/sign-in/link`, {
    method: 'POST',
    headers: {
      cookie,
      'content-type': 'application/json',
      'x-csrf-token': String(session.body.csrf_token),
      origin: service.address,
    },
    body: JSON.stringify({ token, name, login, password }),
  })
  if (answer.status >= 300) throw new Error(answer.text)
  return keep(answer)
}

/** Everything that a page hears. */
async function eventsOf({ address }: ServiceProcess, cookie: string): Promise<() => string> {
  let heard = ''
  const request = get(`${address}/app/api/events`, { headers: { cookie }, agent: false })
  onTestFinished(() => void request.destroy())
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  if (response.statusCode !== 200) throw new Error(`events: ${response.statusCode}`)
  response.on('data', (data) => {
    heard += String(data)
  })
  response.on('error', () => undefined)
  request.on('error', () => undefined)
  return () => heard
}

test('processes that start together on an empty database make one account, and one of them shows its key', async () => {
  const { up, store } = await machines('', server.emptyDatabase)
  const started = await Promise.all(['api', 'api', 'worker', 'scheduler'].map(up))
  expect(started.map(keyIn).filter((key) => key !== undefined)).toHaveLength(1)
  expect(started.map(linkIn).filter((link) => link !== undefined)).toHaveLength(1)
  expect(await (await store()).admin.listAccounts()).toHaveLength(1)
  const ends = await Promise.all(started.map((process) => process.stop()))
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0])
})

test('what one API takes another one shows, made by a worker, to agents by a process of their own, and to pages at once', async () => {
  const { up, envOf } = await machines()
  const one = await up('api')
  const [two, , agents] = await Promise.all(['api', 'worker', 'mcp'].map(up))
  const key = keyIn(one) ?? ''
  if (two === undefined || agents === undefined) throw new Error('four processes')
  const cookie = await signUp(one, linkIn(one) ?? '')
  // A session that one began the other one knows, because both have the same secret key.
  const heard = await eventsOf(two, cookie)
  await upload(one, key, 'anchor', 'The harbour master keeps the spare anchor in the boathouse.')
  await until(async () => (await recalled(two, key, 'Where is the spare anchor?')).includes('boathouse'))
  await until(async () => heard().includes('"items"'))

  const host = await httpHost('auto', agents.address, { authorization: `Bearer ${key}` })
  const { content } = await host.call('recall', { query: 'Where is the spare anchor?' })
  expect(content[0]?.text).toContain('boathouse')
  expect((await httpCall(`${agents.address}/v1/files/list?source_type=text`, { key })).status).toBe(404)
  expect((await httpCall(`${agents.address}/v1/health`)).status).toBe(200)

  const env = { ...envOf('api'), RECALLD_URL: two.address, RECALLD_API_KEY: key }
  const accounts = await recalld(['accounts', 'list', '--json'], env)
  expect(JSON.parse(accounts.stdout)).toHaveLength(1)
  expect((await recalld(['status', '--json'], env)).code).toBe(0)
  const doctor = await recalld(['doctor', '--json'], env)
  expect(JSON.parse(doctor.stdout)).toContainEqual(
    expect.objectContaining({ check: 'database', message: expect.stringContaining('pgvector') }),
  )
})

test('what a worker was killed in the middle of, another one goes on with, and nothing is doubled', async () => {
  const { up, endLeases } = await machines()
  const api = await up('api')
  const key = keyIn(api) ?? ''
  const doomed = await up('worker')
  const sentence = (n: number) => `On day ${n} Grace wrote ${n * 7} pages about the lighthouse of harbour ${n}.\n\n`
  const text = Array.from({ length: 1_000 }, (_, n) => sentence(n)).join('')
  await upload(api, key, 'diary', text)
  const diary = async () => (await files(api, key)).find((file) => file.item_id === 'diary')
  await until(async () => (await diary())?.status === 'processing')
  await doomed.stop('SIGKILL')
  expect((await diary())?.status).not.toBe('ready')
  await endLeases()
  const heir = await up('worker')
  await until(async () => (await diary())?.status === 'ready')
  await upload(api, key, 'the-same-again', text)
  const all = async () => files(api, key)
  await until(async () => (await all()).every(({ status }) => status === 'ready'))
  const [first, second] = await all()
  expect(first?.memory_count).toBe(second?.memory_count)
  expect((await heir.stop()).code).toBe(0)
})

test('what a scheduler was killed in the middle of, another one goes on with, and each item is memorized once', async () => {
  const docs = join(temporaryFolder(), 'docs')
  mkdirSync(docs)
  const written = new Date(Date.now() - 3_600_000)
  for (let n = 0; n < 200; n++) {
    const file = join(docs, `note-${n}.md`)
    writeFileSync(file, `Note ${n}: the keeper of lighthouse ${n} paints its door in colour ${n}.\n`)
    utimesSync(file, written, written)
  }
  const connection = { name: 'docs', paths: [docs], schedule: '* * * * * *' }
  const {
    up,
    endLeases,
    store: look,
  } = await machines(`connectors: ${JSON.stringify({ technical_docs: [connection] })}\n`)
  const api = await up('api')
  const key = keyIn(api) ?? ''
  const doomed = await up('scheduler')
  const store = await look()
  const [account] = await store.admin.listAccounts()
  const ledger = store.ledger(`account:${account?.accountId}`)
  const row = async () => (await ledger.listConnections())[0]
  const count = async () => (await files(api, key, 'technical_docs')).length
  await until(async () => (await count()) > 20)
  const before = (await row())?.running?.holder
  await doomed.stop('SIGKILL')
  expect(before).toBeDefined()
  expect(await count()).toBeLessThan(200)

  await endLeases()
  const heirs = await Promise.all([up('scheduler'), up('scheduler')])
  await until(async () => (await row())?.lastSuccessAt !== undefined)
  expect(await count()).toBe(200)
  expect((await ledger.countItems({ connector: 'technical_docs', name: 'docs' })).map(({ count }) => count)).toEqual([
    200,
  ])
  for (const { code } of await Promise.all(heirs.map((heir) => heir.stop()))) expect(code).toBe(0)
})
