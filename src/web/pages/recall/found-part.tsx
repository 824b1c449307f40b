import { useEffect, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { formatNoun } from '../../ui/formats.ts'
import { Note } from '../../ui/notices.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { AnswerPanel } from './answer-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useKeptSwitch } from './kept-choice.ts'
import { NothingFound } from './nothing-found.tsx'
import { useAnswer, useRecall } from './recall-calls.ts'
import { RecallProblem } from './recall-problem.tsx'
import { ResultSkeletons } from './result-skeletons.tsx'
import { ResultsList } from './results-list.tsx'
import type { Search } from './search-address.ts'
import { Timeline } from './timeline.tsx'
import { UnderstoodLine } from './understood-line.tsx'

const ASKS = /[?？]\s*$/

export interface FoundPartProps {
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
