import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readCredentials } from '../../src/config/credentials.ts'
import { httpCall } from '../lib/http-call.ts'
import { recalld, type ServiceProcess, startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const STATUS = z.object({
  connections: z.array(
    z.object({ connector: z.string(), name: z.string(), state: z.string(), items: z.number(), schedule: z.string() }),
  ),
})

/** A home whose service reads a folder every second. */
function daemonHome() {
  const home = temporaryFolder()
  const docs = join(temporaryFolder(), 'docs')
  mkdirSync(docs)
  const connection = { name: 'docs', paths: [docs], schedule: '* * * * * *' }
  writeFileSync(join(home, 'config.yaml'), `connectors: ${JSON.stringify({ technical_docs: [connection] })}\n`)
  const env = { RECALLD_HOME: home, RECALLD_LOG_LEVEL: 'warn', RECALLD_RATE_LIMIT_PER_MINUTE: '1000000' }
  let key: string | undefined
  let written = 0

  return {
    env,
    /** As if it had been written a while ago: what was changed a moment ago is left alone at first. */
    write(name: string, text: string) {
      const at = new Date(Date.now() - 3_600_000 + 1_000 * written++)
      writeFileSync(join(docs, name), `${text}\n`)
      utimesSync(join(docs, name), at, at)
    },
    remove: (name: string) => rmSync(join(docs, name)),
    async up(): Promise<ServiceProcess> {
      const service = await startRecalld(env)
      key ??= /rk_[\w-]+/.exec(service.greeting)?.[0]
      onTestFinished(async () => void (await service.stop('SIGKILL')))
      return service
    },
    /** Texts of the memories that a question brings up. */
    async recall(service: ServiceProcess, text: string): Promise<string> {
      const answer = await httpCall(`${service.address}/v1/memories/recall`, {
        method: 'POST',
        key,
        form: [['text', text]],
      })
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.text
    },
    async files(service: ServiceProcess): Promise<{ readonly name: string; readonly ready: boolean }[]> {
      const answer = await httpCall(`${service.address}/v1/files/list?source_type=technical_docs`, { key })
      const { files } = z
        .object({ files: z.array(z.object({ file_name: z.string(), status: z.string() })) })
        .parse(answer.body)
      return files.map(({ file_name: name, status }) => ({ name, ready: status === 'ready' }))
    },
  }
}

test('a running service remembers what comes into a folder, follows its changes and forgets what is deleted', async () => {
  const daemon = daemonHome()
  const service = await daemon.up()
  const recalls = (question: string, words: string) => async () =>
    (await daemon.recall(service, question)).includes(words)

  daemon.write('harbour.md', 'The harbour master keeps the spare anchor in the boathouse.')
  await until(recalls('Where is the spare anchor?', 'boathouse'))

  daemon.write('harbour.md', 'The harbour master keeps the spare anchor under the lighthouse.')
  await until(recalls('Where is the spare anchor?', 'lighthouse'))
  expect(await daemon.recall(service, 'Where is the spare anchor?')).not.toContain('boathouse')

  daemon.write('second.md', 'The ferry leaves at seven from the northern pier.')
  daemon.remove('harbour.md')
  await until(recalls('When does the ferry leave?', 'northern pier'))
  await until(async () => (await daemon.files(service)).length === 1)
  expect(await daemon.recall(service, 'Where is the spare anchor?')).not.toContain('lighthouse')

  const { stdout } = await recalld(['status', '--json'], daemon.env)
  expect(STATUS.parse(JSON.parse(stdout)).connections).toEqual([
    {
      connector: 'technical_docs',
      name: 'docs',
      state: expect.stringMatching(/healthy|running/),
      items: 1,
      schedule: '* * * * * *',
    },
  ])
  expect(await service.stop()).toEqual({ code: 0, signal: null, stderr: expect.not.stringContaining('"level":50') })
})

test('a service that is killed while it reads loses and doubles nothing, and catches up with what it missed', async () => {
  const daemon = daemonHome()
  const names = Array.from({ length: 60 }, (_, index) => `note-${index}.md`)
  for (const name of names) daemon.write(name, `The colour of ${name} is kept in drawer ${name.length}.`)
  const killed = await daemon.up()
  await until(async () => (await daemon.files(killed)).length > 0)
  await killed.stop('SIGKILL')

  daemon.write('missed.md', 'The lamp of the observatory was replaced by a green one.')
  daemon.remove('note-7.md')
  const expected = [...names.filter((name) => name !== 'note-7.md'), 'missed.md'].sort()
  const service = await daemon.up()
  await until(async () => {
    const files = await daemon.files(service)
    return files.length === expected.length && files.every(({ ready }) => ready)
  })
  expect((await daemon.files(service)).map(({ name }) => name).sort()).toEqual(expected)
  expect(await daemon.recall(service, 'lamp of the observatory')).toContain('a green one')
})

describe('a service whose output is a log', () => {
  const parts = new AsyncDisposableStack()
  let service: ServiceProcess
  let socket: string
  let credentials: string
  beforeAll(async () => {
    const home = temporaryFolder((remove) => parts.defer(remove))
    socket = join(home, 'stream.sock')
    credentials = join(home, 'credentials.json')
    const connection = { name: 'notes', socket, schedule: '* * * * * *' }
    writeFileSync(join(home, 'config.yaml'), `connectors: ${JSON.stringify({ stream: [connection] })}\n`)
    service = await startRecalld({ RECALLD_HOME: home }, undefined, { isTerminal: false })
    parts.defer(async () => void (await service.stop('SIGKILL')))
  })
  afterAll(() => parts.disposeAsync())

  test('acknowledges and remembers lines that another program writes into its socket', async () => {
    const key = readCredentials(credentials)?.apiKey
    const answers = connect(socket)
    answers.end(`${JSON.stringify({ id: 'buoy', text: 'The red buoy marks the sandbank off the harbour.' })}\n`)
    expect(JSON.parse(await text(answers))).toMatchObject({ ok: true, id: expect.stringContaining('buoy') })
    await until(async () => {
      const form = [['text', 'What does the red buoy mark?']] as const
      const answer = await httpCall(`${service.address}/v1/memories/recall`, { method: 'POST', key, form: [...form] })
      return answer.text.includes('sandbank')
    })
  })

  test('writes neither the first key nor the link to sign up into it, but where they are', async () => {
    const { stderr } = await service.stop()
    expect(service.greeting + stderr).not.toMatch(/rk_[\w-]+|welcome#/)
    expect(service.greeting).toContain(`Its default key is in ${credentials}.`)
    expect(service.greeting).toContain('recalld people invite --owner')
    expect(readFileSync(credentials, 'utf8')).toMatch(/"api_key": "rk_/)
  })
})
