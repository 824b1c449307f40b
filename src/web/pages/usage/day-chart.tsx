import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { dateLocale } from '../../languages/catalog.ts'
import { classNames } from '../../ui/class-names.ts'
import { insideSentence } from '../../ui/formats.ts'
import { axisEnd, type DaySeries, OTHERS } from './day-series.ts'
import { messages } from './messages.ts'

const COLORS = [
  { fill: 'fill-chart-1', background: 'bg-chart-1' },
  { fill: 'fill-chart-2', background: 'bg-chart-2' },
  { fill: 'fill-chart-3', background: 'bg-chart-3' },
  { fill: 'fill-chart-4', background: 'bg-chart-4' },
  { fill: 'fill-chart-5', background: 'bg-chart-5' },
  { fill: 'fill-chart-6', background: 'bg-chart-6' },
] as const
const REST = { fill: 'fill-edge', background: 'bg-edge' } as const
/** Width of a bar; a day is 1 wide. */
const BAR = 0.72

export interface DayChartProps {
  /** What is counted: `Recalls`. */
  readonly title: string
  readonly days: readonly string[]
  readonly series: readonly DaySeries[]
  /** Formats an amount: `1.4 MB`. */
  readonly format: (amount: number) => string
  /** Minimum of the axis. */
  readonly least?: number
}

/**
 * Bars by day, stacked by series. Shows each day on hover and by keyboard (arrow keys); a table with the same data follows.
 */
export function DayChart(props: DayChartProps) {
  const { title, days, series, format, least = 2 } = props
  const [active, setActive] = useState<number>()
  const sums = days.map((_, index) => series.reduce((sum, { amounts }) => sum + (amounts[index] ?? 0), 0))
  const end = axisEnd(Math.max(...sums), least)
  return (
    <div className="flex flex-col gap-3">
      <Legend series={series} />
      <div className="flex gap-2">
        <div aria-hidden className="text-soft flex h-48 flex-col justify-between text-right text-xs leading-none">
          <span>{format(end)}</span>
          <span>{format(end / 2)}</span>
          <span>{format(0)}</span>
        </div>
        <div className="relative min-w-0 flex-1">
          <Bars days={days} series={series} end={end} active={active} />
          <Days {...props} sums={sums} active={active} onActive={setActive} />
          {active !== undefined && <Tip {...props} index={active} sum={sums[active] ?? 0} />}
          <div aria-hidden className="text-soft mt-1.5 flex justify-between text-xs">
            {[0, Math.floor((days.length - 1) / 2), days.length - 1].map((index) => (
              <span key={index}>{dayTitle(days[index])}</span>
            ))}
          </div>
        </div>
      </div>
      <details className="text-sm">
        <summary className="text-soft hover:text-ink w-fit text-[0.8125rem]">{messages.asTable(title)}</summary>
        <DayTable {...props} sums={sums} />
      </details>
    </div>
  )
}

