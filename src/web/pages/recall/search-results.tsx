import { SearchX } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { FoundMemory, RecallAnswer } from '../../../http/app/schemas/recall.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatDay, formatNoun } from '../../ui/formats.ts'
import { EmptyState, Note, Skeleton } from '../../ui/notices.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { AnswerPanel, RecallProblem } from './answer-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { memoryKey, useAnswer, useOverview, useRecall } from './recall-calls.ts'
import { ResultCard } from './result-card.tsx'
import { isFiltered, NO_FILTER, type Search } from './search-address.ts'
import { Waiting } from './start-panel.tsx'
import { useKeptSwitch } from './stored-choices.ts'
import { Timeline } from './timeline.tsx'

const ASKS = /[?？]\s*$/

interface FoundPartProps {
  readonly search: Search
  readonly onChange: (change: Partial<Search>) => void
  /** Grows when the same is searched again. */
  readonly repeated: number
}

/** What was found, how to narrow it, and beside it the answer to a question. */
export function FoundPart({ search, onChange, repeated }: FoundPartProps) {
  const recall = useRecall(search)
  const [isAlwaysAsked, setAlwaysAsked] = useKeptSwitch('recalld-ask')
  const [askedFor, setAskedFor] = useState('')
  const isAsked = isAlwaysAsked || askedFor === search.text || ASKS.test(search.text)
  const answer = useAnswer(search.text, isAsked)
  const [shown, setShown] = useState<'results' | 'answer'>('results')
  useAgain(repeated, () => {
    void recall.refetch()
    if (isAsked) void answer.refetch()
  })
  const show = (key: string) => {
    setShown('results')
    // After the results are shown again, where they lie behind the answer.
    requestAnimationFrame(() => showMemory(key))
  }
  const { data } = recall
  return (
    <div className="flex flex-col gap-5">
      <FilterBar search={search} found={data} onChange={onChange} />
      <div className="lg:hidden">
        <SegmentedChoice
          label="Shown"
          value={shown}
          onValue={setShown}
          options={[
            { value: 'results', label: data === undefined ? 'Results' : `Results (${data.results.length})` },
            { value: 'answer', label: 'Answer' },
          ]}
        />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className={classNames('min-w-0', shown === 'answer' && 'hidden lg:block')}>
          <Results search={search} recall={recall} onChange={onChange} onShow={show} />
        </div>
        {/* It stays beside the results; what of it the window has no room for is scrolled to in itself. */}
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
              // What is on the screen stays there.
              if (!isOn && isAsked) setAskedFor(search.text)
            }}
          />
        </div>
      </div>
    </div>
  )
}

function Results({
  search,
  recall,
  onChange,
  onShow,
}: Pick<FoundPartProps, 'search' | 'onChange'> & {
  readonly recall: ReturnType<typeof useRecall>
  readonly onShow: (key: string) => void
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
        {isFetching ? 'Searching' : `${formatNoun(count, 'result')} for ${shownText(search.text)}`}
      </p>
      <UnderstoodLine understood={data.understood} />
      {data.notice !== null && <Note>{data.notice}</Note>}
      {count === 0 && !isFetching && <NothingFound search={search} onChange={onChange} />}
      <Timeline results={data.results} onTime={(time) => onChange({ time })} />
      <ResultsList
        results={data.results}
        sort={search.sort}
        onPerson={(person) => onChange({ person })}
        onShow={onShow}
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

/** Scrolls to a memory among the results, puts the focus there and marks it for a moment. */
function showMemory(key: string) {
  const card = document.getElementById(`memory-${key}`)
  if (card === null) return
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  card.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' })
  card.focus({ preventScroll: true })
}

/** Best first, or newest first with those of no known time at the end. */
function ResultsList({
  results,
  sort,
  onPerson,
  onShow,
}: {
  readonly results: readonly FoundMemory[]
  readonly sort: 'relevance' | 'time'
  readonly onPerson: (person: string) => void
  readonly onShow: (key: string) => void
}) {
  const sorted = sort === 'relevance' ? results : results.toSorted((a, b) => timeOf(b) - timeOf(a))
  const here = new Set(results.map(memoryKey))
  return (
    <ol aria-label="Results" className="flex flex-col gap-3">
      {sorted.map((result) => (
        <li key={memoryKey(result)}>
          <ResultCard result={result} here={here} onPerson={onPerson} onShow={onShow} />
        </li>
      ))}
    </ol>
  )
}

function timeOf({ at }: FoundMemory): number {
  return at === null ? Number.NEGATIVE_INFINITY : new Date(at).getTime()
}

/** Cards that stand where results will be. */
function ResultSkeletons() {
  return (
    <div aria-busy className="flex flex-col gap-3">
      {['first', 'second', 'third'].map((card) => (
        <Card key={card}>
          <Skeleton lines={3} label="Searching" />
        </Card>
      ))}
    </div>
  )
}

/** Nothing is a valid answer: what is told, and what could be tried. */
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
        title={hasFilter ? 'Nothing fits within these filters' : 'Nothing in your memory fits'}
        actions={hasFilter && <Button onClick={() => onChange(NO_FILTER)}>Search without filters</Button>}
      >
        {hasFilter
          ? 'Search without them, or choose others.'
          : 'Try other words: names, places or terms that were used, or a whole sentence about what you remember.'}
      </EmptyState>
    </>
  )
}

/** What was read out of the question beside its words, so that nobody wonders. Nothing when there was nothing. */
function UnderstoodLine({ understood }: { readonly understood: RecallAnswer['understood'] }) {
  const { since, until, sources, words } = understood
  const guesses = words.filter(({ taken_as }) => taken_as.length > 0)
  const sentences = [
    ...timeWords(since, until).map((time) => `Your question names a time: ${time}.`),
    ...(sources.length > 0 ? [`What is from ${sources.map(sourceTitle).join(' or ')} counts more.`] : []),
    ...guesses.map(
      ({ word, taken_as }) =>
        `“${shownText(word)}” does not occur; ${taken_as.map((taken) => `“${shownText(taken)}”`).join(' and ')} counted instead.`,
    ),
  ]
  if (sentences.length === 0) return null
  return (
    <p className="text-soft text-sm">
      <bdi className="[overflow-wrap:anywhere]">{sentences.join(' ')}</bdi>
    </p>
  )
}

/** The upper end is the first moment that is not meant. */
function timeWords(since: string | null, until: string | null): string[] {
  const last = until === null ? undefined : formatDay(new Date(new Date(until).getTime() - 1))
  if (since === null) return last === undefined ? [] : [`until ${last}`]
  const first = formatDay(since)
  if (last === undefined) return [`since ${first}`]
  return [first === last ? `on ${first}` : `from ${first} to ${last}`]
}
