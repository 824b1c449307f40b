import { analyze, firstTerm } from '../../../lib/analyze.ts'
import type { Language } from './language.ts'
import { languageOf } from './language-of.ts'

const WORD = /\p{L}{3,}/gu
const MARKS = /\p{M}/gu
/** Shorter stems belong to many words. */
const SHORTEST_STEM = 4
/** Less than the word itself, because an ending may also make another word: `Glas` and `Glaser`. */
const FORM_SHARE = 0.6
const SYNONYM_SHARE = 0.5

/** A term that stands for a word of a question, and what it counts as a share of it. */
export interface OtherForm {
  readonly stem: string
  readonly share: number
}

/** Terms of other forms of a question's words and of words that mean the same, by the word's own term; none for English. */
export function inflections(question: string): ReadonlyMap<string, readonly OtherForm[]> {
  const language = languageOf(question)
  const found = new Map<string, readonly OtherForm[]>()
  if (language === undefined || language.endings.length === 0) return found
  for (const [word] of question.matchAll(WORD)) {
    const term = firstTerm(word)
    if (term !== undefined) found.set(term, othersFor(word, term, language))
  }
  return found
}

function othersFor(word: string, own: string, language: Language): readonly OtherForm[] {
  const regular = word.length >= SHORTEST_STEM ? formsOf(word, language) : []
  const asked = new Set([own, ...regular])
  const inGroups = (groups: ReadonlyMap<string, ReadonlySet<string>>) =>
    [...asked].flatMap((term) => [...(groups.get(term) ?? [])])
  const { forms, synonyms } = groupsOf(language)
  const irregular = inGroups(forms)
  for (const term of irregular) asked.add(term)
  const shares = new Map<string, number>()
  for (const stem of inGroups(synonyms)) shares.set(stem, SYNONYM_SHARE)
  for (const stem of [...regular, ...irregular]) shares.set(stem, FORM_SHARE)
  for (const spelling of otherSpellings(word)) shares.set(spelling, 1)
  shares.delete(own)
  return [...shares].map(([stem, share]) => ({ stem, share }))
}

interface Groups {
  readonly forms: ReadonlyMap<string, ReadonlySet<string>>
  readonly synonyms: ReadonlyMap<string, ReadonlySet<string>>
}

const groups = new WeakMap<Language, Groups>()

/** On first use. */
function groupsOf(language: Language): Groups {
  const known = groups.get(language)
  if (known !== undefined) return known
  const read = { forms: byTerm(language.forms), synonyms: byTerm(language.synonyms) }
  groups.set(language, read)
  return read
}

/** The terms of all groups of a word, by its own term. */
function byTerm(lists: readonly (readonly string[])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const words of lists) {
    const terms = words.flatMap(analyze)
    for (const term of terms) {
      const others = found.get(term) ?? new Set()
      found.set(term, others)
      for (const other of terms) if (other !== term) others.add(other)
    }
  }
  return found
}

/** `Hoehe` for `Höhe`, and the other way round. */
function otherSpellings(word: string): readonly string[] {
  const lower = word.toLowerCase().normalize('NFC')
  const written = lower.replace(/(?<![aeq])([aou])e/g, '$1')
  const typed = lower.replace(/[äöü]/g, (vowel) => `${vowel.normalize('NFD')[0]}e`)
  return [written, typed].filter((spelling) => spelling !== lower).flatMap((spelling) => analyze(spelling).slice(0, 1))
}

/** Terms of the regular forms of a word. */
export function formsOf(word: string, language: Language): readonly string[] {
  const { endings, participle = '' } = language
  const bare = foldWord(word)
  const own = participle !== '' && bare.startsWith(participle) ? bare.slice(participle.length) : bare
  const stems = new Set(
    [bare, own, stemOf(own, endings), ...separated(bare, language)].filter((stem) => stem.length >= SHORTEST_STEM),
  )
  const forms = [...stems].flatMap((stem) => [stem, ...endings.map((ending) => `${stem}${ending}`)])
  return [...new Set(forms.flatMap(analyze))]
}

/** `abhol`, `abgehol` and `hol` of `abholen`. */
function separated(bare: string, { separable, participle = '', endings }: Language): readonly string[] {
  const prefix = separable
    .map(foldWord)
    .find((one) => bare.startsWith(one) && bare.length - one.length >= SHORTEST_STEM)
  if (prefix === undefined || participle === '') return []
  const rest = bare.slice(prefix.length)
  const verb = stemOf(rest.startsWith(participle) ? rest.slice(participle.length) : rest, endings)
  return [`${prefix}${verb}`, `${prefix}${participle}${verb}`, verb]
}

function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(MARKS, '').replaceAll('ß', 'ss')
}

/** Without the longest ending that leaves enough of it. */
function stemOf(word: string, endings: readonly string[]): string {
  const ending = endings
    .filter((one) => word.endsWith(one) && word.length - one.length >= SHORTEST_STEM)
    .toSorted((a, b) => b.length - a.length)[0]
  return ending === undefined ? word : word.slice(0, -ending.length)
}
