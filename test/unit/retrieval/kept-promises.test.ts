import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { MemoryContent } from '../../../src/domain/results.ts'
import { type KnownMemory, readKnownMemory } from '../../../src/retrieval/profile/known-memory.ts'
import { openPromises } from '../../../src/retrieval/profile/open-promises.ts'
import { promisesIn } from '../../../src/retrieval/profile/statements.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

let items = 0
function remembered(day: number, content: MemoryContent): KnownMemory {
  const key = ++items
  return readKnownMemory({
    ...{ itemKey: key, itemId: `item-${key}`, sourceType: 'slack', index: 0, content },
    ...{ firstChunkId: key, lastChunkId: key, firstOrdinal: 0, at: Date.UTC(2026, 10, day), url: undefined },
    userName: 'Ole Lind',
  })
}
const BOTH = ['Ana Silva', 'Ole Lind']
const told = (day: number, narrative: string, participants = BOTH) => remembered(day, { participants, narrative })
/** A talk that its narrative passes over. */
const spoken = (day: number, body: string, participants = BOTH) =>
  remembered(day, { participants, body, narrative: '' })

const PLAN = () => told(2, 'On 2 November 2026, Ana Silva promised to send me the plan on 3 November 2026.')
const HALL = () => told(2, 'On 2 November 2026, I promised to book the hall for the 14th (14 November 2026).')
async function isOpen(promised: KnownMemory, ...others: KnownMemory[]): Promise<boolean> {
  return (await openPromises(promisesIn(promised), [promised, ...others])).length > 0
}

test('what an assistant asks for is no task', () => {
  const asked = (by: string) => promisesIn(told(2, `${by} asked me to check the tides.`))
  expect(asked('The assistant')).toEqual([])
  expect(asked('Claude')).toEqual([])
  expect(asked('Ana Silva')).toHaveLength(1)
})

describe('a promise to send something', async () => {
  it.each([
    'Ana Silva: sent you the plan',
    "Ana Silva: Hi! Here's the plan: https://plans.example/1",
    "Ana Silva: I've attached the plan",
    'Ana Silva: Plan sent!',
    'Ana Silva: the plan is in your inbox',
    'Ana Silva: I just shared the plan and the budget with you',
    "Ana Silva: sent you the plan, haven't heard from Bo",
    'Ole Lind: Got the plan, thanks',
    'Ole Lind: thanks for the plan!',
    'Ole Lind: Thanks for sending the plan',
    'Ole Lind: the plan arrived this morning',
  ])('is kept after: %s', async (line) => {
    expect(await isOpen(PLAN(), spoken(5, line))).toBe(false)
  })

  it.each([
    "Ana Silva: I'll send the plan tomorrow",
    "Ana Silva: haven't sent the plan",
    "Ana Silva: the plan isn't sent yet",
    'Ana Silva: I forgot to send the plan',
    'Ana Silva: The plan needs to be sent',
    'Ana Silva: I sent the plan to Bo',
    'Ana Silva: sent you a note about the plan',
    "Ana Silva: here's the problem with the plan",
    'Ana Silva: sent you the budget',
    'Ole Lind: did you send the plan?',
    'Ole Lind: still waiting for the plan',
    'Ole Lind: I got the plan from Bo',
    'Ole Lind: I sent you the plan',
    "Ole Lind: Here's the plan",
  ])('is open after: %s', async (line) => {
    expect(await isOpen(PLAN(), spoken(5, line))).toBe(true)
  })

  it.each([
    'On 5 November 2026: Ana Silva sent me the plan.',
    'On 5 November 2026 Ana Silva wrote to me about "Hello". Ana wrote: "Here\'s the plan, as promised."',
    'On 5 November 2026 Ana Silva wrote to me about "Hello". Ana asked me to find the plan attached.',
    'On 5 November 2026, I told Ana Silva: "Got the plan, thanks."',
  ])('is kept after a narrative: %s', async (narrative) => {
    expect(await isOpen(PLAN(), told(5, narrative))).toBe(false)
  })

  it('is not kept by what was sent before, or by what a stranger got', async () => {
    expect(await isOpen(PLAN(), spoken(1, 'Ana Silva: sent you the plan'))).toBe(true)
    expect(await isOpen(PLAN(), spoken(5, 'Bo Berg: got the plan, thanks', ['Bo Berg']))).toBe(true)
  })

  it('is kept by a later line of the same talk, and by no earlier one', async () => {
    const narrative = 'Ana Silva promised to send me the plan.'
    const talk = (body: string) => remembered(2, { participants: BOTH, body, narrative })
    expect(await isOpen(talk("Ana Silva: I'll send you the plan.\nOle Lind: thanks\nAna Silva: here's the plan"))).toBe(
      false,
    )
    expect(await isOpen(talk("Ana Silva: sent you the plan\nAna Silva: I'll send you the plan again"))).toBe(true)
  })

  it('is no task of mine when I am only pointed to an attachment', async () => {
    expect(promisesIn(told(2, 'Ana Silva asked me to find the plan attached.'))).toEqual([])
  })
})

describe('a promise to book something', async () => {
  it.each([
    'Ole Lind: the hall is booked',
    'Ole Lind: Booked the hall for the 14th',
    'Ole Lind: Hall booked!',
    'Ana Silva: the hall has been booked, great',
    'Ana Silva: thanks for booking the hall',
  ])('is kept after: %s', async (line) => {
    expect(await isOpen(HALL(), spoken(5, line))).toBe(false)
  })

  it.each([
    "Ole Lind: I'll book the hall tomorrow",
    "Ole Lind: the hall isn't booked yet",
    'Ole Lind: the hall is fully booked on the 14th',
    'Ole Lind: I tried to book the hall',
    'Ole Lind: I booked the band for the hall',
    'Ana Silva: should I book the hall?',
    'Ana Silva: I booked a hall once',
  ])('is open after: %s', async (line) => {
    expect(await isOpen(HALL(), spoken(5, line))).toBe(true)
  })
})

describe('an answer about promises', async () => {
  let memory: ToldMemory
  beforeAll(async () => {
    const chat = (at: string, text: string) => ({ form: 'chat', at, speaker: 'Ana Silva', text }) as const
    memory = await openToldMemory(
      [
        chat('2026-11-03T08:30Z', "I'll send the plan on Thursday. I'll send the budget on Friday."),
        chat('2026-11-05T08:30Z', "Here's the plan for all of you: https://plans.example/1"),
      ],
      [],
    )
  })
  afterAll(() => memory.close())

  test('lists none that was kept since', async () => {
    const { response } = await memory.ask('What did Ana promise?', 'Dora')
    expect(response).toMatch(/^Found 1 still open .*\n- .*budget/)
    expect(response).not.toMatch(/- .*the plan/)
  })
})
