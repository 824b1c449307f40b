import { useId } from 'react'
import type { FoundMemory } from '../../../http/app/schemas/recall.ts'
import { formatNoun } from '../../ui/formats.ts'
import { messages } from './messages.ts'
import type { TimeChoice } from './search-address.ts'
import { type TimeBin, timeBins } from './timeline-bins.ts'

/** Results by date as bars; a bar filters by its dates. Empty if all results share one bar. */
export function Timeline({
  results,
  onTime,
}: {
  readonly results: readonly Pick<FoundMemory, 'at'>[]
  readonly onTime: (time: TimeChoice) => void
}) {
  const title = useId()
  const bins = timeBins(results.flatMap(({ at }) => (at === null ? [] : [new Date(at)])))
  if (bins.length < 2) return null
  const most = Math.max(...bins.map(({ count }) => count))
  return (
    <section aria-labelledby={title} className="bg-sheet border-line rounded-card border px-4 pt-3 pb-2">
      <h2 id={title} className="sr-only">
        {messages.timeline}
      </h2>
      <ul className="flex h-16 items-end gap-px">
        {bins.map((bin) => (
          <li key={bin.from} className="flex h-full min-w-0 flex-1 items-end">
            {bin.count > 0 && <Bar bin={bin} most={most} onTime={onTime} />}
          </li>
        ))}
      </ul>
      <div aria-hidden className="border-line text-soft mt-px flex justify-between gap-4 border-t pt-1 text-xs">
        <span>{bins[0]?.title}</span>
        <span className="text-right">{bins.at(-1)?.title}</span>
      </div>
    </section>
  )
}

function Bar({
  bin: { from, to, title, count },
  most,
  onTime,
}: {
  readonly bin: TimeBin
  readonly most: number
  readonly onTime: (time: TimeChoice) => void
}) {
  const label = `${title}: ${formatNoun(count, 'result')}`
  return (
    <button
      type="button"
      aria-label={messages.onlyTheseResults(label)}
      title={label}
      onClick={() => onTime({ type: 'between', from, to })}
      className="group flex h-full w-full items-end justify-center"
    >
      <span
        className="bg-accent block w-full max-w-6 rounded-t-sm opacity-70 group-hover:opacity-100"
        style={{ height: `${Math.max(8, (count / most) * 100)}%` }}
      />
    </button>
  )
}
