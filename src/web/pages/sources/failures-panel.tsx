import { RotateCcw } from 'lucide-react'
import type { ConnectionDetail, SourceFailure } from '../../../http/app/schemas/sources.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { SafeLink } from '../../ui/safe-link.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { messages } from './messages.ts'
import { useConnectionActions } from './source-calls.ts'
import { statedProblem } from './source-problem.tsx'

/** Items that could not be synced, each with its reason, and a button to retry all. */
export function FailuresPanel({ detail, editable }: { readonly detail: ConnectionDetail; readonly editable: boolean }) {
  const { failures, failed, skipped, forgotten } = detail
  const { retry, isPending } = useConnectionActions(detail)
  if (failed + skipped + forgotten === 0) return null
  const counts = [
    failed > 0 && messages.failuresFailed(failed),
    skipped > 0 && messages.failuresSkipped(skipped),
    forgotten > 0 && messages.failuresDeleted(forgotten),
  ]
  return (
    <Panel
      title={messages.itemsNotSynced}
      about={`${counts.filter((part) => part !== false).join('; ')}.`}
      actions={
        editable && (
          <>
            {failed + skipped > 0 && (
              <Button size="small" busy={isPending} onClick={() => retry()}>
                <RotateCcw aria-hidden />
                {messages.retryAll}
              </Button>
            )}
            {forgotten > 0 && (
              <Button size="small" look="quiet" disabled={isPending} onClick={() => retry(true)}>
                {messages.restoreDeleted}
              </Button>
            )}
          </>
        )
      }
    >
      {failures.length > 0 ? <List failures={failures} rest={failed + skipped - failures.length} /> : undefined}
    </Panel>
  )
}

function List({ failures, rest }: { readonly failures: readonly SourceFailure[]; readonly rest: number }) {
  return (
    <ul className="divide-line flex flex-col divide-y">
      {failures.map((failure) => (
        <li key={`${failure.source_type} ${failure.item_id}`} className="flex flex-col gap-0.5 py-2.5 text-sm">
          <span className="flex flex-wrap items-center gap-2">
            <Badge tone={failure.phase === 'failed' ? 'warn' : 'plain'}>
              {failure.phase === 'failed' ? messages.columnFailed : messages.skipped}
            </Badge>
            <SafeLink href={failure.url ?? undefined} className="[overflow-wrap:anywhere]">
              <bdi>{shownText(failure.title || failure.item_id)}</bdi>
            </SafeLink>
          </span>
          <span className="text-soft text-[0.8125rem] [overflow-wrap:anywhere]">
            {failure.reason === null ? messages.noReason : statedProblem(failure.reason)}
            {failure.next_attempt_at !== null && (
              <>
                {messages.nextAttempt} <TimeAgo time={failure.next_attempt_at} />.
              </>
            )}
          </span>
        </li>
      ))}
      {rest > 0 && <li className="text-soft py-2.5 text-sm">{messages.andMore(rest)}</li>}
    </ul>
  )
}
