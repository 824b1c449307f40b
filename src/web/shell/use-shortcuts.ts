import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'

/** After `g`: the pages below /app. */
export const PAGE_KEYS: Readonly<Record<string, string>> = {
  r: '/',
  d: '/days',
  p: '/people',
  s: '/sources',
  l: '/library',
  k: '/settings/keys',
  u: '/settings/usage',
  a: '/settings/activity',
  m: '/settings/models',
}
/** How long `g` waits for the next key. */
const SEQUENCE_MS = 1_500

type ShortcutPanel = 'palette' | 'help' | 'note'

/** Ctrl or Cmd+K opens the palette, `n` a new note, `?` the list of shortcuts, and `g` with a letter goes to a page. */
export function useShortcuts() {
  const [panel, setPanel] = useState<ShortcutPanel>()
  const [, go] = useLocation()
  useEffect(() => {
    let sequenceAt = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setPanel('palette')
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const path = event.timeStamp - sequenceAt < SEQUENCE_MS ? PAGE_KEYS[event.key] : undefined
      sequenceAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (path !== undefined) {
        event.preventDefault()
        go(path)
      } else if (event.key === '?' || event.key === 'n') {
        event.preventDefault()
        setPanel(event.key === 'n' ? 'note' : 'help')
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [go])
  return { panel, open: setPanel, close: () => setPanel(undefined) }
}

/** Also inside dialogs, where keys belong to the dialog; a check box takes no text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]') !==
      null
  )
}
