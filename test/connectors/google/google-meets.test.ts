import { describe, expect, test } from 'vitest'
import { googleMeets } from '../../../connectors/google/google-meets.ts'
import type { SourceItem } from '../../../src/connector/connector.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GoogleMeet } from '../../fakes/google/google-meet.ts'
import { connectorContext } from '../../lib/connector-context.ts'

type Cursor = NonNullable<Parameters<typeof googleMeets.changes>[1]>

describeConnectorContract('Google Meet', async () => {
  const meet = await GoogleMeet.start()
  const long = meet.meet(5, 70)
  const said = Array.from({ length: 130 }, (_, at) => [at / 2, `Sentence ${at}.`] as const)
  const edited = meet.transcribe(long, said, 'ENDED')
  meet.transcribe(meet.meet(30), [[1, 'Hello.']])
  meet.meet(40).notes.push({ id: 'n', state: 'FILE_GENERATED', document: 'doc-n' })
  meet.meet(50)
  return {
    connector: googleMeets,
    config: meet.config,
    options: { clock: meet.clock },
    async add() {
      const meeting = meet.meet(0)
      meet.transcribe(meeting, [[1, 'New.']])
      return `gmeet:${meeting.id}:tr:t0:s=0001`
    },
    async edit() {
      edited.state = 'FILE_GENERATED'
      edited.entries[0] = { ...edited.entries[0]!, text: 'Sentence 0, as it was finished.' }
      return `gmeet:${long.id}:tr:t0:s=0001`
    },
    [Symbol.asyncDispose]: () => meet[Symbol.asyncDispose](),
  }
})

/** One run, as a process of its own. */
async function run(meet: GoogleMeet, from?: Cursor, config: Record<string, unknown> = {}) {
  const context = await connectorContext(googleMeets, { ...meet.config, ...config }, { clock: meet.clock })
  const items = new Map<string, SourceItem>()
  const failures: string[] = []
  let cursor = from
  for await (const partition of googleMeets.partitions(context as never)) {
    for await (const change of googleMeets.changes(partition, from, context as never)) {
      if (change.type === 'item') items.set(change.item.itemId, change.item)
      else if (change.type === 'checkpoint') cursor = change.cursor
      else if (change.type === 'failed') failures.push(`${change.ref.title}: ${change.error.message}`)
      else throw new Error('a meeting was gone')
    }
  }
  return { items, failures, cursor: cursor!, requests: meet.server.takeLog() }
}

async function bodyOf(item: SourceItem | undefined) {
  return typeof item?.body === 'function' ? item.body() : item?.body
}

describe('what is told of a meeting', () => {
  test('is who said what and when, in half hours', async () => {
    await using meet = await GoogleMeet.start()
    const meeting = meet.meet(1, 65)
    meet.transcribe(meeting, [
      [0, 'Shall we begin?'],
      [0.5, 'Yes,\nlet us.'],
      [31, 'Later.'],
      [65, 'The end.'],
    ])
    const { items } = await run(meet)
    expect([...items.keys()]).toEqual(['0001', '0002', '0003'].map((s) => `gmeet:record-0:tr:t0:s=${s}`))
    const [first, second, third] = [...items.values()]
    expect(first).toMatchObject({
      title: 'Meeting of Ada Lovelace and Bob (guest), part 1',
      url: 'https://docs.google.com/document/d/doc-record-0/view',
      people: ['Ada Lovelace', 'Bob (guest)'],
      where: 'Google Meet abc-mnop-xyz',
      createdAt: new Date('2026-03-04T09:55:00Z'),
    })
    expect(await bodyOf(first)).toBe(
      'Ada Lovelace [2026-03-04 09:55 UTC]: Shall we begin?\n\nBob guest [2026-03-04 09:55 UTC]: Yes, let us.',
    )
    expect(await bodyOf(second)).toBe('Ada Lovelace [2026-03-04 10:26 UTC]: Later.')
    expect(await bodyOf(third)).toBe('Bob guest [2026-03-04 11:00 UTC]: The end.')
    expect(meet.server.takeLog().filter((line) => line.endsWith('/entries'))).toHaveLength(1)
  })

  test('is nothing of a half hour in which nobody spoke', async () => {
    await using meet = await GoogleMeet.start()
    meet.transcribe(meet.meet(1, 90), [
      [1, 'Before.'],
      [80, 'After.'],
    ])
    const bodies = await Promise.all([...(await run(meet)).items.values()].map(bodyOf))
    expect(bodies.map((body) => body === undefined)).toEqual([false, true, false])
  })

  test('is named after its document, and has the text of its notes, where the access covers Drive', async () => {
    await using meet = await GoogleMeet.start()
    const meeting = meet.meet()
    meet.transcribe(meeting, [[1, 'Hello.']])
    meeting.notes.push({ id: 'n', state: 'FILE_GENERATED', document: 'doc-notes' })
    const without = await run(meet)
    const notes = 'gmeet:record-0:notes'
    expect(await bodyOf(without.items.get(notes))).toContain('https://docs.google.com/document/d/doc-notes/view')
    expect(without.requests.filter((line) => line.includes('/drive/'))).toHaveLength(1)
    meet.documents = new Map([
      ['doc-record-0', { name: 'Weekly sync (2026-03-04 11:00 CET) - Transcript', text: '' }],
      ['doc-notes', { name: 'Weekly sync - Notes by Gemini', text: 'Ada will call.' }],
    ])
    const { items } = await run(meet)
    expect([...items.values()].map(({ title }) => title)).toEqual([
      'Weekly sync (2026-03-04 11:00 CET)',
      'Notes: Weekly sync',
    ])
    expect(await bodyOf(items.get(notes))).toBe('Ada will call.')
    expect(items.get(notes)?.revision).not.toBe(without.items.get(notes)?.revision)
  })

  test('is read to the last page', async () => {
    await using meet = await GoogleMeet.start()
    for (let at = 0; at < 5; at += 1) {
      const said = Array.from({ length: 120 }, (_, line) => [line / 10, `Sentence ${line}.`] as const)
      meet.transcribe(meet.meet(at + 1), said)
    }
    const { items } = await run(meet)
    expect(items.size).toBe(5)
    expect(await bodyOf([...items.values()].at(-1))).toContain('Sentence 119.')
  })
})

