/** Languages of the app, by code. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', ja: '日本語' } as const

export type Language = keyof typeof LANGUAGES

let current: Language = 'en'
let catalog: Readonly<Record<string, unknown>> | undefined
let isInUse = false

/** To be called before any module with messages is loaded, because messages are constants of their modules. */
export function setCatalog(language: Language, translation: object): void {
  if (isInUse) throw new Error('messages were loaded before their translation')
  current = language
  catalog = { ...translation }
}

let readSentence = (sentence: string): string => sentence

/** Sets how sentences of the service are put into the language of the page. */
export function setServiceSentences(read: (sentence: string) => string): void {
  readSentence = read
}

/** An error of the service in the language of the page; in English where it has no code. */
export function serviceSentence(sentence: string): string {
  return readSentence(sentence)
}

/** The language of the page, for numbers. */
export function currentLanguage(): Language {
  return current
}

/** For dates: English ones are written as `4 Mar 2026`. */
export function dateLocale(): string {
  return current === 'en' ? 'en-GB' : current
}

/** These messages of one area in the language of the page. */
export function translated<Messages>(area: string, english: Messages): Messages {
  isInUse = true
  // A translation has the names and parameters of the English messages (`Translation`).
  return catalog === undefined ? english : (catalog[area] as Messages)
}
