import { useEffect, useState } from 'react'
import type { FoundMemory } from '../../../http/app/schemas/recall.ts'
import { useViewer } from '../../shell/use-session.ts'
import { isDay } from '../../ui/calendar-days.ts'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { formatCount } from '../../ui/formats.ts'
import { FilterOption, FilterPopover } from './filter-popover.tsx'
import { messages } from './messages.ts'
import type { TimeChoice } from './search-address.ts'
import { lastDays, timeTitle } from './search-title.ts'
import { timeBins } from './timeline-bins.ts'

const LAST = [7, 30, 365] as const

interface TimeFilterProps {
  readonly time: TimeChoice
  readonly onTime: (time: TimeChoice) => void
  /** Those that are loaded. */
  readonly results: readonly Pick<FoundMemory, 'at'>[]
}

/** Filters by date: any time, the last days, a range, or a period in which results lie. */
export function TimeFilter({ time, onTime, results }: TimeFilterProps) {
  return (
    <FilterPopover label={messages.date} value={timeTitle(time)} isSet={time.type !== 'any'}>
      {(close) => {
        const choose = (choice: TimeChoice) => {
          onTime(choice)
          close()
        }
        return (
          <>
            <FilterOption isChosen={time.type === 'any'} onChoose={() => choose({ type: 'any' })}>
              {messages.anyTime}
            </FilterOption>
            {LAST.map((days) => (
              <FilterOption
                key={days}
                isChosen={time.type === 'last' && time.days === days}
                onChoose={() => choose({ type: 'last', days })}
              >
                {lastDays(days)}
              </FilterOption>
            ))}
            <Between time={time} onTime={onTime} />
            <Periods results={results} onTime={choose} />
          </>
        )
      }}
    </FilterPopover>
  )
}

/** The loaded results by date, as bars; each filters by its dates. */
function Periods({ results, onTime }: Pick<TimeFilterProps, 'results' | 'onTime'>) {
  const bins = timeBins(results.flatMap(({ at }) => (at === null ? [] : [new Date(at)]))).filter(
    ({ count }) => count > 0,
  )
  if (bins.length < 2) return null
  const most = Math.max(...bins.map(({ count }) => count))
  return (
    <section aria-label={messages.timeline} className="border-line mt-1.5 border-t pt-1.5">
      <h3 className="text-soft px-2 py-1 text-xs font-medium">{messages.timeline}</h3>
      <ul className="max-h-60 overflow-y-auto">
        {bins.toReversed().map(({ from, to, title, count }) => (
          <li key={from}>
            <button
              type="button"
              aria-label={messages.onlyTheseResults(title, count)}
              onClick={() => onTime({ type: 'between', from, to })}
              className="hover:bg-raised grid min-h-7 w-full grid-cols-[minmax(0,1fr)_4rem_1.5rem] items-center gap-2 rounded-md px-2 text-left text-xs"
            >
              <span className="truncate">{title}</span>
              <span aria-hidden className="bg-raised h-1.5 overflow-hidden rounded-full">
                <span className="bg-accent block h-full rounded-full" style={{ width: `${(count / most) * 100}%` }} />
              </span>
              <span className="text-soft text-right tabular-nums">{formatCount(count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Between({ time, onTime }: Pick<TimeFilterProps, 'time' | 'onTime'>) {
  const { time_zone } = useViewer().account
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const { from, to } = time.type === 'between' ? time : { from: '', to: '' }
  const change = (days: { readonly from: string; readonly to: string }) => {
    if (days.from === '' && days.to === '') onTime({ type: 'any' })
    else if (days.from === '' || days.to === '' || days.from <= days.to) onTime({ type: 'between', ...days })
  }
  return (
    <div className="border-line mt-1.5 flex flex-col gap-2 border-t px-2 pt-2.5 pb-1.5">
      <DayInput label={messages.fromDay} day={from} most={to} onDay={(day) => change({ from: day, to })} />
      <DayInput label={messages.toDay} day={to} least={from} onDay={(day) => change({ from, to: day })} />
      {own !== time_zone && <p className="text-soft text-xs">{messages.timeZones(own, time_zone)}</p>}
    </div>
  )
}

/** A date input that only reports complete dates. */
function DayInput({
  label,
  day,
  least = '',
  most = '',
  onDay,
}: {
  readonly label: string
  readonly day: string
  readonly least?: string
  readonly most?: string
  readonly onDay: (day: string) => void
}) {
  const [typed, setTyped] = useState(day)
  useEffect(() => setTyped(day), [day])
  return (
    <label className="text-soft grid grid-cols-[3rem_minmax(0,1fr)] items-center text-[0.8125rem]">
      {label}
      <input
        type="date"
        value={typed}
        min={least}
        max={most}
        onChange={(event) => {
          const value = event.target.value
          setTyped(value)
          if (value === '' || (isDay(value) && value >= '1000')) onDay(value)
        }}
        className={INPUT_CLASS}
      />
    </label>
  )
}
