import type { EmbeddingOverview, GoldenOverview } from './app-contract.ts'
import type { Page } from './page.ts'
import { counted, printable } from './style.ts'

/** Which model questions are asked with, and what is to be done about it; nothing where there is only the built-in one. */
export function embeddingText({ model, texts, building, problems }: EmbeddingOverview, { style }: Page): string {
  if (texts === undefined && building === undefined && problems.length === 0) return ''
  const lacking = texts === undefined ? 0 : texts.all - texts.embedded
  const lack = lacking === 0 ? '' : `; ${counted(lacking, 'text waits', 'texts wait')} for a vector`
  const made =
    building && `Vectors of ${printable(building.model)} are made: ${building.embedded} of ${building.all} texts.`
  return [
    `Questions are asked with ${printable(model)}${lack}.`,
    ...(made === undefined ? [] : [made]),
    ...problems.map((problem) => style('yellow', printable(problem))),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

export function goldenLine({ asked, found_in_10: found, without_item: withoutItem, worse }: GoldenOverview): string {
  const forgotten = withoutItem === 0 ? '' : `; without an item: ${withoutItem}`
  const change = worse === 0 ? '' : `; worse than before: ${worse}, see "recalld golden list"`
  return `Golden questions: ${found} of ${asked} found in the first 10${forgotten}${change}.\n`
}
