import type { EmbeddingOverview, GoldenOverview, LanguageOverview } from '../../administration/administration.ts'
import { printable } from '../../lib/terminal-text.ts'
import { counted, indented, type Page, table } from '../terminal/layout.ts'
import { clockTime } from '../terminal/relative-time.ts'

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

/** Which model questions are asked with, and what is to be done about it; nothing where there is only the built-in one. */
export function embeddingText({ model, texts, building, problems }: EmbeddingOverview, { style, now }: Page): string {
  if (texts === undefined && building === undefined && problems.length === 0) return ''
  const lacking = texts === undefined ? 0 : texts.all - texts.embedded
  const lack = lacking === 0 ? '' : `; ${counted(lacking, 'text waits', 'texts wait')} for a vector`
  return [
    `Questions are asked with ${printable(model)}${lack}.`,
    ...(building === undefined ? [] : [buildingText(building)]),
    ...problems.map(({ message, retry_at: retryAt }) => {
      const next = retryAt === undefined ? '' : ` It is tried again at ${clockTime(new Date(retryAt), now)}.`
      return style('yellow', printable(`${message}${next}`))
    }),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

function buildingText({ model, embedded, all }: NonNullable<EmbeddingOverview['building']>): string {
  const name = printable(model)
  if (embedded === all) return `Vectors of ${name} are made; "recalld reindex --switch" switches to it.`
  return `Vectors of ${name} are made: ${embedded} of ${all} texts.`
}

export function goldenLine({ asked, found_in_10: found, without_item: withoutItem, worse }: GoldenOverview): string {
  const forgotten = withoutItem === 0 ? '' : `; without an item: ${withoutItem}`
  const change = worse === 0 ? '' : `; worse than before: ${worse}, see "recalld golden list"`
  return `Golden questions: ${found} of ${asked} found in the first 10${forgotten}${change}.\n`
}
