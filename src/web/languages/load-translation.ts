import { LANGUAGES, type Language, setCatalog, setServiceSentences } from './catalog.ts'
import type { Translation } from './translation.ts'

const STORAGE_KEY = 'recalld-language'

const TRANSLATIONS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Translation>>> = {
  de: async () => (await import('./de/german.ts')).german,
  ja: async () => (await import('./ja/japanese.ts')).japanese,
}

/** Loads the messages of the preferred language. English ones are part of the pages. */
export async function loadTranslation(): Promise<void> {
  const language = preferredLanguage()
  document.documentElement.lang = language
  if (language === 'en') return
  setCatalog(language, await TRANSLATIONS[language]())
  setServiceSentences((await import('./service-sentences.ts')).translatedSentence)
}

/** Saves the choice in this browser and loads the page again. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(STORAGE_KEY, chosen)
  location.reload()
}

/** The one chosen in this browser, else the browser's first one with a translation. */
function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(STORAGE_KEY) ?? '', ...navigator.languages]
  return wanted.map((tag) => tag.split('-')[0] ?? tag).find(isLanguage) ?? 'en'
}

function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code)
}
