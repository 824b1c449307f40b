import { Activity } from 'lucide-react'
import { useCallback } from 'react'
import { Link, useSearchParams } from 'wouter'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { useActivity } from './activity-calls.ts'
import { ActivityFilters } from './activity-filters.tsx'
import { KIND_GROUPS } from './activity-groups.ts'
import { ActivityList, MoreActivity } from './activity-list.tsx'

/** What happened in the account, and who did it. */
export function ActivityPage() {
  const [search, setSearch] = useSearchParams()
  const group = KIND_GROUPS.find(({ value }) => value === search.get('what')) ?? KIND_GROUPS[0]
  const who = search.get('who') ?? ''
  const change = (name: string, value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  const activity = useActivity({ kinds: group?.kinds, actor: who === '' ? undefined : who })
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = activity
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const records = data?.pages.flatMap(({ entries }) => entries) ?? []
  const isFiltered = group?.kinds !== undefined || who !== ''
  return (
    <Page
      title="Activity"
      about="What was asked, uploaded, forgotten, synced and changed in this account, and by whom."
    >
      <ActivityFilters
        what={group?.value ?? ''}
        who={who}
        onWhat={(what) => change('what', what)}
        onWho={(actor) => change('who', actor)}
      />
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={8} label="Loading the activity" />}
      {data !== undefined && records.length === 0 && (
        <Nothing isFiltered={isFiltered} onAll={() => setSearch({}, { replace: true })} />
      )}
      {records.length > 0 && <ActivityList records={records} />}
      {hasNextPage && <MoreActivity isLoading={isFetchingNextPage} onMore={more} />}
    </Page>
  )
}

function Nothing({ isFiltered, onAll }: { readonly isFiltered: boolean; readonly onAll: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={<Activity aria-hidden />}
        title="Nothing of this happened lately"
        actions={<Button onClick={onAll}>Show everything</Button>}
      />
    )
  }
  return (
    <EmptyState
      icon={<Activity aria-hidden />}
      title="Nothing happened yet"
      actions={
        <>
          <Link href="/sources/new" className={buttonClass('primary')}>
            Connect a source
          </Link>
          <Link href="/keys" className={buttonClass()}>
            Set up an agent
          </Link>
        </>
      }
    >
      What agents recall, what sources bring and what people change is listed here, a few seconds after it happens.
    </EmptyState>
  )
}
