import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { useCallback, useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { ActivityKind, ActivityRecord } from '../../../http/app/schemas/activity.ts'
import { call } from '../../api/call.ts'
import { dateLocale } from '../../languages/catalog.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatTime } from '../../ui/formats.ts'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { actorLabel, actorValue, byDay, KIND_GROUPS } from './activity-groups.ts'
import { ActivityIcon } from './activity-icon.tsx'
import { ActivitySentence } from './activity-sentence.tsx'
import { messages } from './messages.ts'

/** What happened in the account, and who did it. */
export function ActivityPanel() {
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
    <Section title={messages.title} about={messages.about}>
      <ActivityFilters
        what={group?.value ?? ''}
        who={who}
        onWhat={(what) => change('what', what)}
        onWho={(actor) => change('who', actor)}
      />
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={8} label={messages.loading} />}
      {data !== undefined && records.length === 0 && (
        <NoActivity isFiltered={isFiltered} onAll={() => setSearch({}, { replace: true })} />
      )}
      {records.length > 0 && <ActivityList records={records} />}
      {hasNextPage && <MoreActivity isLoading={isFetchingNextPage} onMore={more} />}
    </Section>
  )
}

function NoActivity({ isFiltered, onAll }: { readonly isFiltered: boolean; readonly onAll: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={<Activity aria-hidden />}
        title={messages.noMatches}
        actions={<Button onClick={onAll}>{messages.showAll}</Button>}
      />
    )
  }
  return (
    <EmptyState
      icon={<Activity aria-hidden />}
      title={messages.emptyTitle}
      actions={
        <>
          <Link href="/sources/new" className={buttonClass('primary')}>
            {messages.connectSource}
          </Link>
          <Link href="/settings/keys" className={buttonClass()}>
            {messages.setUpAgent}
          </Link>
        </>
      }
    >
      {messages.emptyAbout}
    </EmptyState>
  )
}

const TYPES = [
  { value: '', label: messages.everyone },
  { value: 'person', label: messages.people },
  { value: 'key', label: messages.keys },
  { value: 'connection', label: messages.connections },
] as const

/** Filters by type and user. */
function ActivityFilters({
  what,
  who,
  onWhat,
  onWho,
}: {
  readonly what: string
  readonly who: string
  readonly onWhat: (what: string) => void
  readonly onWho: (who: string) => void
}) {
  const { data } = useActors()
  const actors = (data?.actors ?? []).map((actor) => ({ value: actorValue(actor), label: actorLabel(actor) }))
  const known = [...TYPES, ...actors]
  // The URL may name an actor who is not in the list.
  const options = known.some(({ value }) => value === who) ? known : [...known, { value: who, label: who }]
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <SegmentedChoice label={messages.type} value={what} options={KIND_GROUPS} onValue={onWhat} />
      <SelectField compact label={messages.actor} value={who} options={options} onValue={onWho} />
    </div>
  )
}

/** Day by day, newest first. */
function ActivityList({ records }: { readonly records: readonly ActivityRecord[] }) {
  const { person } = useViewer()
  return (
    <div className="flex flex-col gap-7">
      {byDay(records, new Date()).map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className="text-soft mb-2 text-sm font-medium">{day}</h2>
          <ul className="bg-sheet border-line rounded-card divide-line divide-y border">
            {ofDay.map(({ id, at, actor, entry }) => (
              <li key={id} className="flex items-start gap-3 px-4 py-2.5 text-sm">
                <ActivityIcon entry={entry} />
                <div className="min-w-0 flex-1 pt-0.5">
                  <ActivitySentence actor={actor} entry={entry} viewerId={person.id} />
                </div>
                <time
                  dateTime={at}
                  title={formatTime(at)}
                  className="text-soft shrink-0 pt-0.5 text-[0.8125rem] tabular-nums"
                >
                  {CLOCK.format(new Date(at))}
                </time>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const CLOCK = new Intl.DateTimeFormat(dateLocale(), { timeStyle: 'short' })

/** Loads more near the end of the list; the button is for keyboards and screen readers. */
function MoreActivity({ isLoading, onMore }: { readonly isLoading: boolean; readonly onMore: () => void }) {
  const sentinel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const end = sentinel.current
    if (end === null || isLoading) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '300px' })
    observer.observe(end)
    return () => observer.disconnect()
  }, [isLoading, onMore])
  return (
    <div ref={sentinel} className="flex justify-center">
      <Button look="quiet" busy={isLoading} onClick={onMore}>
        {isLoading ? messages.loadingEarlier : messages.showEarlier}
      </Button>
    </div>
  )
}

interface ActivityFilter {
  /** Absent: all types. */
  readonly kinds: readonly ActivityKind[] | undefined
  /** As the service names them: `key`, `person:person_1`. */
  readonly actor: string | undefined
}

/** Activity pages, newest first. */
function useActivity({ kinds, actor }: ActivityFilter) {
  return useInfiniteQuery({
    queryKey: ['activity', 'page', kinds, actor],
    queryFn: ({ pageParam, signal }) =>
      call('GET /activity', { query: { before: pageParam, kinds: kinds?.join(), actor }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  })
}

function useActors() {
  return useQuery({ queryKey: ['activity', 'actors'], queryFn: () => call('GET /activity/actors') })
}
