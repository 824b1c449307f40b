import type { RefetchOptions } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import type { AskAnswer, RecallAnswer } from '../../../http/app/schemas/recall.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatList } from '../../ui/formats.ts'
import { uiMessages } from '../../ui/messages.ts'
import { EmptyState, Note, Skeleton } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { AnswerPanel, RecallProblem } from './answer-panel.tsx'
import { answerParts } from './answer-parts.ts'
import { type Conversations, contextOf, turnsBefore } from './conversations.ts'
import { DayLink } from './day-link.tsx'
import { FilterBar } from './filter-bar.tsx'
import { memoryKey } from './memory-key.ts'
import { messages } from './messages.ts'
import { ReadingPane } from './reading-pane.tsx'
import { DEFAULT_LIMIT, MOST_RESULTS, useAnswer, useRecall } from './recall-calls.ts'
import { focusRow, ResultList } from './result-list.tsx'
import { type ResultRow, resultItemKey, resultRows } from './result-rows.ts'
import { isFiltered, NO_FILTER, type Search } from './search-address.ts'
import { useOverview, Waiting } from './start-panel.tsx'
import { useStoredSwitch } from './stored-choices.ts'
import { type ChangeSearch, type Selection, useSelection, useWide } from './use-selection.ts'

const ASKS = /[?？]\s*$/

export interface SearchResultsProps {
  /** With the text as it is typed. */
  readonly search: Search
  /** The text is not searched for yet, only looked up while it is typed. */
  readonly isPreview: boolean
  readonly onChange: ChangeSearch
  readonly conversations: Conversations
  /** Increases when the same search is repeated. */
  readonly repeated: number
  /** Increases when the focus shall go to the results. */
  readonly entered: number
  /** The focus shall go back to the search box. */
  readonly onLeave: () => void
}

/** Filters, the answer, the results, and beside them the source of the selected one. Not rendered again while one types. */
export const SearchResults = memo(function SearchResults(props: SearchResultsProps) {
  const { search, isPreview, onChange, repeated, entered, onLeave } = props
  const [limit, showMore] = useLimit(search)
  const { isAsked, isSearched, isAlwaysAsked, setAlwaysAsked, askAfterSearch } = useAsked(props)
  const conversation = useConversation(props)
  const { context } = conversation
  const recall = useRecall(search, { limit, context, isPreview: isPreview || !isSearched })
  const answer = useAnswer({ text: search.text, context }, isAsked)
  useRecorded(conversation, search.text, answer.data)
  const again = (options?: RefetchOptions) => Promise.all([recall.refetch(options), isAsked && answer.refetch(options)])
  // Whoever presses Enter twice gets the answer that is on its way.
  useAgain(repeated, () => void again({ cancelRefetch: false }))
  const { data } = recall
  const { rows, expanded, expand, reveal } = useRows(data, search.sort)
  const selection = useSelection(rows, search.hit, onChange)
  useEntered(entered, recall, selection.selected ?? rows[0])
  const show = (key: string) => {
    reveal(key)
    selection.select(key)
  }
  const hidden = selection.isOpen && 'hidden'
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <div className={classNames('contents', hidden)}>
        <FilterBar
          search={search}
          found={data}
          onChange={onChange}
          onAsk={isAsked || isPreview ? undefined : askAfterSearch}
        />
        {data !== undefined && !isFiltered(search) && <DayLink understood={data.understood} />}
        {isAsked && !recall.isLost && (
          <AnswerPanel
            question={search.text}
            turns={conversation.turns}
            onAsk={(text) => onChange({ text, conversation: conversation.first, hit: '', ignored: [] })}
            answer={answer}
            results={data?.results ?? []}
            onShow={show}
            isAlwaysAsked={isAlwaysAsked}
            onAlwaysAsked={setAlwaysAsked}
          />
        )}
      </div>
      <Found
        search={search}
        recall={recall}
        rows={rows}
        expanded={expanded}
        selection={selection}
        onExpand={expand}
        onShow={show}
        onChange={onChange}
        onEdited={() => again()}
        onLeave={onLeave}
        onMore={canShowMore(data, limit) ? showMore : undefined}
      />
    </div>
  )
})

