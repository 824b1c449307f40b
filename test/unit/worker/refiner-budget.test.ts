import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { memorize } from '../../contract/store-samples.ts'
import { diligentAnswer } from '../../lib/refinable.ts'
import { byModel, byRules, refinerFixture, text } from './refiner-fixture.ts'

describe('the refiner within a budget', () => {
  const { fixture, severalLooks, start, narratives, becomes, allPutOff, paused, spentTokens } = refinerFixture()

  const call = 10_000

  test('waits for the next day of the account when it is used up', async () => {
    fixture.server.chat((request) => ({
      text: JSON.stringify(diligentAnswer(request)),
      usage: { input: 7_000, output: 2_000 },
    }))
    await start({ budget: { tokensPerDay: call + 1, perSource: {} } })
    for (const n of [1, 2]) await memorize(fixture.store, fixture.a, `note-${n}`, [text(n)])
    await becomes('note-1', [byModel(1)])
    await paused('daily budget used up')
    // Midnight in Berlin.
    expect(await fixture.store.refinements.pauses()).toMatchObject([
      { reason: 'budget', accountId: 'a', until: new Date('2026-01-01T23:00:00Z') },
    ])
    expect(await narratives('note-2')).toEqual([byRules(2)])
    fixture.clock.advance(13 * 3_600_000 - 1)
    await severalLooks()
    expect(fixture.server.chats).toHaveLength(1)
    fixture.clock.advance(1)
    await becomes('note-2', [byModel(2)])
    expect([await spentTokens('2026-01-01'), await spentTokens('2026-01-02')]).toEqual([9_000, 9_000])
  })

  test('which counts what may have been paid for answers that come too late', async () => {
    fixture.server.chat(() => ({ broken: 'slow' }))
    const earlier = { inputTokens: 6_000, outputTokens: 0, microDollars: 0, calls: 1, sourceType: 'text' } as const
    await fixture.store.refinements.storeSpending('a', { ...earlier, day: '2026-01-01', model: 'test' })
    await start({ settings: { timeout_seconds: 1 }, budget: { tokensPerDay: call, perSource: {} } })
    await memorize(fixture.store, fixture.a, 'note', [text(1)])
    await allPutOff()
    expect(await spentTokens()).toBeGreaterThan(8_000)
    fixture.clock.advance(6 * 60_000)
    await paused('daily budget used up')
    expect(fixture.server.chats).toHaveLength(1)
  })

  test('in dollars, of one source, others go on', async () => {
    fixture.server.chat((request) => ({
      text: JSON.stringify(diligentAnswer(request)),
      usage: { input: 8_000, output: 2_000 },
    }))
    await start({ budget: { perSource: { email: { dollarsPerDay: 0.0125 } } } })
    for (const n of [1, 2]) await memorize(fixture.store, fixture.a, `mail-${n}`, [text(n)], { sourceType: 'email' })
    await paused('for email')
    await memorize(fixture.store, fixture.a, 'note', [text(3)])
    await becomes('note', [byModel(3)])
    expect(fixture.server.chats).toHaveLength(2)
  })

  test('calls at the same time cannot pass it together', async () => {
    fixture.server.chat((request) => ({
      text: JSON.stringify(diligentAnswer(request)),
      // Of about 2,580 that are reserved for it.
      usage: { input: 500, output: 2_000 },
      after: delay(5),
    }))
    await start({ lanes: 4, budget: { tokensPerDay: 12_500, perSource: {} } })
    for (let n = 0; n < 8; n++) await memorize(fixture.store, fixture.a, `note-${n}`, [text(n)])
    await paused('used up')
    await severalLooks()
    expect(await spentTokens()).toBeLessThanOrEqual(12_500)
    expect(await spentTokens()).toBeGreaterThan(7_500)
  })
})
