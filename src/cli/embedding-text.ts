import type { EmbeddingOverview, GoldenOverview } from '../administration/administration.ts'
import { printable } from '../lib/terminal-text.ts'
import type { Page } from './page.ts'
import { counted } from './style.ts'
import { clockTime } from './time-words.ts'

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
