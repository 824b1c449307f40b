import { readFileSync } from 'node:fs'
import { packagePath } from './files.ts'

/** The word list: a line for each meaning. Its words are read only for the meanings that are asked for. */
interface Nouns {
  readonly text: string
  /** Of each line: where its words begin. */
  readonly starts: readonly number[]
  /** Of each line: the numbers of those that are a kind of it. */
  readonly kinds: readonly (readonly number[])[]
}

/** A category of more words says nothing: `thing`, `activity`. */
const MOST_KINDS = 1_500
/** What people call a category, and what it is called in the word list. */
const CALLED: ReadonlyMap<string, readonly string[]> = new Map([
  ['sport', ['sport', 'game']],
  ['instrument', ['musical_instrument']],
  ['pet', ['animal']],
  ['hobby', ['sport', 'game', 'pastime']],
  ['activity', ['sport', 'game', 'pastime', 'climb', 'art']],
  ['job', ['occupation', 'worker']],
  ['profession', ['occupation', 'worker', 'professional']],
])

let nouns: Nouns | undefined

/** English words for kinds of a thing: `cello` of `instrument`. Empty where it is no category, or a very wide one. */
export function kindsOf(category: string): ReadonlySet<string> {
  nouns ??= readNouns()
  const list = nouns
  const word = singular(category, list)
  const found = new Set<number>()
  const open = (CALLED.get(word) ?? [word]).flatMap((name) => meaningsOf(name, list))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const kind of list.kinds[next]!) {
      if (found.has(kind)) continue
      found.add(kind)
      open.push(kind)
    }
  }
  const words = new Set([...found].flatMap((number) => wordsOf(number, list)))
  if (words.size > MOST_KINDS) return new Set()
  return new Set([...words].filter((word) => !sharesStem(word, words, list)))
}

let singulars: ReadonlySet<string> | undefined

/** Whether a word in lower case is an English noun, in the singular or the plural. */
export function isEnglishNoun(word: string): boolean {
  nouns ??= readNouns()
  singulars ??= new Set(nouns.text.match(/(?<=[ ~])[a-z]{3,}(?=[ \n])/g))
  const list = singulars
  return [word, word.replace(/ies$/, 'y'), word.replace(/es$/, ''), word.replace(/s$/, '')].some((one) => list.has(one))
}

/** Whether a search takes a word for another thing: `boxing` and `boxes` have one stem. */
function sharesStem(word: string, words: ReadonlySet<string>, list: Nouns): boolean {
  const stem = /^(.{3,})ing$/.exec(word)?.[1]
  if (stem === undefined) return false
  const bases = [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')]
  return !bases.some((base) => words.has(base)) && bases.some((base) => meaningsOf(base, list).length > 0)
}

function singular(word: string, list: Nouns): string {
  const lower = word.toLowerCase()
  const forms = [lower, lower.replace(/ies$/, 'y'), lower.replace(/es$/, ''), lower.replace(/s$/, '')]
  return forms.find((form) => CALLED.has(form) || meaningsOf(form, list).length > 0) ?? lower
}

/** Numbers of the meanings of a word, also of those that it has as a category only. */
function meaningsOf(word: string, { text, starts }: Nouns): number[] {
  const found: number[] = []
  if (word === '') return found
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isWord = /[ ~]/.test(text[at - 1] ?? '') && /[ \n]/.test(text[at + word.length] ?? '')
    if (isWord) found.push(lineAt(at, starts))
  }
  return found
}

function lineAt(at: number, starts: readonly number[]): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** What a meaning is called, without words of a category only. */
function wordsOf(number: number, { text, starts }: Nouns): string[] {
  const start = starts[number]!
  const words = text.slice(start, text.indexOf('\n', start)).split(' ')
  return words.filter((word) => !word.startsWith('~'))
}

/** Each line: the numbers of the lines that it is a kind of, with commas, and its words; `~` before those of a category only. */
function readNouns(): Nouns {
  const text = readFileSync(packagePath('models/words-en/nouns.txt'), 'latin1')
  const starts: number[] = []
  const kinds: number[][] = []
  for (let line = 0; line < text.length; line = text.indexOf('\n', line) + 1) {
    const number = kinds.push([]) - 1
    const space = text.indexOf(' ', line)
    starts.push(space + 1)
    const above = space === line ? [] : text.slice(line, space).split(',')
    for (const one of above) kinds[Number(one)]!.push(number)
  }
  return { text, starts, kinds }
}
