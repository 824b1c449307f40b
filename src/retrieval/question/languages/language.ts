/** How the closed classes of a language's words are said in English: question words, pronouns, prepositions, words of time. */
export interface LanguageTable {
  readonly locale: 'de' | 'fr' | 'es' | 'ja' | 'zh'
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
  /** Whether nouns have a capital, so that it is no sign of a name. */
  readonly capitalizesNouns?: boolean
  /** What forms of its nouns, adjectives and regular verbs end in, without accents. */
  readonly endings?: string
  /** What a participle begins with. */
  readonly participle?: string
}

/** A table that is ready to be used. */
export interface Language
  extends Pick<LanguageTable, 'locale' | 'isSpaced' | 'starters' | 'capitalizesNouns' | 'participle'> {
  readonly phrases: readonly (readonly [pattern: RegExp, english: string])[]
  /** By the word in lower case. */
  readonly words: ReadonlyMap<string, string>
  readonly shared: ReadonlySet<string>
  readonly endings: readonly string[]
}

export function readLanguage({ phrases, words = '', shared = '', endings = '', ...others }: LanguageTable): Language {
  return {
    ...others,
    phrases: phrases.map(([pattern, english]) => [
      typeof pattern === 'string' ? wholeWords(pattern) : pattern,
      english,
    ]),
    words: wordPairs(words),
    shared: new Set(shared.split(' ')),
    endings: endings === '' ? [] : endings.split(' '),
  }
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
  }
  return found
}
