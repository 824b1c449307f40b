export type Locale = 'de' | 'fr' | 'es' | 'ja' | 'zh'

/** How the closed classes of a language's words are said in English: question words, pronouns, prepositions, words of time. */
export interface LanguageTable {
  readonly locale: Locale
  /** Whether words are separated by spaces. */
  readonly isSpaced: boolean
  /** Question words: one of them at the beginning is enough to tell the language. */
  readonly starters?: RegExp
  /** Replaced first, in this order; a string is a pattern of whole words in any case. */
  readonly phrases: readonly (readonly [pattern: string | RegExp, english: string])[]
  /** `wen wem: whom`: words and their English; a comma or a line break between two entries, and `_` removes the words. */
  readonly words?: string
  /** Words that English has too, with another meaning: they are a weak sign of the language. */
  readonly shared?: string
  /** Dates in digits, with groups of the day, the month and, where it is written, the year. */
  readonly dates?: readonly RegExp[]
  /** Whether nouns have a capital, so that it is no sign of a name. */
  readonly capitalizesNouns?: boolean
  /** What forms of its nouns, adjectives and regular verbs end in, without accents. */
  readonly endings?: string
  /** What a participle begins with. */
  readonly participle?: string
  /** What a verb may begin with that stands apart from it in a sentence: `holt ab`. */
  readonly separable?: string
  /** What joins two nouns that are written as one, where they are. */
  readonly links?: string
  /** Nouns for the value that is asked for and for those who speak, which an answer seldom has: `date`, `price`, `parents`. */
  readonly generic?: string
  /** Groups of forms of one word, with a comma or a line break between two. */
  readonly forms?: string
  /** The same of words that mean nearly the same. */
  readonly synonyms?: string
}

/** A table that is ready to be used. */
export interface Language
  extends Pick<LanguageTable, 'locale' | 'isSpaced' | 'starters' | 'dates' | 'capitalizesNouns' | 'participle'> {
  readonly phrases: readonly (readonly [pattern: RegExp, english: string])[]
  /** By the word in lower case. */
  readonly words: ReadonlyMap<string, string>
  readonly shared: ReadonlySet<string>
  readonly endings: readonly string[]
  readonly separable: readonly string[]
  readonly links: readonly string[]
  readonly generic: ReadonlySet<string>
  readonly forms: readonly (readonly string[])[]
  readonly synonyms: readonly (readonly string[])[]
}

export function readLanguage({ phrases, words = '', shared = '', ...others }: LanguageTable): Language {
  const { endings = '', separable = '', links = '', generic = '', forms = '', synonyms = '' } = others
  return {
    ...others,
    phrases: phrases.map(([pattern, english]) => [
      typeof pattern === 'string' ? wholeWords(pattern) : pattern,
      english,
    ]),
    words: wordPairs(words),
    shared: new Set(shared.split(' ')),
    endings: listOf(endings),
    separable: listOf(separable),
    links: listOf(links),
    generic: new Set(listOf(generic)),
    forms: forms.split(/[,\n]/).map(listOf),
    synonyms: synonyms.split(/[,\n]/).map(listOf),
  }
}

function listOf(words: string): readonly string[] {
  return words.split(/\s+/).filter((word) => word !== '')
}

function wholeWords(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'giu')
}

function wordPairs(pairs: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const pair of pairs.split(/[,\n]/)) {
    const [words = '', english = ''] = pair.trim().split(': ')
    for (const word of words.split(' ')) if (word !== '') found.set(word, english)
  }
  // As people type without accents: `cuando`, `etait`; not where that is another word, such as `ou` or `passe`.
  for (const [word, english] of [...found]) {
    const bare = word.normalize('NFD').replace(/\p{M}/gu, '')
    if (!found.has(bare) && !/[éí]$/u.test(word)) found.set(bare, english)
    const typed = word.replace(/[äöü]/g, (vowel) => `${vowel.normalize('NFD')[0]}e`).replaceAll('ß', 'ss')
    if (!found.has(typed)) found.set(typed, english)
  }
  return found
}
