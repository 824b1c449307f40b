import { lazy, Suspense, useState } from 'react'
import { useViewer } from '../../shell/use-session.ts'
import { Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { NO_SEARCH, useSearch } from './search-address.ts'
import { SearchBox } from './search-box.tsx'
import { StartPanel } from './start-panel.tsx'
import { useRecent } from './stored-choices.ts'

// Cards, filters and answers are three times the rest of this page, and nothing is found before something is typed.
const FoundPart = lazy(async () => ({ default: (await import('./search-results.tsx')).FoundPart }))

const MOST_RECENT = 8

/** The first page: search the memory in your own words, see what was found and why, and have questions answered. */
export function RecallPage() {
  const { person, account } = useViewer()
  const { search, change } = useSearch()
  const recent = useRecent(`recalld-recent-${account.id}-${person.id}`, MOST_RECENT)
  // The same question again is a wish to have it asked again.
  const [repeated, setRepeated] = useState(0)
  const find = (text: string) => {
    if (text !== '') recent.add(text)
    if (text === search.text) setRepeated(repeated + 1)
    else change(text === '' ? NO_SEARCH : { text })
  }
  return (
    <Page title="Recall" wide>
      <SearchBox text={search.text} onSearch={find} />
      {search.text === '' ? (
        <StartPanel recent={recent.texts} onSearch={find} onClear={recent.clear} />
      ) : (
        <Suspense fallback={<Skeleton lines={6} label="Searching" />}>
          <FoundPart search={search} onChange={change} repeated={repeated} />
        </Suspense>
      )}
    </Page>
  )
}