describe('a meeting', () => {
  test('is seen again until its transcript is there, also after the overlap', async () => {
    await using meet = await GoogleMeet.start()
    const late = meet.meet(1)
    const transcript = meet.transcribe(late, [[1, 'Hello.']], 'STARTED')
    const first = await run(meet)
    expect(first.items.size).toBe(0)
    meet.pass(24 * 5)
    const second = await run(meet, first.cursor)
    expect(second.cursor.pending).toHaveLength(1)
    Object.assign(transcript, { state: 'FILE_GENERATED', endTime: late.endTime })
    const third = await run(meet, second.cursor)
    expect([...third.items.keys()]).toEqual(['gmeet:record-0:tr:t0:s=0001'])
    expect((await run(meet, third.cursor)).requests).toEqual(['GET /v2/conferenceRecords'])
  })

  test('whose transcript comes within two days is not missed', async () => {
    await using meet = await GoogleMeet.start()
    const meeting = meet.meet(1)
    const { cursor } = await run(meet)
    meet.pass(40)
    meet.transcribe(meeting, [[1, 'Hello.']])
    expect((await run(meet, cursor)).items.size).toBe(1)
  })

  test('that goes on is read after its end', async () => {
    await using meet = await GoogleMeet.start()
    const meeting = meet.meet(1)
    const { endTime } = meeting
    meeting.endTime = undefined
    const transcript = meet.transcribe(meeting, [[1, 'Hello.']], 'STARTED')
    const { items, cursor } = await run(meet)
    expect(items.size).toBe(0)
    meet.pass(1)
    Object.assign(meeting, { endTime })
    Object.assign(transcript, { endTime, state: 'ENDED' })
    expect((await run(meet, cursor)).items.size).toBe(1)
  })

  test('that has expired is asked for no more, and is not gone', async () => {
    await using meet = await GoogleMeet.start()
    meet.transcribe(meet.meet(1), [[1, 'Hello.']], 'STARTED')
    const first = await run(meet)
    meet.pass(24 * 31)
    const second = await run(meet, first.cursor)
    expect([second.items.size, second.cursor.pending]).toEqual([0, []])
    expect(googleMeets.manifest).toMatchObject({ vanished: 'keep', deletions: 'none' })
  })

  test('that the token may not read does not keep the others away', async () => {
    await using meet = await GoogleMeet.start()
    for (const hours of [1, 2]) meet.transcribe(meet.meet(hours), [[1, 'Hello.']])
    meet.server.faults.push({ path: /record-0\/transcripts$/, status: 403, reason: 'PERMISSION_DENIED' })
    const { items, failures } = await run(meet)
    expect([...items.keys()]).toEqual(['gmeet:record-1:tr:t0:s=0001'])
    expect(failures).toEqual([
      'Meeting of 2026-03-04: Google Meet refused the request for the transcripts of a meeting (403, PERMISSION_DENIED).',
    ])
  })

  test('at which Google fails keeps no other away, and is tried again until it expires', async () => {
    await using meet = await GoogleMeet.start()
    for (const hours of [1, 2]) meet.transcribe(meet.meet(hours), [[1, 'Hello.']])
    const fail = () => meet.server.faults.push({ path: /record-0\/transcripts$/, status: 500 })
    fail()
    const first = await run(meet)
    expect([...first.items.keys()]).toEqual(['gmeet:record-1:tr:t0:s=0001'])
    expect(first.failures).toEqual([
      'Meeting of 2026-03-04: Google Meet returned an error for the transcripts of a meeting (HTTP 500).',
    ])
    meet.pass(24 * 7)
    fail()
    const second = await run(meet, first.cursor)
    expect(second.failures).toHaveLength(1)
    meet.server.faults.push({ path: /record-0$/, status: 500 })
    const third = await run(meet, second.cursor)
    expect(third.failures).toEqual(['Meeting: Google Meet returned an error for a meeting (HTTP 500).'])
    const fourth = await run(meet, third.cursor)
    expect([...fourth.items.keys()]).toEqual(['gmeet:record-0:tr:t0:s=0001'])
    expect(fourth.cursor.pending).toEqual([])
  })

  test('whose transcript cannot be read says so', async () => {
    await using meet = await GoogleMeet.start()
    meet.transcribe(meet.meet(), [[1, 'Hello.']])
    const [item] = (await run(meet)).items.values()
    meet.server.faults.push({ path: /entries$/, status: 403, reason: 'PERMISSION_DENIED' })
    await expect(bodyOf(item)).rejects.toMatchObject({ remedy: 'skip' })
  })

  test('of before `since` is left out', async () => {
    await using meet = await GoogleMeet.start()
    meet.transcribe(meet.meet(24 * 3), [[1, 'Hello.']])
    expect((await run(meet, undefined, { since: '2026-03-03' })).items.size).toBe(0)
  })
})