function Legend({ series }: Pick<DayChartProps, 'series'>) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
      {series.map(({ id, title }, index) => (
        <li key={id} className="flex min-w-0 items-center gap-1.5">
          <span aria-hidden className={classNames('size-2.5 shrink-0 rounded-sm', seriesColor(id, index).background)} />
          <bdi className="min-w-0 [overflow-wrap:anywhere]">{title}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** Stretched to fit: a day is 1 wide, the axis 100 high. */
function Bars({
  days,
  series,
  end,
  active,
}: Pick<DayChartProps, 'days' | 'series'> & { readonly end: number; readonly active: number | undefined }) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${days.length} 100`}
      preserveAspectRatio="none"
      className="block h-48 w-full overflow-visible"
    >
      {[0, 50, 100].map((y) => (
        <line key={y} x1="0" x2={days.length} y1={y} y2={y} vectorEffect="non-scaling-stroke" className="stroke-line" />
      ))}
      {active !== undefined && <rect x={active} y="0" width="1" height="100" className="fill-raised" />}
      {days.map((day, index) => {
        let top = 100
        return series.map(({ id, amounts }, order) => {
          const height = ((amounts[index] ?? 0) / end) * 100
          if (height === 0) return null
          top -= height
          const x = index + (1 - BAR) / 2
          return (
            <rect
              key={`${day} ${id}`}
              x={x}
              y={top}
              width={BAR}
              height={height}
              className={seriesColor(id, order).fill}
            />
          )
        })
      })}
    </svg>
  )
}

/** One button per day over the bars: only one of them is a Tab stop, and arrow keys move between them. */
function Days({
  title,
  days,
  series,
  format,
  sums,
  active,
  onActive,
}: DayChartProps & {
  readonly sums: readonly number[]
  readonly active: number | undefined
  readonly onActive: (index: number | undefined) => void
}) {
  const row = useRef<HTMLDivElement>(null)
  const last = days.length - 1
  const move = (event: KeyboardEvent) => {
    const from = active ?? last
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key]
    if (event.key === 'Escape') onActive(undefined)
    if (to === undefined) return
    event.preventDefault()
    const day = row.current?.children.item(Math.min(last, Math.max(0, to)))
    if (day instanceof HTMLElement) day.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div
      ref={row}
      role="group"
      aria-label={messages.chartLabel(title)}
      className="absolute inset-x-0 top-0 flex h-48"
      onKeyDown={move}
      onPointerLeave={() => onActive(undefined)}
      onBlur={() => onActive(undefined)}
    >
      {days.map((day, index) => (
        <button
          key={day}
          type="button"
          tabIndex={index === (active ?? last) ? 0 : -1}
          aria-label={dayDescription({ title, series, format, day, index, sum: sums[index] ?? 0 })}
          className="h-full min-w-0 flex-1 rounded-sm"
          onPointerEnter={() => onActive(index)}
          onFocus={() => onActive(index)}
          onClick={() => onActive(index)}
        />
      ))}
    </div>
  )
}

function Tip({ days, series, format, index, sum }: DayChartProps & { readonly index: number; readonly sum: number }) {
  const parts = series.filter(({ amounts }) => (amounts[index] ?? 0) > 0)
  const isLeft = index < days.length / 2
  const middle = ((index + 0.5) / days.length) * 100
  return (
    <div
      aria-hidden
      className="bg-sheet border-line pointer-events-none absolute top-2 z-10 w-max max-w-56 rounded-lg border px-3 py-2 text-[0.8125rem] shadow-lg"
      style={isLeft ? { left: `calc(${middle}% + 0.75rem)` } : { right: `calc(${100 - middle}% + 0.75rem)` }}
    >
      <p className="flex justify-between gap-4 font-medium">
        <span>{dayTitle(days[index])}</span>
        <span>{format(sum)}</span>
      </p>
      {parts.map(({ id, title, amounts }) => (
        <p key={id} className="flex items-center gap-1.5">
          <span
            className={classNames(
              'size-2 shrink-0 rounded-sm',
              seriesColor(
                id,
                series.findIndex((one) => one.id === id),
              ).background,
            )}
          />
          <bdi className="min-w-0 flex-1 truncate">{title}</bdi>
          <span className="pl-3">{format(amounts[index] ?? 0)}</span>
        </p>
      ))}
    </div>
  )
}

function DayTable({ title, days, series, format, sums }: DayChartProps & { readonly sums: readonly number[] }) {
  const name = useId()
  const shown = days.map((day, index) => ({ day, index })).filter(({ index }) => (sums[index] ?? 0) !== 0)
  const cell = 'border-line border-b px-3 py-1.5 whitespace-nowrap'
  const amount = `${cell} text-right tabular-nums`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <section tabIndex={0} aria-labelledby={name} className="mt-2 max-h-80 overflow-auto">
      <table className="text-[0.8125rem]">
        <caption id={name} className="sr-only">
          {messages.tableCaption(title)}
        </caption>
        <thead className="bg-sheet sticky top-0">
          <tr>
            <th scope="col" className={`${cell} text-left`}>
              {messages.day}
            </th>
            {series.map((one) => (
              <th key={one.id} scope="col" className={amount}>
                <bdi>{one.title}</bdi>
              </th>
            ))}
            <th scope="col" className={amount}>
              {messages.total}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.toReversed().map(({ day, index }) => (
            <tr key={day}>
              <th scope="row" className={`${cell} text-left font-normal`}>
                {dayTitle(day)}
              </th>
              {series.map(({ id, amounts }) => (
                <td key={id} className={amount}>
                  {format(amounts[index] ?? 0)}
                </td>
              ))}
              <td className={`${amount} font-medium`}>{format(sums[index] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function dayDescription({
  title,
  series,
  format,
  day,
  index,
  sum,
}: Pick<DayChartProps, 'title' | 'series' | 'format'> & {
  readonly day: string
  readonly index: number
  readonly sum: number
}): string {
  const parts = series.filter(({ amounts }) => (amounts[index] ?? 0) > 0)
  const named = parts.map((one) => `${one.title} ${format(one.amounts[index] ?? 0)}`).join(', ')
  return `${dayTitle(day)}, ${insideSentence(title)}: ${format(sum)}${parts.length > 1 ? ` (${named})` : ''}`
}

function seriesColor(id: string, index: number) {
  return (id === OTHERS ? undefined : COLORS[index]) ?? REST
}

/** `4 Mar` for `2026-03-04`: a calendar day, independent of time zones. */
function dayTitle(day = ''): string {
  return new Intl.DateTimeFormat(dateLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(day),
  )
}
