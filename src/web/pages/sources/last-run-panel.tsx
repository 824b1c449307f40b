import type { LastReport } from '../../../http/app/schemas/sources.ts'
import { Panel } from '../../ui/card.tsx'
import { formatCount, formatTime } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { spanWords } from './span-words.ts'

const OUTCOMES: Readonly<Record<LastReport['outcome'], string>> = {
  ok: 'It read everything.',
  partial: 'It did not read everything; the next run goes on.',
  waiting: 'It waits for a limit of the source, and goes on by itself.',
  attention: 'It could not read on without you.',
  stopped: 'It was stopped.',
  aborted: 'It ended before it was through; the next run goes on.',
}

/** What the last run did. */
export function LastRunPanel({ report }: { readonly report: LastReport }) {
  const facts = [
    ['Began', report.started_at === null ? '-' : formatTime(report.started_at)],
    ['Took', spanWords(report.duration_ms)],
    ['Items looked at', formatCount(report.items)],
    ['Taken', formatCount(report.memorized)],
    ['Unchanged', formatCount(report.unchanged)],
    ['Removed', formatCount(report.removed)],
    ['Failed', formatCount(report.failed)],
    ['Still changing', formatCount(report.settling)],
    ['Requests', formatCount(report.requests)],
    ['Waited for limits', spanWords(report.waited_ms)],
  ] as const
  return (
    <Panel title="Last run" about={OUTCOMES[report.outcome]}>
      {report.problem !== null && (
        <p className="text-warn mb-3 text-sm [overflow-wrap:anywhere]">{shownText(report.problem)}</p>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-5">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-soft text-[0.8125rem]">{name}</dt>
            <dd className="text-sm tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
