import type { EmbeddingOverview, GoldenOverview, LanguageOverview } from '../../administration/administration.ts'
import { printable } from '../../lib/terminal-text.ts'
import { adviceSentence } from '../terminal/failure.ts'
import { indented, type Page, table } from '../terminal/layout.ts'
import { clockTime } from '../terminal/relative-time.ts'
import { messages } from './messages.ts'

/** The language model's work, queue and cost. */
export function languageText(overview: LanguageOverview, page: Page): string {
  const { model, refined, unproven, given_up: givenUp, given_up_items: shown, spent_today: spent } = overview
  const parts = overview.waiting.map((waiting) => waitingText(waiting, model, page))
  if (overview.problem !== undefined) parts.unshift(`${page.style('red', overview.problem)}\n`)
  if (refined > 0) {
    const line = unproven === 0 ? messages.extracted(refined) : messages.extractedWithout(refined, unproven)
    parts.push(`${line}\n`)
  }
  if (spent.tokens > 0) {
    const dollars = spent.dollars === 0 ? '' : `, $${spent.dollars.toFixed(4)}`
    parts.push(`${messages.spentToday(spent.tokens.toLocaleString('en-US'), dollars)}\n`)
  }
  if (givenUp > 0) {
    const head = `${messages.givenUp(givenUp)}\n`
    const rows = shown.map(({ source_type, item_id, error }) => [`${source_type}/${item_id}`, error])
    parts.push('\n', page.style('yellow', head), printable(table(rows)))
  }
  return parts.join('')
}

function waitingText(
  { items, reason, message = '', until }: LanguageOverview['waiting'][number],
  model: string | null,
  page: Page,
): string {
  const wait = messages.modelQueue(items)
  if (model === null) return `${messages.noModel(wait)}\n`
  if (reason === undefined) return `${wait}.\n`
  const time = until === undefined ? '' : clockTime(new Date(until), page.now)
  if (reason === 'budget') return `${page.style('yellow', messages.budgetReached(wait, message, time))}\n`
  const next = reason === 'away' ? messages.retryAt(message, time) : messages.retryAfterRestart(message)
  return `${page.style('yellow', `${wait}:`)}\n${indented(next, page)}`
}

/** The embedding model in use, and its problems; empty if there is only the built-in one. */
export function embeddingText({ model, texts, building, problems }: EmbeddingOverview, { style, now }: Page): string {
  if (texts === undefined && building === undefined && problems.length === 0) return ''
  const lacking = texts === undefined ? 0 : texts.all - texts.embedded
  const name = printable(model)
  return [
    lacking === 0 ? messages.recallUses(name) : messages.recallUsesWithout(name, lacking),
    ...(building === undefined ? [] : [buildingText(building)]),
    ...problems.map(({ message, advice, retry_at: retryAt }) => {
      const said = advice === undefined ? message : `${message} ${adviceSentence(advice)}`
      const next = retryAt === undefined ? said : messages.retryAt(said, clockTime(new Date(retryAt), now))
      return style('yellow', printable(next))
    }),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

function buildingText({ model, embedded, all }: NonNullable<EmbeddingOverview['building']>): string {
  const name = printable(model)
  if (embedded === all) return messages.built(name)
  return messages.building(name, embedded, all)
}

export function goldenLine({ asked, found_in_10: found, without_item: withoutItem, worse }: GoldenOverview): string {
  const deleted = withoutItem === 0 ? '' : messages.goldenWithoutItem(withoutItem)
  const change = worse === 0 ? '' : messages.goldenWorse(worse)
  return `${messages.golden(found, asked)}${deleted}${change}.\n`
}