/** Whether the text gets an answer, not only results. */
function useAsked({ search: { text, conversation }, isPreview }: SearchResultsProps) {
  const [isAlwaysAsked, setAlwaysAsked] = useStoredSwitch('recalld-ask')
  const [asked, setAsked] = useState({ text: '', isSearched: false })
  const isChosen = asked.text === text
  const isQuestion = isAlwaysAsked || conversation !== '' || ASKS.test(text)
  // A text counts once: as the first search, or as the question.
  const isSearched = isChosen ? asked.isSearched : !isQuestion
  return {
    ...{ isSearched, isAlwaysAsked },
    isAsked: !isPreview && (isQuestion || isChosen),
    askAfterSearch: () => setAsked({ text, isSearched }),
    setAlwaysAsked(isOn: boolean) {
      setAlwaysAsked(isOn)
      // Keep the answer that is shown.
      setAsked({ text, isSearched })
    },
  }
}

/** The conversation of the question: how it began, and what was said before. */
function useConversation({ search: { text, conversation }, conversations }: SearchResultsProps) {
  const turns = conversation === '' ? [] : turnsBefore(conversations.list, conversation, text)
  return { first: conversation || text, turns, context: contextOf(turns), record: conversations.record }
}

/** Keeps the first line of an answer in the history of this browser. */
function useRecorded(
  { first, record }: ReturnType<typeof useConversation>,
  question: string,
  answer: AskAnswer | undefined,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (answer === undefined) return
    const [line] = answerParts(
      answer.response,
      answer.citations.map(({ n }) => n),
    )
    record(first, { question, answer: answer.abstained ? messages.noClearAnswer : (line?.text ?? '') })
  }, [first, question, answer])
}

/** How many results are asked for; again the first ones when the search changes. */
function useLimit({ text, sources, connector, tag, time, person, ignored }: Search): readonly [number, () => void] {
  const of = JSON.stringify([text, sources, connector, tag, time, person, ignored])
  const [wanted, setWanted] = useState({ of, limit: DEFAULT_LIMIT })
  const limit = wanted.of === of ? wanted.limit : DEFAULT_LIMIT
  return [limit, () => setWanted({ of, limit: Math.min(MOST_RESULTS, limit + DEFAULT_LIMIT) })]
}

function canShowMore(data: RecallAnswer | undefined, limit: number): boolean {
  return data !== undefined && data.results.length >= limit && limit < MOST_RESULTS
}

function useRows(data: RecallAnswer | undefined, sort: Search['sort']) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const results = data?.results ?? []
  return {
    expanded,
    rows: resultRows(results, sort, expanded),
    expand: (item: string) => setExpanded(expanded.symmetricDifference(new Set([item]))),
    /** Expands the item of a result. */
    reveal(key: string) {
      const result = results.find((one) => memoryKey(one) === key)
      if (result !== undefined) setExpanded(expanded.union(new Set([resultItemKey(result)])))
    },
  }
}

function useAgain(repeated: number, again: () => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time, whatever has changed since
  useEffect(() => {
    if (repeated > 0) again()
  }, [repeated])
}

/** Focuses the first result once it is there. Results of what was typed before do not count: the search may not find them. */
function useEntered(entered: number, { isPlaceholderData, isLost }: ReturnType<typeof useRecall>, row?: ResultRow) {
  const done = useRef(0)
  const key = isPlaceholderData && !isLost ? undefined : row?.key
  useEffect(() => {
    if (entered === done.current || key === undefined) return
    done.current = entered
    focusRow(key)
  }, [entered, key])
}

/** Focuses the row whose source or item was shown once the list is back, unless something else has the focus. */
function useReturned(rows: readonly ResultRow[], { selected, isOpen }: Selection, hit: string) {
  const shown = useRef(hit)
  useEffect(() => {
    if (rows.length === 0) return
    if (isOpen) shown.current = selected?.key ?? ''
    else if (shown.current !== '') {
      if (document.activeElement === document.body) focusRow(shown.current)
      shown.current = ''
    }
  }, [rows, isOpen, selected])
}

interface FoundProps extends Pick<SearchResultsProps, 'search' | 'onChange' | 'onLeave'> {
  readonly recall: ReturnType<typeof useRecall>
  readonly rows: readonly ResultRow[]
  readonly expanded: ReadonlySet<string>
  readonly selection: ReturnType<typeof useSelection>
  readonly onExpand: (item: string) => void
  readonly onShow: (key: string) => void
  readonly onEdited: () => Promise<unknown>
  readonly onMore: (() => void) | undefined
}

