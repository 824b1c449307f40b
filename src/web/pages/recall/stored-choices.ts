import { useState } from 'react'
import { useViewer } from '../../shell/use-session.ts'

/** The addresses of the searches that a person saved. */
export function useSavedSearches() {
  const { person, account } = useViewer()
  return useStoredTexts(`recalld-saved-${account.id}-${person.id}`)
}

/** A list of texts stored in this browser, newest first; without storage, kept until the page closes. */
export function useStoredTexts(name: string, most = Number.POSITIVE_INFINITY) {
  const [texts, setTexts] = useState<readonly string[]>(() => parseChoices(read(name)))
  const keep = (change: (texts: readonly string[]) => readonly string[]) => {
    const stored = read(name)
    // Other windows may have changed it.
    const next = change(stored === null ? texts : parseChoices(stored))
    setTexts(next)
    write(name, next.length === 0 ? undefined : JSON.stringify(next))
  }
  return {
    texts,
    add: (text: string) => keep((now) => [text, ...now.filter((other) => other !== text)].slice(0, most)),
    remove: (text: string) => keep((now) => now.filter((other) => other !== text)),
    clear: () => keep(() => []),
  }
}

/** A switch stored in this browser. */
export function useStoredSwitch(name: string): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => read(name) === 'on')
  return [
    isOn,
    (next) => {
      setOn(next)
      write(name, next ? 'on' : undefined)
    },
  ]
}

/** A text stored in this browser. */
export function useStoredText(name: string): readonly [text: string | null, set: (text: string | undefined) => void] {
  const [text] = useState(() => read(name))
  return [text, (next) => void write(name, next)]
}

function parseChoices(text: string | null): readonly string[] {
  if (text === null) return []
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Browsers may block storage. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function write(name: string, value: string | undefined): boolean {
  try {
    if (value === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
    return true
  } catch {
    return false
  }
}
