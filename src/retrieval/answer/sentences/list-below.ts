import { LEFT_OUT, plainText, sentencesOf } from '../../../lib/sentences.ts'

const ITEM = /^\s*(?:[-*+•–]|\d{1,3}[.)])\s+\S/
const LAST_CHARACTERS = 30
const MOST_ITEMS = 12

/** Whether a sentence only introduces what stands below it, such as code, which is not quoted. */
export function introduces(sentence: string): boolean {
  return sentence.endsWith(LEFT_OUT) || sentence.endsWith(':')
}

/** The sentences of the list below a sentence that ends with a colon: `These files are supported:` */
export function listBelow(sentence: string, text: string): readonly string[] {
  return sentence.endsWith(':') ? listsOf(text)(sentence) : []
}

/** As `listBelow`, of many sentences of one text, whose lines are read once. */
export function listsOf(text: string): (sentence: string) => readonly string[] {
  const lines = text.split('\n')
  const plain: string[] = []
  return (sentence) => {
    const ending = sentence.slice(-LAST_CHARACTERS)
    const at = lines.findIndex((line, i) => {
      plain[i] ??= plainText(`${lines[i - 1] ?? ''} ${line}`)
      return plain[i].endsWith(ending)
    })
    return at < 0 ? [] : itemsBelow(lines, at)
  }
}

function itemsBelow(lines: readonly string[], at: number): readonly string[] {
  const below = lines.slice(at + 1)
  const start = below.findIndex((line) => line.trim() !== '')
  if (start < 0 || !ITEM.test(below[start]!)) return []
  const items: string[] = []
  for (const line of below.slice(start)) {
    if (line.trim() === '') continue
    if (!ITEM.test(line) && !/^\s{2,}\S/.test(line)) break
    if (ITEM.test(line) && items.filter((item) => ITEM.test(item)).length === MOST_ITEMS) break
    items.push(line)
  }
  return sentencesOf(items.join('\n'), 'joined')
}
