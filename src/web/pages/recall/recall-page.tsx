import { lazy, Suspense, useEffect, useState } from 'react'
import { useViewer } from '../../shell/use-session.ts'
import { uiMessages } from '../../ui/messages.ts'
import { Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { messages } from './messages.ts'
import { NO_SEARCH, useSearch } from './search-address.ts'
import { SearchBox } from './search-box.tsx'
import { StartPanel } from './start-panel.tsx'
import { useRecent } from './stored-choices.ts'

// Loaded after the page: results are three times the size of the rest of this page.
const loadResults = async () => ({ default: (await import('./search-results.tsx')).SearchResults })
const SearchResults = lazy(loadResults)
/** By then the first page is shown. */
const PRELOAD_MS = 500

const MOST_RECENT = 8

/** The first page: search the memory, see results with explanations, and get answers. */
export function RecallPage() {
  const { person, account } = useViewer()
  const { search, change } = useSearch()
  const recent = useRecent(`recalld-recent-${account.id}-${person.id}`, MOST_RECENT)
  // Searching for the same text again refreshes the results.
  const [repeated, setRepeated] = useState(0)
  useEffect(() => {
    // A failure shows with the first search.
    const timer = window.setTimeout(() => void loadResults().catch(() => undefined), PRELOAD_MS)
    return () => window.clearTimeout(timer)
  }, [])
  const find = (text: string) => {
    if (text !== '') recent.add(text)
    if (text === search.text) setRepeated(repeated + 1)
    else change(text === '' ? NO_SEARCH : { text })
  }
  return (
    <Page title={messages.title} wide>
      <SearchBox text={search.text} onSearch={find} />
      {search.text === '' ? (
        <StartPanel recent={recent.texts} onSearch={find} onClear={recent.clear} />
      ) : (
        <Suspense fallback={<Skeleton lines={6} label={uiMessages.searching} />}>
          <SearchResults search={search} onChange={change} repeated={repeated} />
        </Suspense>
      )}
    </Page>
  )
}
