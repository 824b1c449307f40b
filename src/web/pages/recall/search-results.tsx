import { SearchX } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { FoundMemory, RecallAnswer } from '../../../http/app/schemas/recall.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatDay } from '../../ui/formats.ts'
import { uiMessages } from '../../ui/messages.ts'
import { EmptyState, Note, Skeleton } from '../../ui/notices.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { AnswerPanel, RecallProblem } from './answer-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { messages } from './messages.ts'
import { memoryKey, useAnswer, useOverview, useRecall } from './recall-calls.ts'
import { ResultCard } from './result-card.tsx'
import { isFiltered, NO_FILTER, type Search } from './search-address.ts'
import { Waiting } from './start-panel.tsx'
import { useStoredSwitch } from './stored-choices.ts'
import { Timeline } from './timeline.tsx'

const ASKS = /[?？]\s*$/

interface SearchResultsProps {
  readonly search: Search
  readonly onChange: (change: Partial<Search>) => void
  /** Increases when the same search is repeated. */
  readonly repeated: number
}

/** Filters, results and the answer. */
export function SearchResults({ search, onChange, repeated }: SearchResultsProps) {
  const recall = useRecall(search)
  const [isAlwaysAsked, setAlwaysAsked] = useStoredSwitch('recalld-ask')
  const [askedFor, setAskedFor] = useState('')
  const isAsked = isAlwaysAsked || askedFor === search.text || ASKS.test(search.text)
  const answer = useAnswer(search.text, isAsked)
  const [shown, setShown] = useState<'results' | 'answer'>('results')
  const again = () => Promise.all([recall.refetch(), isAsked && answer.refetch()])
  useAgain(repeated, () => void again())
  const show = (key: string) => {
    setShown('results')
    // After the results are visible again on narrow screens.
    requestAnimationFrame(() => showMemory(key))
  }
  const { data } = recall
  return (
    <div className="flex flex-col gap-5">
      <FilterBar search={search} found={data} onChange={onChange} />
      <div className="lg:hidden">
        <ViewChoice view={shown} onView={setShown} count={data?.results.length} />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className={classNames('min-w-0', shown === 'answer' && 'hidden lg:block')}>
          <Results search={search} recall={recall} onChange={onChange} onShow={show} onEdited={again} />
        </div>
        {/* Sticky beside the results, with its own scroll bar if it is taller than the window. */}
        <div
          className={classNames(
            'min-w-0 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto',
            shown === 'results' && 'hidden lg:block',
          )}
        >
          <AnswerPanel
            answer={isAsked ? answer : undefined}
            results={data?.results ?? []}
            onShow={show}
            onAsk={() => setAskedFor(search.text)}
            isAlwaysAsked={isAlwaysAsked}
            onAlwaysAsked={(isOn) => {
              setAlwaysAsked(isOn)
              // Keep the answer that is shown.
              if (!isOn && isAsked) setAskedFor(search.text)
            }}
          />
        </div>
      </div>
    </div>
  )
}

/** Results or answer, on screens too narrow for both. */
function ViewChoice({
  view,
  onView,
  count,
}: {
  readonly view: 'results' | 'answer'
  readonly onView: (view: 'results' | 'answer') => void
  readonly count: number | undefined
}) {
  return (
    <SegmentedChoice
      label={messages.view}
      value={view}
      onValue={onView}
      options={[
        {
          value: 'results',
          label: count === undefined ? messages.results : messages.resultsCount(count),
        },
        { value: 'answer', label: messages.answer },
      ]}
    />
  )
}

function Results({
  search,
  recall,
  onChange,
  onShow,
  onEdited,
}: Pick<SearchResultsProps, 'search' | 'onChange'> & {
  readonly recall: ReturnType<typeof useRecall>
  readonly onShow: (key: string) => void
  readonly onEdited: () => Promise<unknown>
}) {
  const { data, error, isFetching } = recall
  if (error !== null) return <RecallProblem error={error} onRetry={() => void recall.refetch()} />
  if (data === undefined) return <ResultSkeletons />
  const count = data.results.length
  return (
    <div
      aria-busy={isFetching}
      className={classNames('flex flex-col gap-4 transition-opacity', isFetching && 'pointer-events-none opacity-50')}
    >
      <p role="status" className="sr-only">
        {isFetching ? uiMessages.searching : messages.resultsFor(count, shownText(search.text))}
      </p>
      <QueryInterpretation understood={data.understood} />
      {data.notice !== null && <Note>{data.notice}</Note>}
      {count === 0 && !isFetching && <NothingFound search={search} onChange={onChange} />}
      <Timeline results={data.results} onTime={(time) => onChange({ time })} />
      <ResultsList
        results={data.results}
        sort={search.sort}
        onPerson={(person) => onChange({ person })}
        onShow={onShow}
        onEdited={onEdited}
      />
    </div>
  )
}

