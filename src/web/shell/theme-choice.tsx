import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../ui/class-names.ts'

const THEMES = [
  { id: 'system', title: 'As the system', icon: Monitor },
  { id: 'light', title: 'Light', icon: Sun },
  { id: 'dark', title: 'Dark', icon: Moon },
] as const
/** As in theme.js. */
const KEPT_AS = 'recalld-theme'

/** Light, dark, or as the system; kept in this browser. */
export function ThemeChoice() {
  const [chosen, setChosen] = useState(localStorage.getItem(KEPT_AS) ?? 'system')
  const choose = (id: string) => {
    setChosen(id)
    if (id === 'system') {
      localStorage.removeItem(KEPT_AS)
      delete document.documentElement.dataset.theme
    } else {
      localStorage.setItem(KEPT_AS, id)
      document.documentElement.dataset.theme = id
    }
  }
  return (
    <fieldset className="bg-raised flex w-fit gap-0.5 rounded-lg p-0.5">
      <legend className="sr-only">Theme</legend>
      {THEMES.map(({ id, title, icon: Icon }) => (
        <label
          key={id}
          title={title}
          className={classNames(
            'flex cursor-pointer items-center rounded-md p-1.5 has-focus-visible:outline-2 has-focus-visible:outline-accent',
            chosen === id ? 'bg-sheet text-ink shadow-sm' : 'text-soft hover:text-ink',
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
