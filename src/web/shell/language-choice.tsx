import { Languages } from 'lucide-react'
import { currentLanguage, LANGUAGES, type Language } from '../languages/catalog.ts'
import { chooseLanguage } from '../languages/load-translation.ts'
import { uiMessages } from '../ui/messages.ts'

/** The language of the app, stored in this browser. */
export function LanguageChoice() {
  return (
    <label className="text-soft hover:text-ink flex items-center gap-1.5 rounded-lg px-1.5 text-xs has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <Languages className="size-4" aria-hidden />
      <span className="sr-only">{uiMessages.language}</span>
      <select
        className="cursor-pointer bg-transparent py-1.5 outline-none"
        value={currentLanguage()}
        onChange={({ target }) => chooseLanguage(target.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code} className="bg-sheet text-ink">
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
