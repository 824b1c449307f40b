import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderDocument } from '../../../src/connector/document.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import type { FakeMessage } from '../../fakes/slack/fake-slack.ts'
import { bodyOf, emptyRun, GENERAL, type SlackRun, SlackSimulation } from '../../fakes/slack/slack-simulation.ts'
import { SlackSync } from '../../fakes/slack/slack-sync.ts'
import { startService } from '../../lib/start-service.ts'

/** What may happen in a channel between two runs. `at` picks a message. */
const happening = fc.oneof(
  fc.record({ kind: fc.constant('post' as const), days: fc.double({ min: 0, max: 13, noNaN: true }) }),
  fc.record({ kind: fc.constantFrom('reply', 'edit', 'delete', 'delete reply'), at: fc.nat(9) }),
  fc.record({ kind: fc.constantFrom('limit', 'limit in threads'), after: fc.nat(4) }),
  fc.record({ kind: fc.constantFrom('leave or join', 'archive or open') }),
  { arbitrary: fc.record({ kind: fc.constant('run' as const) }), weight: 3 },
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

test('what was read of Slack piece by piece is what is there, whatever happens in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
      await using simulation = await SlackSimulation.open({ mostMessages: 5 })
      const held = emptyRun()
      for (const [number, what] of happenings.entries()) {
        if (what.kind === 'run') await tryRun(simulation, held)
        else happen(simulation, what, number)
      }
      Object.assign(simulation.fake.channel(GENERAL), { isMember: true, isArchived: false })
      await runToTheEnd(simulation, held)
      simulation.cursors.clear()
      expect(revisions(held)).toEqual(revisions(await runToTheEnd(simulation, emptyRun())))
    }),
    { numRuns: 60 },
  )
})

test('what the memory holds of Slack is what is there, whatever happens in between', async () => {
  await using service = await startService({ work: false })
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 30 }), async (happenings) => {
      await using sync = await SlackSync.open(service, { mostMessages: 5 })
      for (const [number, what] of happenings.entries()) {
        if (what.kind === 'run') await sync.run()
        else happen(sync.simulation, what, number)
        sync.pass(0.01)
      }
      Object.assign(sync.simulation.fake.channel(GENERAL), { isMember: true, isArchived: false })
      for (let outcome = ''; outcome !== 'ok'; sync.pass(0.01)) outcome = (await sync.run()).outcome
      sync.simulation.cursors.clear()
      const { items } = await runToTheEnd(sync.simulation, emptyRun())
      const told = new Map<string, string>()
      for (const [id, item] of items)
        told.set(id, Buffer.from(renderDocument(item, await bodyOf(item)).bytes).toString())
      expect(await sync.held()).toEqual(told)
    }),
    { numRuns: 30 },
  )
})

/** @returns whether it came to its end */
async function tryRun(simulation: SlackSimulation, held: SlackRun): Promise<boolean> {
  try {
    await simulation.runIn(await simulation.context(), held)
    return true
  } catch (error) {
    if (error instanceof SourceError && error.limited) return false
    throw error
  } finally {
    simulation.pass(0.01)
  }
}

async function runToTheEnd(simulation: SlackSimulation, held: SlackRun): Promise<SlackRun> {
  let isDone = false
  while (!isDone) isDone = await tryRun(simulation, held)
  return held
}

function happen(simulation: SlackSimulation, what: Exclude<Happening, { kind: 'run' }>, number: number): void {
  const { fake, server } = simulation
  if (what.kind === 'post') simulation.post(`Message ${number}`, what.days)
  if ('after' in what) {
    const method = what.kind === 'limit' ? 'conversations.history' : 'conversations.replies'
    server.fault(method, { kind: 'limited', retryAfter: 60 }, what.after)
  }
  const channel = fake.channel(GENERAL)
  if (what.kind === 'leave or join') channel.isMember = !channel.isMember
  if (what.kind === 'archive or open') channel.isArchived = !channel.isArchived
  if (!('at' in what)) return
  const { messages } = channel
  const message = pick(messages, what.at)
  if (message === undefined || message.subtype !== undefined) return
  if (what.kind === 'reply') simulation.reply(message.ts, `Reply ${number}`)
  if (what.kind === 'edit') fake.edit(GENERAL, message.ts, `Edited ${number}`, simulation.now)
  if (what.kind === 'delete') fake.delete(GENERAL, message.ts)
  const reply = pick(message.replies, what.at)
  if (what.kind === 'delete reply' && reply !== undefined) fake.delete(GENERAL, reply.ts)
}

function revisions({ items }: SlackRun): Map<string, string> {
  // What came back has the time of that in its revision.
  return new Map([...items].map(([id, { revision }]) => [id, revision.replace(/\+\d+$/, '')]))
}

function pick(messages: readonly FakeMessage[], at: number): FakeMessage | undefined {
  return messages.length === 0 ? undefined : messages[at % messages.length]
}
