import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useViewer } from '../../shell/use-session.ts'
import { classNames } from '../../ui/class-names.ts'
import { loadable } from '../../ui/loadable.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { useConversations } from './conversations.ts'
import { NO_SEARCH, useSearch } from './search-address.ts'
import { SearchBox } from './search-box.tsx'
import { startMessages as messages } from './start-messages.ts'
import { StartPanel } from './start-panel.tsx'
import { useStoredTexts } from './stored-choices.ts'
import type { ChangeSearch } from './use-selection.ts'

// Loaded after the page: results are several times the size of the rest of this page.
const SearchResults = loadable(
  async () => (await import('./search-results.tsx')).SearchResults,
  () => <Skeleton lines={6} label={uiMessages.searching} />,
)
/** By then the first page is shown. */
const PRELOAD_MS = 500

const MOST_RECENT = 8
/** Fewer characters match nearly everything. */
const LEAST_TYPED = 3
/** A pause between two keys. Results that are drawn within 150 ms feel immediate. */
const TYPING_MS = 60

/** Of a text that is searched for by itself. */
const AFRESH = { hit: '', ignored: [], conversation: '' } as const

/** The first page: search the memory while typing, read what was found in its source, and get answers. */
export function RecallPage() {
  const { person, account } = useViewer()
  const { search, change } = useSearch()
  const owner = `${account.id}-${person.id}`
  const recent = useStoredTexts(`recalld-recent-${owner}`, MOST_RECENT)
  const conversations = useConversations(`recalld-conversations-${owner}`)
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTyped(search.text)
  const { shown, isPreview, changeShown } = useShown({ search, change, typed: typed.trim(), onSearch: recent.add })
  // Searching for the same text again refreshes the results.
  const [repeated, setRepeated] = useState(0)
  useResultsLoaded()
  const [entered, setEntered] = useState(0)
  const find = (text: string) => {
    if (text !== '') recent.add(text)
    if (text !== search.text) change(text === '' ? NO_SEARCH : { text, ...AFRESH })
    else setRepeated(repeated + 1)
  }
  const leave = useStable(() => box.current?.focus())
  const enter = () => {
    if (typed.trim() === '') return
    if (typed.trim() !== search.text) find(typed.trim())
    setEntered(entered + 1)
  }
  return (
    <Page title={messages.title} wide fill={shown.text !== ''}>
      <div className={classNames('shrink-0', search.hit !== '' && !isPreview && 'max-lg:hidden')}>
        <SearchBox box={box} typed={typed} onTyped={setTyped} onSearch={find} onDown={enter} />
      </div>
      {shown.text !== '' ? (
        <SearchResults
          search={shown}
          isPreview={isPreview}
          onChange={changeShown}
          conversations={conversations}
          repeated={repeated}
          entered={entered}
          onLeave={leave}
        />
      ) : (
        <StartPanel
          recent={recent.texts}
          conversations={conversations}
          onSearch={find}
          onConversation={(conversation, text) => change({ text, ...AFRESH, conversation })}
          onClear={recent.clear}
        />
      )}
    </Page>
  )
}

interface ShownInput extends ReturnType<typeof useSearch> {
  readonly typed: string
  readonly onSearch: (text: string) => void
}

/** The search, or what is found of a text while one types it, and how to change that. */
function useShown({ search, change, typed, onSearch }: ShownInput) {
  const paused = usePaused(typed)
  const isPreview = typed !== search.text && paused !== search.text && paused.length >= LEAST_TYPED
  const shown = useMemo(
    () => (isPreview ? { ...search, text: paused, ...AFRESH } : search),
    [isPreview, search, paused],
  )
  // Choosing among the results of a text that is still typed searches for it.
  const changeShown = useStable<ChangeSearch>((changed, options) => {
    if (!isPreview) return change(changed, options)
    onSearch(paused)
    change({ text: paused, ...AFRESH, ...changed })
  })
  return { shown, isPreview, changeShown }
}

/** The same function at each render, so that the results are not rendered again with every key. */
function useStable<Call extends (...values: never[]) => unknown>(call: Call): Call {
  const latest = useRef(call)
  latest.current = call
  return useCallback(((...values) => latest.current(...values)) as Call, [])
}

/** Loads the code of the results. */
function useResultsLoaded() {
  useEffect(() => {
    const timer = window.setTimeout(SearchResults.preload, PRELOAD_MS)
    return () => window.clearTimeout(timer)
  }, [])
}

/** What is in the box: the text of the search until somebody types, and again once another search is shown. */
function useTyped(text: string): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState({ since: text, text })
  // While rendering, so that the text of the search before is not looked up in between.
  if (typed.since !== text) setTyped({ since: text, text })
  return [typed.since === text ? typed.text : text, (next) => setTyped({ since: text, text: next })]
}

/** The text once nobody has typed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
