import type { LanguageOverview } from '../administration/administration.ts'
import { printable } from '../lib/terminal-text.ts'
import { indented, type Page } from './page.ts'
import { counted, table } from './style.ts'
import { clockTime } from './time-words.ts'

/** What the language model does with items, for `recalld status`. */
export function languageText(overview: LanguageOverview, page: Page): string {
  const { model, refined, unproven, given_up: givenUp, given_up_items: shown, spent_today: spent } = overview
  const parts = overview.waiting.map((waiting) => waitingText(waiting, model, page))
  if (overview.problem !== undefined) parts.unshift(`${page.style('red', overview.problem)}\n`)
  if (refined > 0) {
    const left = unproven === 0 ? '' : `; ${counted(unproven, 'statement', 'statements')} not in the source left out`
    parts.push(`Memories made by the language model: of ${counted(refined, 'item', 'items')}${left}.\n`)
  }
  if (spent.tokens > 0) {
    const dollars = spent.dollars === 0 ? '' : `, $${spent.dollars.toFixed(4)}`
    parts.push(`Spent on it today: ${spent.tokens.toLocaleString('en-US')} tokens${dollars}.\n`)
  }
  if (givenUp > 0) {
    const head = `Given up by the language model: ${counted(givenUp, 'item', 'items')}, which keep the memories they have; "recalld retry" tries them again:\n`
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
  const wait = `${counted(items, 'item waits', 'items wait')} for the language model`
  if (model === null) return `${wait}, and none is configured for it.\n`
  if (reason === undefined) return `${wait}.\n`
  const time = until === undefined ? '' : clockTime(new Date(until), page.now)
  if (reason === 'budget') return `${page.style('yellow', `${wait}: ${message}, goes on at ${time}.`)}\n`
  const next = reason === 'away' ? `It is tried again at ${time}.` : 'Nothing is tried until recalld is started again.'
  return `${page.style('yellow', `${wait}:`)}\n${indented(`${message} ${next}`, page)}`
}