function Found(props: FoundProps) {
  const { search, recall, rows, selection, onShow, onChange, onEdited } = props
  const isWide = useWide()
  useReturned(rows, selection, search.hit)
  const { data, error, isFetching, isLost } = recall
  if (error !== null) return <RecallProblem error={error} onRetry={() => void recall.refetch()} />
  if (data === undefined) return isLost ? <RunsLater /> : <ResultSkeletons />
  const count = data.results.length
  if (count === 0) return <NothingFound search={search} notice={data.notice} onChange={onChange} />
  const { selected, isOpen } = selection
  const position = rows.findIndex(({ key }) => key === selected?.key)
  return (
    <div
      aria-busy={isFetching}
      className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
    >
      <p role="status" className="sr-only">
        {isFetching ? uiMessages.searching : !isLost && messages.resultsFor(count, shownText(search.text))}
      </p>
      <div
        className={classNames(
          'bg-sheet border-line rounded-card relative min-h-0 border max-lg:overflow-hidden lg:overflow-y-auto lg:overscroll-contain',
          isOpen && 'hidden',
        )}
      >
        {isLost && <RunsLater isAbove />}
        <Notes data={data} />
        <ResultList {...props} count={count} items={new Set(data.results.map(resultItemKey)).size} />
      </div>
      {selected !== undefined && (isWide || isOpen) && (
        <div className="h-[calc(100dvh-6.25rem)] min-h-0 lg:h-auto">
          <ReadingPane
            result={selected.result}
            terms={data.understood.terms}
            here={new Set(data.results.map(memoryKey))}
            position={position}
            count={rows.length}
            onStep={(step) => selection.select(rows[position + step]?.key ?? selected.key)}
            onShow={onShow}
            onBack={isOpen ? selection.close : undefined}
            onPerson={(person) => onChange({ person, hit: '' })}
            onEdited={onEdited}
          />
        </div>
      )}
    </div>
  )
}

/** Why the results are limited, and which words were searched for instead of the typed ones. */
function Notes({ data: { notice, understood } }: { readonly data: RecallAnswer }) {
  const sentences = understood.words
    .filter(({ taken_as }) => taken_as.length > 0)
    .map(({ word, taken_as }) =>
      messages.replacedWord(shownText(word), formatList(taken_as.map((taken) => messages.quoted(shownText(taken))))),
    )
  if (notice === null && sentences.length === 0) return null
  return (
    <div className="border-line flex flex-col gap-2 border-b p-3">
      {notice !== null && <Note>{notice}</Note>}
      {sentences.length > 0 && (
        <p className="text-soft text-[0.8125rem]">
          <bdi className="[overflow-wrap:anywhere]">{sentences.join(' ')}</bdi>
        </p>
      )}
    </div>
  )
}

/** Instead of the results, or above those before. */
function RunsLater({ isAbove = false }: { readonly isAbove?: boolean }) {
  return (
    <div role="status" className={isAbove ? 'border-line border-b p-3' : ''}>
      <Note>{isAbove ? messages.runsLaterAbove : messages.runsLater}</Note>
    </div>
  )
}

/** Placeholder for results. */
function ResultSkeletons() {
  return (
    <div aria-busy className="bg-sheet border-line rounded-card flex flex-col gap-6 border p-5">
      {['first', 'second', 'third'].map((row) => (
        <Skeleton key={row} lines={3} label={uiMessages.searching} />
      ))}
    </div>
  )
}

/** Shown without results: what to try instead. */
function NothingFound({
  search,
  notice,
  onChange,
}: {
  readonly search: Search
  readonly notice: string | null
  readonly onChange: ChangeSearch
}) {
  const { data } = useOverview()
  const hasFilter = isFiltered(search)
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="sr-only">
        {messages.resultsFor(0, shownText(search.text))}
      </p>
      {notice !== null && <Note>{notice}</Note>}
      {data !== undefined && data.waiting > 0 && <Waiting waiting={data.waiting} />}
      <EmptyState
        icon={<SearchX aria-hidden />}
        title={hasFilter ? messages.noFilteredResults : messages.noResults}
        actions={hasFilter && <Button onClick={() => onChange(NO_FILTER)}>{messages.searchWithoutFilters}</Button>}
      >
        {hasFilter ? messages.changeFilters : messages.tryOtherWords}
      </EmptyState>
    </div>
  )
}
