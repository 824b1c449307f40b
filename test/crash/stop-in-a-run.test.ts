import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { FakeSlack } from '../fakes/slack/fake-slack.ts'
import { slackServer } from '../fakes/slack/slack-server.ts'
import { httpCall } from '../lib/http-call.ts'
import { recalld, startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const HISTORY = 'conversations.history'
const DAYS = 24
/** Three pages of Slack in all. */
const MESSAGES_A_DAY = 25
const DAY_MS = 86_400_000
const FILES = z.object({ total: z.number() })
const STATUS = z.object({ connections: z.array(z.object({ state: z.string(), items: z.number() })) })

test('a service that is stopped while a source keeps it waiting ends, and goes on from its last checkpoint', async () => {
  const fake = new FakeSlack()
  const ada = fake.addUser('U0ADA', 'Ada Lovelace')
  const channel = fake.addChannel('C0GENERAL', 'general')
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (let n = 0; n < DAYS * MESSAGES_A_DAY; n++) {
    const at = new Date(midnight - (n + 1) * (DAY_MS / MESSAGES_A_DAY))
    fake.post(channel, { user: ada, text: `The tide ${n} was high.`, at })
  }
  await using slack = await slackServer(fake)
  const home = temporaryFolder()
  const connection = { name: 'acme', token: slack.token, api_url: slack.url, schedule: '* * * * * *' }
  writeFileSync(join(home, 'config.yaml'), `connectors: ${JSON.stringify({ slack: [connection] })}\n`)
  const env = { RECALLD_HOME: home, RECALLD_LOG_LEVEL: 'warn' }
  const up = async () => {
    const service = await startRecalld(env)
    onTestFinished(async () => void (await service.stop('SIGKILL')))
    return service
  }

  // The answer with the third page begins and never ends.
  slack.fault(HISTORY, { kind: 'hang' }, 2)
  const stopped = await up()
  const key = /rk_[\w-]+/.exec(stopped.greeting)?.[0]
  await until(async () => slack.count(HISTORY) === 3)
  // Ten seconds after the signal it would end by force, with 1.
  expect(await stopped.stop()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('"level":') })
  const [left] = STATUS.parse(JSON.parse((await recalld(['status', '--json'], env)).stdout)).connections
  expect(left).toMatchObject({ state: 'incomplete' })
  expect(left?.items).toBeGreaterThan(10)

  slack.log.length = 0
  const service = await up()
  await until(async () => {
    const { body } = await httpCall(`${service.address}/v1/files/list?source_type=slack`, { key })
    return FILES.parse(body).total === DAYS
  })
  // The first page of a full scan has no end: this one resumes below what was read.
  expect(slack.log.find(({ method }) => method === HISTORY)?.params).toHaveProperty('latest')
  expect(await service.stop()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('"level":') })
})
