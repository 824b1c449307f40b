import { analyze, firstTerm } from '../../../lib/analyze.ts'
import type { Language } from './language.ts'
import { languageOf } from './language-of.ts'

const WORD = /\p{L}{4,}/gu
const MARKS = /\p{M}/gu
/** Shorter stems belong to many words. */
const SHORTEST_STEM = 4

/** Terms of other forms of a question's words, by the word's own term; none for English, whose terms are stems. */
export function inflections(question: string): ReadonlyMap<string, readonly string[]> {
  const language = languageOf(question)
  const found = new Map<string, readonly string[]>()
  if (language === undefined || language.endings.length === 0) return found
  for (const [word] of question.matchAll(WORD)) {
    const term = firstTerm(word)
    if (term !== undefined)
      found.set(
        term,
        formsOf(word, language).filter((form) => form !== term),
      )
  }
  return found
}

function formsOf(word: string, { endings, participle = '' }: Language): readonly string[] {
  const bare = word.toLowerCase().normalize('NFD').replace(MARKS, '').replaceAll('ß', 'ss')
  const own = participle !== '' && bare.startsWith(participle) ? bare.slice(participle.length) : bare
  const stems = new Set([bare, own, stemOf(own, endings)].filter((stem) => stem.length >= SHORTEST_STEM))
  const forms = [...stems].flatMap((stem) => [stem, ...endings.map((ending) => `${stem}${ending}`)])
  return [...new Set(forms.flatMap(analyze))]
}

/** Without the longest ending that leaves enough of it. */
function stemOf(word: string, endings: readonly string[]): string {
  const ending = endings
    .filter((one) => word.endsWith(one) && word.length - one.length >= SHORTEST_STEM)
    .toSorted((a, b) => b.length - a.length)[0]
  return ending === undefined ? word : word.slice(0, -ending.length)
}
