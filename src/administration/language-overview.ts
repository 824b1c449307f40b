import type { Config } from '../config.ts'
import { AppError, locatedMessage } from '../domain/errors.ts'
import { systemClock, zonedDayName } from '../lib/clock.ts'
import { modelsSettings } from '../models/configured/open-models.ts'
import type { Pause, RefinementTotals, Spending } from '../store/refinements/refinements.ts'
import type { Store } from '../store/store.ts'
import type { LanguageOverview } from './administration.ts'

const GIVEN_UP_SHOWN = 20

/** What the language model did with items, and its cost; `undefined` when there is nothing to show. */
export async function languageOverview(config: Config, store: Store): Promise<LanguageOverview | undefined> {
  const { model, problem } = configuredModel(config)
  const pauses = await store.refinements.pauses()
  const totals: RefinementTotals[] = []
  const spent: Spending[] = []
  const givenUp: LanguageOverview['given_up_items'][number][] = []
  const waiting = new Map<Pause | undefined, number>()
  for (const { accountId, timeZone } of await store.admin.listAccounts()) {
    const { refinements } = store.scoped({ accountId, sources: 'all' })
    spent.push(...(await store.refinements.spent(accountId, zonedDayName(systemClock(), timeZone))))
    for (const row of await refinements.totals()) {
      totals.push(row)
      const pause = pauses.find((one) => covers(one, accountId, row.sourceType))
      waiting.set(pause, (waiting.get(pause) ?? 0) + row.waiting)
    }
    for (const { itemId, sourceType, error } of await refinements.givenUp(GIVEN_UP_SHOWN)) {
      givenUp.push({ item_id: itemId, source_type: sourceType, error })
    }
  }
  if (model === null && problem === undefined && totals.length === 0 && spent.length === 0) return undefined
  const sum = (of: (row: RefinementTotals) => number) => totals.reduce((total, row) => total + of(row), 0)
  return {
    model,
    ...(problem !== undefined && { problem }),
    waiting: [...waiting].filter(([, items]) => items > 0).map(([pause, items]) => waitingRow(pause, items)),
    refined: sum(({ refined }) => refined),
    unproven: sum(({ unproven }) => unproven),
    given_up: sum(({ givenUp }) => givenUp),
    given_up_items: givenUp.slice(0, GIVEN_UP_SHOWN),
    spent_today: {
      tokens: spent.reduce((total, one) => total + one.inputTokens + one.outputTokens, 0),
      dollars: spent.reduce((total, one) => total + one.microDollars, 0) / 1_000_000,
    },
  }
}

/** An error in the settings hides only the settings. */
function configuredModel(config: Config): { readonly model: string | null; readonly problem?: string } {
  try {
    const { language } = modelsSettings(config.models)
    return { model: language?.use.includes('extract') ? `${language.provider}:${language.model}` : null }
  } catch (error) {
    if (error instanceof AppError) return { model: null, problem: locatedMessage(error) }
    throw error
  }
}

function covers(pause: Pause, accountId: string, sourceType: string): boolean {
  return (pause.accountId ?? accountId) === accountId && (pause.sourceType ?? sourceType) === sourceType
}

function waitingRow(pause: Pause | undefined, items: number): LanguageOverview['waiting'][number] {
  if (pause === undefined) return { items }
  const { reason, message, until } = pause
  return { items, reason, message, ...(until && { until: until.toISOString() }) }
}
