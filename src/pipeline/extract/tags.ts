import { analyze } from '../../kit/analyze.ts'
import { PALE_WORDS } from './pale-words.ts'

const MOST_TAGS = 5
const SCANNED = 4_000
const WORD = /[\p{L}\p{N}\p{M}]+(?:[-_.'’/][\p{L}\p{N}\p{M}]+)*/gu
const HAS_LETTER = /\p{L}/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Number of passages of the document in which each term occurs. */
export type DocumentFrequencies = ReadonlyMap<string, number>

interface Candidate {
  readonly surfaces: Map<string, number>
  count: number
  readonly position: number
}

/**
 * The five words that say best what a passage is about: term frequency x inverse document frequency within its document,
 * divided by (.3 + position), position running from 0 to 1 (best of four formulas measured on e-mail subjects).
 */
export function tagsOf(
  text: string,
  frequencies: DocumentFrequencies,
  passages: number,
  names: ReadonlySet<string>,
): string[] {
  const scored: { tag: string; score: number }[] = []
  const length = Math.min(text.length, SCANNED)
  for (const [term, candidate] of candidatesIn(text, names)) {
    const rarity = Math.log(1 + passages / (frequencies.get(term) ?? 1))
    scored.push({ tag: surfaceOf(candidate), score: (candidate.count * rarity) / (0.3 + candidate.position / length) })
  }
  return scored
    .toSorted((a, b) => b.score - a.score || (a.tag < b.tag ? -1 : 1))
    .slice(0, MOST_TAGS)
    .map(({ tag }) => tag)
}

export function frequenciesOf(texts: readonly string[]): DocumentFrequencies {
  const frequencies = new Map<string, number>()
  if (texts.length < 2) return frequencies
  for (const text of texts) {
    for (const term of new Set(termsWithSurface(text).map(([term]) => term))) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
    }
  }
  return frequencies
}

function candidatesIn(text: string, names: ReadonlySet<string>): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>()
  for (const [term, surface, position] of termsWithSurface(text)) {
    const lower = surface.toLowerCase()
    if (names.has(lower) || PALE_WORDS.has(lower)) continue
    const known = candidates.get(term) ?? { surfaces: new Map<string, number>(), count: 0, position }
    known.count++
    known.surfaces.set(surface, (known.surfaces.get(surface) ?? 0) + 1)
    candidates.set(term, known)
  }
  return candidates
}

/** Index term, word as written, offset. Stop words and numbers have no term. */
function termsWithSurface(text: string): [term: string, surface: string, position: number][] {
  const terms: [string, string, number][] = []
  const scanned = text.slice(0, SCANNED).replace(/https?:\/\/\S+/g, (url) => ' '.repeat(url.length))
  for (const match of scanned.matchAll(WORD)) {
    const word = match[0].replace(/['’]s$/, '')
    if (UNSPACED.test(word)) terms.push(...unspacedTerms(word, match.index))
    else if (word.length >= 3 && word.length <= 40 && HAS_LETTER.test(word)) {
      const term = analyze(word)[0]
      if (term !== undefined) terms.push([term, word, match.index])
    }
  }
  return terms
}

let segmenter: Intl.Segmenter | undefined

/** Words of a run without spaces, by the dictionaries of ICU; the one place that needs them. */
function unspacedTerms(run: string, offset: number): [string, string, number][] {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  const terms: [string, string, number][] = []
  for (const { segment, index, isWordLike } of segmenter.segment(run)) {
    if (isWordLike && [...segment].length >= 2 && analyze(segment).length > 0)
      terms.push([segment, segment, offset + index])
  }
  return terms
}

/** The form most often written; in lower case unless it never is. */
function surfaceOf(candidate: Candidate): string {
  let best = ''
  let most = 0
  for (const [surface, count] of candidate.surfaces) {
    if (count > most || (count === most && surface === surface.toLowerCase())) [best, most] = [surface, count]
  }
  const isPlainWord = /^\p{Lu}\p{Ll}+$/u.test(best)
  return isPlainWord ? best.toLowerCase() : best
}
