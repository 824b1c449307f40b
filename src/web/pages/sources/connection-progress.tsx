import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveProgress } from '../../../http/app/schemas/live-event.ts'
import type { Connection, PartNoun } from '../../../http/app/schemas/sources.ts'
import { formatCount, formatNoun, formatTime } from '../../ui/formats.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { shownText } from '../../ui/source-text.tsx'

/** How a connection is, in a sentence; while it runs, how far it is, as events tell. */
export function ConnectionProgress({ connection }: { readonly connection: Connection }) {
  const { id, running, progress: atLoad, words } = connection
  const queries = useQueryClient()
  const { data } = useQuery<LiveProgress>({ queryKey: ['sync', id], queryFn: skipToken })
  useEffect(() => {
    // The next run begins at nothing.
    if (!running) queries.removeQueries({ queryKey: ['sync', id] })
  }, [queries, running, id])
  const progress = running ? (data ?? atLoad) : null
  if (progress === null)
    return (
      <>
        <p className="text-sm [overflow-wrap:anywhere]">{shownText(words)}</p>
        {running && <ProgressBar label={`${connection.title} is being read`} value={null} most={1} />}
      </>
    )
  const { partitionsDone: done, partitionsTotal: total, partition, waitingUntil } = progress
  return (
    <>
      <p className="text-sm">
        {connection.last_success_at === null ? 'Reading for the first time' : 'Reading what is new'}
      </p>
      <div className="flex flex-col gap-1.5">
        <ProgressBar label={`${connection.title} is being read`} value={total === 0 ? null : done} most={total} />
        <p className="text-soft text-[0.8125rem] tabular-nums">
          {progressWords(progress, connection.part_noun)}
          {partition !== undefined && waitingUntil === undefined && (
            <>
              {' · '}
              <bdi className="[overflow-wrap:anywhere]">{shownText(partition)}</bdi>
            </>
          )}
        </p>
      </div>
    </>
  )
}

function progressWords(progress: LiveProgress, { one, many }: PartNoun): string {
  const { partitionsDone: done, partitionsTotal: total, memorized, unchanged, removed, failed, waitingUntil } = progress
  const facts = [
    total === 0 ? 'Looking what there is' : `${formatCount(done)} of ${formatNoun(total, one, many)}`,
    memorized > 0 && `${formatNoun(memorized, 'item')} taken`,
    unchanged > 0 && `${formatCount(unchanged)} unchanged`,
    removed > 0 && `${formatCount(removed)} removed`,
    failed > 0 && `${formatCount(failed)} failed`,
    waitingUntil !== undefined && `waits for the source’s limit until ${formatTime(waitingUntil)}`,
  ]
  return facts.filter((fact) => fact !== false).join(', ')
}
