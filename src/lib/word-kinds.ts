import { readFileSync } from 'node:fs'
import { packagePath } from './files.ts'

/** A meaning: what it is called, and what it is a kind of. */
interface Meaning {
  readonly words: readonly string[]
  readonly kinds: number[]
}

interface Nouns {
  readonly meanings: readonly Meaning[]
  /** Numbers of the meanings of a word. */
  readonly of: ReadonlyMap<string, readonly number[]>
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
  const { meanings, of } = nouns
  const word = singular(category, of)
  const found = new Set<number>()
  const open = (CALLED.get(word) ?? [word]).flatMap((name) => of.get(name) ?? [])
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const kind of meanings[next]!.kinds) {
      if (found.has(kind)) continue
      found.add(kind)
      open.push(kind)
    }
  }
  const words = new Set([...found].flatMap((number) => meanings[number]!.words))
  if (words.size > MOST_KINDS) return new Set()
  return new Set([...words].filter((word) => !sharesStem(word, words, of)))
}

/** Whether a search takes a word for another thing: `boxing` and `boxes` have one stem. */
function sharesStem(word: string, words: ReadonlySet<string>, known: Nouns['of']): boolean {
  const stem = /^(.{3,})ing$/.exec(word)?.[1]
  if (stem === undefined) return false
  const bases = [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')]
  return bases.some((base) => known.has(base)) && !bases.some((base) => words.has(base))
}

function singular(word: string, known: Nouns['of']): string {
  const lower = word.toLowerCase()
  const forms = [lower, lower.replace(/ies$/, 'y'), lower.replace(/es$/, ''), lower.replace(/s$/, '')]
  return forms.find((form) => CALLED.has(form) || known.has(form)) ?? lower
}

/** Each line: the numbers of the lines that it is a kind of, with commas, and its words; `~` before those of a category only. */
function readNouns(): Nouns {
  const lines = readFileSync(packagePath('models/words-en/nouns.txt'), 'utf8').trimEnd().split('\n')
  const meanings: Meaning[] = []
  const of = new Map<string, number[]>()
  for (const [number, line] of lines.entries()) {
    const [above = '', ...names] = line.split(' ')
    meanings.push({ words: names.filter((name) => !name.startsWith('~')), kinds: [] })
    for (const one of above === '' ? [] : above.split(',')) meanings[Number(one)]!.kinds.push(number)
    for (const name of names) {
      const word = name.replace('~', '')
      const known = of.get(word)
      if (known) known.push(number)
      else of.set(word, [number])
    }
  }
  return { meanings, of }
}
