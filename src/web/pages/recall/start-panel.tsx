import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/call.ts'
import { loadable } from '../../ui/loadable.tsx'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { StartChoices, type StartChoicesProps } from './start-choices.tsx'
import { startMessages as messages } from './start-messages.ts'

// Loaded after the search box, which is what most people open this page for.
const EmptyMemory = loadable(async () => (await import('./empty-memory.tsx')).EmptyMemory)
const LatestDay = loadable(
  async () => (await import('../days/latest-day.tsx')).LatestDay,
  () => <Skeleton lines={4} />,
)
const OfferedModel = loadable(async () => (await import('./offered-model.tsx')).OfferedModel)

/** Number of items and memories, and of items still processing. */
export function useOverview() {
  return useQuery({ queryKey: ['items', 'overview'], queryFn: () => call('GET /overview') })
}

/** Shown before the first search. */
export function StartPanel(choices: StartChoicesProps) {
  const { data, error, refetch } = useOverview()
  useEffect(() => LatestDay.preload(), [])
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={4} />
  if (data.items === 0) {
    return (
      <div className="flex flex-col gap-8">
        <EmptyMemory />
        <OfferedModel />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-8">
      {data.waiting > 0 && <Waiting waiting={data.waiting} />}
      <StartChoices {...choices} />
      <LatestDay />
      <OfferedModel />
      <p className="text-soft text-sm">
        {messages.overview(data.memories, data.items)}
        {data.failed > 0 && (
          <>
            {' · '}
            <Link href="/library?states=failed" className="text-accent">
              {messages.failedItems(data.failed)}
            </Link>
          </>
        )}
      </p>
    </div>
  )
}

/** Items in processing are not searchable yet. */
export function Waiting({ waiting }: { readonly waiting: number }) {
  return <Note>{messages.processing(waiting)}</Note>
}
