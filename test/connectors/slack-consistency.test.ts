import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slack } from '../../connectors/slack/slack.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { movableClock } from '../contract/store-contract.ts'
import { emptyRun, GENERAL, NOON, type OfficeRun, SlackOffice, threadId } from '../kit/slack-office.ts'
import type { WorldMessage } from '../kit/slack-world.ts'
import { startService } from '../kit/start-service.ts'
import { syncEnvironment } from '../kit/sync-environment.ts'

const DAY_MS = 86_400_000

/** What may happen in a channel between two runs. `at` picks a message. */
const happening = fc.oneof(
  fc.record({ kind: fc.constant('post' as const), days: fc.double({ min: 0, max: 13, noNaN: true }) }),
  fc.record({ kind: fc.constantFrom('reply', 'edit', 'delete', 'delete reply'), at: fc.nat() }),
  fc.record({ kind: fc.constantFrom('limit', 'limit in threads'), after: fc.nat(4) }),
  fc.record({ kind: fc.constant('run' as const) }),
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

test('what was read of Slack piece by piece is what is there, whatever happens in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
      await using office = await SlackOffice.open({ mostMessages: 5 })
      const held = emptyRun()
      for (const [number, what] of happenings.entries()) {
        if (what.kind === 'run') await tryRun(office, held)
        else happen(office, what, number)
      }
      await runToTheEnd(office, held)
      office.cursors.clear()
      expect(revisions(held)).toEqual(revisions(await runToTheEnd(office, emptyRun())))
    }),
    { numRuns: 60 },
  )
})

test('the memory holds what Slack holds, through limits, edits, deletions and a channel that is left', async () => {
  await using service = await startService({ work: false })
  const clock = movableClock(NOON.getTime())
  await using office = await SlackOffice.open({ isStrict: true })
  const { world, server } = office
  const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
  const sleep = async (ms: number) => {
    clock.advance(ms)
    office.now = clock()
  }
  const environment = syncEnvironment({ ledger: service.store.ledger('memory'), memory, clock, sleep })
  const config = slack.manifest.config.parse({ name: 'office', token: server.token, api_url: server.url })
  const run = () => syncConnection({ connector: slack, config }, environment, { signal: new AbortController().signal })
  const held = async () => {
    const { files } = await memory.list({ sourceType: 'slack' })
    const texts = files.map(async ({ item_id: itemId }) => {
      const { body } = await memory.download({ itemId, sourceType: 'slack' })
      return [itemId, Buffer.from(body).toString()] as const
    })
    return new Map(await Promise.all(texts))
  }

  for (let at = 0; at < 40; at += 1) office.post(`Message ${at}`, 40 - at)
  const root = office.post('Root', 3)
  office.reply(root, 'First reply', 3)
  world.addChannel('C0LEFT', 'left')
  world.post('C0LEFT', { user: 'U0BOB', text: 'Of no concern any more', at: office.ago(2) })
  server.fault('conversations.history', { kind: 'limited', retryAfter: 4000 }, 1)
  const limited = await run()
  expect(limited).toMatchObject({ outcome: 'waiting', next_attempt_at: expect.any(String) })
  await sleep(4_000_000)
  expect(await run()).toMatchObject({ outcome: 'ok' })
  expect((await held()).size).toBe(42)

  await sleep(DAY_MS)
  office.reply(root, 'Second reply', 0.5)
  world.delete(GENERAL, world.channel(GENERAL).messages.find(({ text }) => text === 'Message 38')?.ts ?? '')
  world.channel('C0LEFT').isMember = false
  const report = await run()
  expect(report).toMatchObject({ outcome: 'ok', memorized: 1, removed: 2, failed: 0 })
  const now = await held()
  expect(now.size).toBe(40)
  expect(now.get(threadId(root))).toContain('Second reply')
  expect([...now.values()].join()).not.toContain('Of no concern')

  await sleep(DAY_MS)
  expect(await run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0, requests: 3 })
})

/** @returns whether it came to its end */
async function tryRun(office: SlackOffice, held: OfficeRun): Promise<boolean> {
  try {
    await office.runIn(await office.context(), held)
    return true
  } catch (error) {
    if (error instanceof SourceError && error.limited) return false
    throw error
  } finally {
    office.pass(0.01)
  }
}

async function runToTheEnd(office: SlackOffice, held: OfficeRun): Promise<OfficeRun> {
  let isDone = false
  while (!isDone) isDone = await tryRun(office, held)
  return held
}

function happen(office: SlackOffice, what: Exclude<Happening, { kind: 'run' }>, number: number): void {
  const { world, server } = office
  if (what.kind === 'post') office.post(`Message ${number}`, what.days)
  if ('after' in what) {
    const method = what.kind === 'limit' ? 'conversations.history' : 'conversations.replies'
    server.fault(method, { kind: 'limited', retryAfter: 60 }, what.after)
  }
  if (!('at' in what)) return
  const { messages } = world.channel(GENERAL)
  const message = pick(messages, what.at)
  if (message === undefined || message.subtype !== undefined) return
  if (what.kind === 'reply') office.reply(message.ts, `Reply ${number}`)
  if (what.kind === 'edit') world.edit(GENERAL, message.ts, `Edited ${number}`, office.now)
  if (what.kind === 'delete') world.delete(GENERAL, message.ts)
  const reply = pick(message.replies, what.at)
  if (what.kind === 'delete reply' && reply !== undefined) world.delete(GENERAL, reply.ts)
}

function revisions({ items }: OfficeRun): Map<string, string> {
  return new Map([...items].map(([id, { revision }]) => [id, revision]))
}

function pick(messages: readonly WorldMessage[], at: number): WorldMessage | undefined {
  return messages.length === 0 ? undefined : messages[at % messages.length]
}
