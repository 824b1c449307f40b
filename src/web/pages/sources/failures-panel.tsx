import { RotateCcw } from 'lucide-react'
import type { ConnectionDetail, SourceFailure } from '../../../http/app/schemas/sources.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { formatCount, formatNoun } from '../../ui/formats.ts'
import { SafeLink } from '../../ui/safe-link.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useConnectionActions } from './source-calls.ts'

/** Items that could not be taken, each with its reason, and a way to have all of them tried again. */
export function FailuresPanel({ detail, editable }: { readonly detail: ConnectionDetail; readonly editable: boolean }) {
  const { failures, failed, skipped, forgotten } = detail
  const { retry, isPending } = useConnectionActions(detail)
  if (failed + skipped + forgotten === 0) return null
  const said = [
    failed > 0 && `${formatCount(failed)} failed, and ${failed === 1 ? 'is' : 'are'} tried again`,
    skipped > 0 && `${formatCount(skipped)} skipped, as nothing can be made of ${skipped === 1 ? 'it' : 'them'}`,
    forgotten > 0 && `${formatCount(forgotten)} forgotten by hand`,
  ]
  return (
    <Panel
      title="Not taken"
      about={`${said.filter((part) => part !== false).join('; ')}.`}
      actions={
        editable && (
          <>
            {failed + skipped > 0 && (
              <Button size="small" busy={isPending} onClick={() => retry()}>
                <RotateCcw aria-hidden />
                Retry all
              </Button>
            )}
            {forgotten > 0 && (
              <Button size="small" look="quiet" disabled={isPending} onClick={() => retry(true)}>
                Take the forgotten again
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
              {failure.phase === 'failed' ? 'Failed' : 'Skipped'}
            </Badge>
            <SafeLink href={failure.url ?? undefined} className="[overflow-wrap:anywhere]">
              <bdi>{shownText(failure.title || failure.item_id)}</bdi>
            </SafeLink>
          </span>
          <span className="text-soft text-[0.8125rem] [overflow-wrap:anywhere]">
            {shownText(failure.reason)}
            {failure.next_attempt_at !== null && (
              <>
                {' '}
                Next attempt <TimeAgo time={failure.next_attempt_at} />.
              </>
            )}
          </span>
        </li>
      ))}
      {rest > 0 && <li className="text-soft py-2.5 text-sm">and {formatNoun(rest, 'more', 'more')}</li>}
    </ul>
  )
}
