import { isChatter } from '../salience.ts'

/** A line of a few words without an end. */
const LABEL = /^\p{Lu}[\p{L}\p{N}'’&/-]*(?: [\p{L}\p{N}'’&/-]+){0,3}\s*$/u
const ITEM = /^\s*(?:[-*•+–]|\d{1,2}[.)]) (?=\S)/
const SENTENCE = /^\p{Lu}.{29,}[.!?]\s*$/u

/** With `Next` joined to the list below it, and `Nits` to its text: without a colon they would begin the first sentence. */
export function withLabels(text: string): string {
  if (!text.includes('\n')) return text
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    const isLabel = (lines[i - 1] ?? '').trim() === '' && LABEL.test(line)
    const below = lines[i + 1]?.trim() === '' ? i + 2 : i + 1
    const next = lines[below]
    if (!isLabel || next === undefined) continue
    const mark = ITEM.exec(next)?.[0]
    if (mark === undefined && (below > i + 1 || !SENTENCE.test(next) || isChatter(line))) continue
    lines[below] = `${mark ?? ''}${line.trim()}: ${next.slice(mark?.length ?? 0)}`
    lines[i] = ''
  }
  return lines.join('\n')
}
