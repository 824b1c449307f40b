import { analyze, firstTerm } from '../../../lib/analyze.ts'
import type { SearchIndex } from '../../../store/search/search.ts'
import { formsOf } from './inflections.ts'
import type { Language } from './language.ts'
import { languageOf } from './language-of.ts'

const WORD = /\p{L}{8,}/gu
const SIMPLE_WORD = /\p{L}{5,}/gu
const SHORTEST_PART = 4
/** What a word that is joined with another one counts as a share of the word alone. */
const JOINED_SHARE = 0.6
const MOST_JOINED = 6

/**
 * Writes compounds that are not stored as two words, where both are: `Zahnarzt termin`. Read once for both forms of a question.
 * @param text the form in which it is read
 * @param written as it was asked, if it is in another language
 */
export async function compoundSplitter(
  text: string,
  written: string | undefined,
  index: SearchIndex,
): Promise<(words: string) => string> {
  const language = written === undefined ? undefined : languageOf(written)
  if (language === undefined || language.links.length === 0) return (words) => words
  const compounds = [...new Set(`${text} ${written}`.match(WORD) ?? [])]
  const splits = compounds.map((word) => ({ word, own: analyze(word), parts: splitsOf(word, language) }))
  const asked = splits.flatMap(({ own, parts }) => [...own, ...parts.flatMap(({ head, tail }) => [...head, ...tail])])
  if (asked.length === 0) return (words) => words
  const { frequencies } = await index.termStatistics([...new Set(asked)])
  const isStored = (terms: readonly string[]) => terms.some((term) => (frequencies.get(term) ?? 0) > 0)
  const found = splits.flatMap(({ word, own, parts }) => {
    const split = isStored(own) ? undefined : parts.find(({ head, tail }) => isStored(head) && isStored(tail))
    return split === undefined ? [] : [[word, split.words] as const]
  })
  return (words) => found.reduce((left, [word, split]) => left.replace(word, split), words)
}

interface Split {
  /** Of the compound, as two words. */
  readonly words: string
  /** The terms of the first part and its forms. */
  readonly head: readonly string[]
  readonly tail: readonly string[]
}

/** The ways to divide a word, those with parts of about the same length first. */
function splitsOf(word: string, language: Language): readonly Split[] {
  const splits: Split[] = []
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
    const [first, second] = [word.slice(0, at), word.slice(at)]
    const tail = termsOf(second, language)
    const heads = [
      first,
      ...language.links.filter((link) => first.endsWith(link)).map((link) => first.slice(0, -link.length)),
    ]
    for (const head of heads) {
      if (head.length < SHORTEST_PART || language.words.has(head.toLowerCase()) || language.words.has(second)) continue
      splits.push({ words: `${head} ${second}`, head: termsOf(head, language), tail })
    }
  }
  const unevenness = ({ words }: Split) => Math.abs(words.indexOf(' ') * 2 + 1 - words.length)
  return splits.toSorted((a, b) => unevenness(a) - unevenness(b))
}

function termsOf(word: string, language: Language): readonly string[] {
  const own = firstTerm(word)
  return own === undefined ? [] : [own, ...formsOf(word, language)]
}

/** Stored words that are joined with a word of a question, by its term: `uniklinik` for `Klinik`. */
export async function joinedWords(
  written: string,
  index: SearchIndex,
): Promise<ReadonlyMap<string, readonly { readonly stem: string; readonly share: number }[]>> {
  const language = languageOf(written)
  if (language === undefined || language.links.length === 0) return new Map()
  const terms = (written.match(SIMPLE_WORD) ?? [])
    .filter((word) => !language.words.has(word.toLowerCase()))
    .flatMap((word) => firstTerm(word) ?? [])
  const found = await Promise.all(
    [...new Set(terms)].map(async (term) => {
      const joined = await index.compoundsOf(term, MOST_JOINED)
      return [term, joined.map((stem) => ({ stem, share: JOINED_SHARE }))] as const
    }),
  )
  return new Map(found)
}
