import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'
import { useOverview } from './recall-calls.ts'

// Loaded after the search box, which is what most people open this page for.
const EmptyMemory = lazy(async () => ({ default: (await import('./empty-memory.tsx')).EmptyMemory }))
const LatestDay = lazy(async () => ({ default: (await import('../days/latest-day.tsx')).LatestDay }))

/** General examples, because the content of the memory is unknown. */
const EXAMPLES = [messages.exampleDecision, messages.exampleWaiting, messages.exampleChange, messages.exampleProblems]

/** Shown before the first search. */
export function StartPanel({
  recent,
  onSearch,
  onClear,
}: {
  readonly recent: readonly string[]
  readonly onSearch: (text: string) => void
  readonly onClear: () => void
}) {
  const { data, error, refetch } = useOverview()
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  if (data.items === 0) {
    return (
      <Suspense fallback={null}>
        <EmptyMemory />
      </Suspense>
    )
  }
  return (
    <div className="flex flex-col gap-8">
      {data.waiting > 0 && <Waiting waiting={data.waiting} />}
      {recent.length > 0 && (
        <Questions
          title={messages.recentSearches}
          texts={recent}
          onSearch={onSearch}
          action={
            <Button look="quiet" size="small" onClick={onClear}>
              {messages.clear}
            </Button>
          }
        />
      )}
      <Questions title={messages.examples} texts={EXAMPLES} onSearch={onSearch} />
      <Suspense fallback={null}>
        <LatestDay />
      </Suspense>
      <p className="text-soft text-sm">
        {messages.overview(data.memories, data.items)}
        {data.failed > 0 && (
          <>
            {'. '}
            <Link href="/library?states=failed" className="text-accent">
              {messages.failedItems(data.failed)}
            </Link>
          </>
        )}
        .
      </p>
    </div>
  )
}

function Questions({
  title,
  texts,
  onSearch,
  action,
}: {
  readonly title: string
  readonly texts: readonly string[]
  readonly onSearch: (text: string) => void
  readonly action?: React.ReactNode
}) {
  return (
    <section>
      <div className="flex min-h-8 items-center gap-3">
        <h2 className="text-soft text-sm font-medium">{title}</h2>
        {action}
      </div>
      <ul className="mt-2 flex flex-wrap gap-2">
        {texts.map((text) => (
          <li key={text} className="max-w-full">
            <Button onClick={() => onSearch(text)} className="h-auto max-w-full py-1.5 text-left whitespace-normal">
              <bdi className="[overflow-wrap:anywhere]">{shownText(text)}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Items in processing are not searchable yet. */
export function Waiting({ waiting }: { readonly waiting: number }) {
  return <Note>{messages.processing(waiting)}</Note>
}
