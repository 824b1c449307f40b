import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import type { Conversations } from './conversations.ts'
import { messages } from './messages.ts'

// Loaded after the search box, which is what most people open this page for.
const EmptyMemory = lazy(async () => ({ default: (await import('./empty-memory.tsx')).EmptyMemory }))
const LatestDay = lazy(async () => ({ default: (await import('../days/latest-day.tsx')).LatestDay }))

/** General examples, because the content of the memory is unknown. */
const EXAMPLES = [messages.exampleDecision, messages.exampleWaiting, messages.exampleChange, messages.exampleProblems]

const MOST_SHOWN = 5

/** Number of items and memories, and of items still processing. */
export function useOverview() {
  return useQuery({ queryKey: ['items', 'overview'], queryFn: () => call('GET /overview') })
}

/** Shown before the first search. */
export function StartPanel({
  recent,
  conversations,
  onSearch,
  onConversation,
  onClear,
}: {
  readonly recent: readonly string[]
  readonly conversations: Conversations
  readonly onSearch: (text: string) => void
  /** @param question of the conversation that `first` began */
  readonly onConversation: (first: string, question: string) => void
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
      <RecentConversations conversations={conversations} onChoose={onConversation} />
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

/** Those with follow-ups; other questions are among the recent searches. */
function RecentConversations({
  conversations: { list, clear },
  onChoose,
}: {
  readonly conversations: Conversations
  readonly onChoose: (first: string, question: string) => void
}) {
  const shown = list.filter(({ length }) => length > 1).slice(0, MOST_SHOWN)
  if (shown.length === 0) return null
  return (
    <section>
      <div className="flex min-h-8 items-center gap-3">
        <h2 className="text-soft text-sm font-medium">{messages.recentConversations}</h2>
        <Button look="quiet" size="small" onClick={clear}>
          {messages.clear}
        </Button>
      </div>
      <ul className="mt-2 flex flex-wrap gap-2">
        {shown.map((turns) => (
          <li key={turns[0].question} className="max-w-full">
            <Button
              onClick={() => onChoose(turns[0].question, turns.at(-1)?.question ?? turns[0].question)}
              className="h-auto max-w-full py-1.5 text-left whitespace-normal"
            >
              <bdi className="[overflow-wrap:anywhere]">{shownText(turns[0].question)}</bdi>
              <span className="text-soft">{messages.followUps(turns.length - 1)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
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