function useAgain(repeated: number, again: () => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time, whatever has changed since
  useEffect(() => {
    if (repeated > 0) again()
  }, [repeated])
}

/** Scrolls to a memory in the results, focuses it and highlights it briefly. */
function showMemory(key: string) {
  const card = document.getElementById(`memory-${key}`)
  if (card === null) return
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  card.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' })
  card.focus({ preventScroll: true })
}

/** Best first, or newest first with undated ones at the end. */
function ResultsList({
  results,
  sort,
  onPerson,
  onShow,
  onEdited,
}: {
  readonly results: readonly FoundMemory[]
  readonly sort: 'relevance' | 'time'
  readonly onPerson: (person: string) => void
  readonly onShow: (key: string) => void
  readonly onEdited: () => Promise<unknown>
}) {
  const sorted = sort === 'relevance' ? results : results.toSorted((a, b) => resultTime(b) - resultTime(a))
  const here = new Set(results.map(memoryKey))
  return (
    <ol aria-label={messages.results} className="flex flex-col gap-3">
      {sorted.map((result) => (
        <li key={memoryKey(result)}>
          <ResultCard result={result} here={here} onPerson={onPerson} onShow={onShow} onEdited={onEdited} />
        </li>
      ))}
    </ol>
  )
}

function resultTime({ at }: FoundMemory): number {
  return at === null ? Number.NEGATIVE_INFINITY : new Date(at).getTime()
}

/** Placeholder cards for results. */
function ResultSkeletons() {
  return (
    <div aria-busy className="flex flex-col gap-3">
      {['first', 'second', 'third'].map((card) => (
        <Card key={card}>
          <Skeleton lines={3} label={uiMessages.searching} />
        </Card>
      ))}
    </div>
  )
}

/** Shown without results: what to try instead. */
function NothingFound({
  search,
  onChange,
}: {
  readonly search: Search
  readonly onChange: (change: Partial<Search>) => void
}) {
  const { data } = useOverview()
  const hasFilter = isFiltered(search)
  return (
    <>
      {data !== undefined && data.waiting > 0 && <Waiting waiting={data.waiting} />}
      <EmptyState
        icon={<SearchX aria-hidden />}
        title={hasFilter ? messages.noFilteredResults : messages.noResults}
        actions={hasFilter && <Button onClick={() => onChange(NO_FILTER)}>{messages.searchWithoutFilters}</Button>}
      >
        {hasFilter ? messages.changeFilters : messages.tryOtherWords}
      </EmptyState>
    </>
  )
}

/** Filters derived from the question: time, sources, replaced words. Empty if there are none. */
function QueryInterpretation({ understood }: { readonly understood: RecallAnswer['understood'] }) {
  const { since, until, sources, words } = understood
  const guesses = words.filter(({ taken_as }) => taken_as.length > 0)
  const sentences = [
    ...timeSpan(since, until).map((time) => messages.matchedTime(time)),
    ...(sources.length > 0 ? [messages.boostedSources(sources.map(sourceTitle).join(' or '))] : []),
    ...guesses.map(({ word, taken_as }) =>
      messages.replacedWord(shownText(word), taken_as.map((taken) => `“${shownText(taken)}”`).join(' and ')),
    ),
  ]
  if (sentences.length === 0) return null
  return (
    <p className="text-soft text-sm">
      <bdi className="[overflow-wrap:anywhere]">{sentences.join(' ')}</bdi>
    </p>
  )
}

/** @param until exclusive */
function timeSpan(since: string | null, until: string | null): string[] {
  const last = until === null ? undefined : formatDay(new Date(new Date(until).getTime() - 1))
  if (since === null) return last === undefined ? [] : [messages.untilDay(last)]
  const first = formatDay(since)
  if (last === undefined) return [messages.sinceDay(first)]
  return [first === last ? messages.onDay(first) : messages.daySpan(first, last)]
}
