import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../ui/class-names.ts'
import { uiMessages } from '../ui/messages.ts'

const THEMES = [
  { id: 'system', title: uiMessages.themes.system, icon: Monitor },
  { id: 'light', title: uiMessages.themes.light, icon: Sun },
  { id: 'dark', title: uiMessages.themes.dark, icon: Moon },
] as const
/** As in theme.js. */
const STORAGE_KEY = 'recalld-theme'

/** Light, dark or system theme, stored in this browser. */
export function ThemeChoice() {
  const [chosen, setChosen] = useState(localStorage.getItem(STORAGE_KEY) ?? 'system')
  const choose = (id: string) => {
    setChosen(id)
    if (id === 'system') {
      localStorage.removeItem(STORAGE_KEY)
      delete document.documentElement.dataset.theme
    } else {
      localStorage.setItem(STORAGE_KEY, id)
      document.documentElement.dataset.theme = id
    }
  }
  return (
    <fieldset className="bg-raised flex w-fit gap-0.5 rounded-lg p-0.5">
      <legend className="sr-only">{uiMessages.theme}</legend>
      {THEMES.map(({ id, title, icon: Icon }) => (
        <label
          key={id}
          title={title}
          className={classNames(
            'flex cursor-pointer items-center rounded-md p-1.5 has-focus-visible:outline-2 has-focus-visible:outline-accent',
            chosen === id ? 'bg-sheet dark:bg-line text-ink shadow-sm' : 'text-soft hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="theme"
            className="sr-only"
            checked={chosen === id}
            onChange={() => choose(id)}
            aria-label={title}
          />
          <Icon className="size-4" aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}
