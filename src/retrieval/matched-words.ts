import { analyze } from '../lib/analyze.ts'

/** Places in a text, in UTF-16 units, in order and without overlaps. */
export type Spans = readonly (readonly [start: number, end: number])[]

// What holds an identifier together holds it together here; `analyze` then says which of its parts are terms.
const RUN = /[\p{L}\p{N}\p{M}_]+(?:['’.\-/\\@:&#,+][\p{L}\p{N}\p{M}_]+)*/gu
const PART = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]/u

/** Where a text holds one of these terms, in any form of the word. */
export function matchedSpans(text: string, terms: ReadonlySet<string>): Spans {
  const spans: [number, number][] = []
  for (const { index, 0: run } of text.matchAll(RUN)) {
    if (!holdsAny(run, terms)) continue
    for (const [start, end] of UNSPACED.test(run) ? pairs(run, terms) : parts(run, terms)) {
      const last = spans.at(-1)
      if (last !== undefined && last[1] >= index + start) last[1] = Math.max(last[1], index + end)
      else spans.push([index + start, index + end])
    }
  }
  return spans
}

/** The words of a question by their terms, as they are typed. */
export function typedWords(question: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>()
  for (const [run] of question.matchAll(RUN)) {
    const terms = analyze(run)
    const isWhole = terms.length === 1 || !UNSPACED.test(run)
    for (const term of terms) if (!words.has(term)) words.set(term, isWhole ? run : term)
  }
  return words
}

/** The first word of the texts that a term stands for, as it is written there. */
export function wordOf(term: string, texts: readonly string[]): string | undefined {
  for (const text of texts) {
    for (const [run] of text.matchAll(PART)) if (analyze(run).includes(term)) return run
  }
  return undefined
}

function holdsAny(text: string, terms: ReadonlySet<string>): boolean {
  return analyze(text).some((term) => terms.has(term))
}

/** The parts of an identifier that are terms; all of it where only the whole is one. */
function parts(run: string, terms: ReadonlySet<string>): [number, number][] {
  const found = [...run.matchAll(PART)]
    .filter(([part]) => holdsAny(part, terms))
    .map(({ index, 0: part }): [number, number] => [index, index + part.length])
  return found.length > 0 ? found : [[0, run.length]]
}

/** Text without spaces is indexed by pairs of characters. */
function pairs(run: string, terms: ReadonlySet<string>): [number, number][] {
  const characters = [...run]
  const spans: [number, number][] = []
  let at = 0
  for (const [i, character] of characters.entries()) {
    const pair = character + (characters[i + 1] ?? '')
    if (terms.has(pair) || terms.has(character)) {
      spans.push([at, at + (terms.has(pair) ? pair : character).length])
    }
    at += character.length
  }
  return spans.length > 0 ? spans : parts(run, terms)
}
