import { Search as SearchIcon, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { startMessages as messages } from './start-messages.ts'

const MOST_CHARACTERS = 1_000

interface SearchBoxProps {
  readonly box: RefObject<HTMLInputElement | null>
  readonly typed: string
  readonly onTyped: (text: string) => void
  readonly onSearch: (text: string) => void
  /** The arrow key down: to the results. */
  readonly onDown: () => void
}

/** The search box. `/` focuses it from anywhere on the page, and the arrow key down leads to the first result. */
export function SearchBox({ box, typed, onTyped, onSearch, onDown }: SearchBoxProps) {
  const [isFirst] = useState(typed === '')
  useFocusIfFree(box, isFirst)
  useSlash(box)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') onSearch(typed.trim())
  }
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || event.nativeEvent.isComposing) return
    event.preventDefault()
    onDown()
  }
  const clear = () => {
    onTyped('')
    onSearch('')
    box.current?.focus()
  }
  return (
    <search>
      <form onSubmit={submit} className="relative">
        <label htmlFor="question" className="sr-only">
          {messages.searchLabel}
        </label>
        <SearchIcon
          className="text-soft pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2"
          aria-hidden
        />
        <input
          ref={box}
          id="question"
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={MOST_CHARACTERS}
          value={typed}
          placeholder={messages.searchPlaceholder}
          aria-keyshortcuts="/"
          onChange={(event) => onTyped(event.target.value)}
          onKeyDown={keyDown}
          className="bg-sheet border-edge text-ink placeholder:text-soft block min-h-12 w-full rounded-xl border py-2 pr-34 pl-12 text-base shadow-sm sm:text-[1.0625rem]"
        />
        <div className="absolute top-1/2 right-2.5 flex -translate-y-1/2 items-center gap-1">
          {typed === '' ? (
            <kbd className="border-line text-soft mr-1 hidden rounded border px-1.5 text-xs sm:block" aria-hidden>
              /
            </kbd>
          ) : (
            <Button look="quiet" size="small" aria-label={messages.clearSearch} onClick={clear}>
              <X aria-hidden />
            </Button>
          )}
          <Button look="primary" type="submit">
            {messages.search}
          </Button>
        </div>
      </form>
    </search>
  )
}

/**
 * Focuses the box when its script loads, unless the user has already focused something else, which `autoFocus` would
 * ignore.
 */
function useFocusIfFree(box: RefObject<HTMLInputElement | null>, isWanted: boolean) {
  useLayoutEffect(() => {
    const { activeElement: focused } = document
    const ledHere = focused instanceof HTMLAnchorElement && focused.href === window.location.href
    if (isWanted && (focused === null || focused === document.body || ledHere)) box.current?.focus()
  }, [box, isWanted])
}

/** Focuses the box on `/`, unless the user is typing elsewhere. */
function useSlash(box: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')) return
      event.preventDefault()
      box.current?.focus()
      box.current?.select()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [box])
}
