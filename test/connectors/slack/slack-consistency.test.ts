import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderDocument } from '../../../src/connector/document.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import type { WorldMessage } from '../../fakes/slack/fake-slack.ts'
import { bodyOf, emptyRun, GENERAL, type OfficeRun, SlackOffice } from '../../fakes/slack/slack-simulation.ts'
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
      await using office = await SlackOffice.open({ mostMessages: 5 })
      const held = emptyRun()
      for (const [number, what] of happenings.entries()) {
        if (what.kind === 'run') await tryRun(office, held)
        else happen(office, what, number)
      }
      Object.assign(office.world.channel(GENERAL), { isMember: true, isArchived: false })
      await runToTheEnd(office, held)
      office.cursors.clear()
      expect(revisions(held)).toEqual(revisions(await runToTheEnd(office, emptyRun())))
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
        else happen(sync.office, what, number)
        sync.pass(0.01)
      }
      Object.assign(sync.office.world.channel(GENERAL), { isMember: true, isArchived: false })
      for (let outcome = ''; outcome !== 'ok'; sync.pass(0.01)) outcome = (await sync.run()).outcome
      sync.office.cursors.clear()
      const { items } = await runToTheEnd(sync.office, emptyRun())
      const told = new Map<string, string>()
      for (const [id, item] of items)
        told.set(id, Buffer.from(renderDocument(item, await bodyOf(item)).bytes).toString())
      expect(await sync.held()).toEqual(told)
    }),
    { numRuns: 30 },
  )
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
  const channel = world.channel(GENERAL)
  if (what.kind === 'leave or join') channel.isMember = !channel.isMember
  if (what.kind === 'archive or open') channel.isArchived = !channel.isArchived
  if (!('at' in what)) return
  const { messages } = channel
  const message = pick(messages, what.at)
  if (message === undefined || message.subtype !== undefined) return
  if (what.kind === 'reply') office.reply(message.ts, `Reply ${number}`)
  if (what.kind === 'edit') world.edit(GENERAL, message.ts, `Edited ${number}`, office.now)
  if (what.kind === 'delete') world.delete(GENERAL, message.ts)
  const reply = pick(message.replies, what.at)
  if (what.kind === 'delete reply' && reply !== undefined) world.delete(GENERAL, reply.ts)
}

function revisions({ items }: OfficeRun): Map<string, string> {
  // What came back has the time of that in its revision.
  return new Map([...items].map(([id, { revision }]) => [id, revision.replace(/\+\d+$/, '')]))
}

function pick(messages: readonly WorldMessage[], at: number): WorldMessage | undefined {
  return messages.length === 0 ? undefined : messages[at % messages.length]
}
