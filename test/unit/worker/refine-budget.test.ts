import { expect, test } from 'vitest'
import type { RefinementClaim } from '../../../src/store/refinements/refinements.ts'
import { checkBudget, RefineBudget } from '../../../src/worker/refine-budget.ts'

const CALL = { inputTokens: 8_000, outputTokens: 2_000 }
const PRICE = { input: 1, output: 2 }

test.each([
  [{ tokensPerDay: 9_999, perSource: {} }, PRICE, 'tokens_per_day must be 10000 or more'],
  [{ perSource: { email: { tokensPerDay: 1 } } }, PRICE, 'per_source: email: tokens_per_day must be 10000 or more'],
  [
    { perSource: { slack: { dollarsPerDay: 0.01 } } },
    PRICE,
    'per_source: slack: dollars_per_day must be 0.012 or more',
  ],
  [{ dollarsPerDay: 1, perSource: {} }, undefined, 'dollars_per_day needs price'],
  [{ dollarsPerMonth: 0.01, perSource: {} }, PRICE, 'dollars_per_month must be 0.012 or more'],
])('a budget in which no call fits is refused: %j', (budget, price, sentence) => {
  expect(() => checkBudget(budget, CALL, price)).toThrow(sentence)
})

test.each([
  [undefined, undefined],
  [{ tokensPerDay: 10_000, perSource: { slack: { tokensPerDay: 10_000 } } }, undefined],
  [{ dollarsPerDay: 0.012, perSource: {} }, PRICE],
])('a budget in which one fits is taken: %j', (budget, price) => {
  expect(() => checkBudget(budget, CALL, price)).not.toThrow()
})

function claimOf(sourceType: RefinementClaim['sourceType']): RefinementClaim {
  const claim = { refinementId: 1, leaseToken: 't', accountId: 'a', timeZone: 'UTC', itemId: 'i', attempt: 1 }
  return { ...claim, sourceType, failures: 0, failureCode: undefined }
}

test('a source whose budget is used up does not wait for calls of other sources', async () => {
  const day = '2026-03-04'
  const used = { day, calls: 1, sourceType: 'slack', inputTokens: 10_000, outputTokens: 0, microDollars: 0 } as const
  const budget = { tokensPerDay: 100_000, perSource: { slack: { tokensPerDay: 10_000 } } }
  const limits = new RefineBudget({ budget, price: undefined, spentByDay: async () => [used] })
  const now = new Date('2026-03-04T10:00:00Z')
  expect(await limits.reserve(claimOf('email'), CALL, now)).toMatchObject({ sourceType: 'email', tokens: 10_000 })
  expect(await limits.reserve(claimOf('slack'), CALL, now)).toMatchObject({ reason: 'budget', sourceType: 'slack' })
})

test('a budget of the month counts all of its days, and ends with it', async () => {
  const use = { calls: 1, sourceType: 'ask', inputTokens: 0, outputTokens: 0 } as const
  const uses = [
    { ...use, day: '2026-02-28', microDollars: 9_000_000 },
    { ...use, day: '2026-03-01', microDollars: 600_000 },
    { ...use, day: '2026-03-30', microDollars: 390_000 },
  ]
  const spentByDay = async (_: string, from: string) => uses.filter(({ day }) => day >= from)
  const budget = { dollarsPerMonth: 1, dollarsPerDay: 0.5, perSource: {} }
  const limits = new RefineBudget({ budget, price: PRICE, spentByDay })
  expect(await limits.reserve(claimOf('email'), CALL, new Date('2026-03-31T10:00:00Z'))).toMatchObject({
    message: 'monthly budget used up',
    until: new Date('2026-04-01T00:00:00Z'),
  })
  expect(await limits.reserve(claimOf('email'), CALL, new Date('2026-04-01T00:00:00Z'))).toMatchObject({
    tokens: 10_000,
  })
})
