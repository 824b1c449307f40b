import { useState } from 'react'

/** A list of texts that this browser keeps, newest first. Without storage it is kept as long as the page. */
export function useRecent(name: string, most: number) {
  const [texts, setTexts] = useState<readonly string[]>(() => parsed(read(name)))
  const keep = (next: readonly string[]) => {
    setTexts(next)
    write(name, next.length === 0 ? undefined : JSON.stringify(next))
  }
  return {
    texts,
    add: (text: string) => keep([text, ...texts.filter((other) => other !== text)].slice(0, most)),
    clear: () => keep([]),
  }
}

/** A choice that this browser keeps. */
export function useKeptSwitch(name: string): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => read(name) === 'on')
  return [
    isOn,
    (next) => {
      setOn(next)
      write(name, next ? 'on' : undefined)
    },
  ]
}

function parsed(text: string | null): readonly string[] {
  if (text === null) return []
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Browsers may refuse storage altogether; then nothing was kept. */
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
