import { CalendarX2, ChevronLeft, ChevronRight } from 'lucide-react'
import { Link, useLocation, useParams } from 'wouter'
import type { DayList } from '../../../http/app/schemas/days.ts'
import { buttonClass } from '../../ui/button.tsx'
import { isDay } from '../../ui/calendar-days.ts'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { EmptyState, Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { DaySection } from './day-section.tsx'
import { useDays, useToday } from './days-calls.ts'
import { messages } from './messages.ts'
import { dayTitle, PERIODS, parseSpan, type Span, shifted, spanAround, spanPath, spanTitle } from './periods.ts'

/** Entries of each group shown at first. */
const MOST = { day: 8, week: 4, month: 3 } as const

/** What happened on a day, in a week or in a month. */
export function DaysPage() {
  const today = useToday()
  const { day, period } = useParams<{ readonly day?: string; readonly period?: string }>()
  const span = parseSpan(day, period) ?? spanAround(today, 'day')
  const days = useDays(span)
  return (
    <Page title={messages.title} about={messages.about}>
      <Controls span={span} />
      <h2 className="text-xl font-semibold tracking-tight" aria-live="polite">
        {spanTitle(span)}
      </h2>
      {days.error !== null && <ProblemNote error={days.error} onRetry={() => void days.refetch()} />}
      {days.data === undefined && days.error === null && <Skeleton lines={6} label={messages.loading} />}
      {days.data !== undefined && (
        <div aria-busy={days.isPlaceholderData} className={days.isPlaceholderData ? 'opacity-50' : ''}>
          <Days list={days.data} span={span} />
        </div>
      )}
    </Page>
  )
}

function Controls({ span }: { readonly span: Span }) {
  const [, go] = useLocation()
  const { period } = span
  const today = useToday()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Link href={spanPath(shifted(span, -1))} aria-label={messages.previous[period]} className={buttonClass()}>
        <ChevronLeft aria-hidden />
      </Link>
      <Link href={spanPath(shifted(span, 1))} aria-label={messages.next[period]} className={buttonClass()}>
        <ChevronRight aria-hidden />
      </Link>
      <Link href={spanPath(spanAround(today, period))} className={buttonClass()}>
        {messages.today}
      </Link>
      <div className="w-fit">
        <input
          type="date"
          aria-label={messages.goToDate}
          value={span.from}
          onChange={({ target }) => isDay(target.value) && go(spanPath(spanAround(target.value, period)))}
          className={INPUT_CLASS}
        />
      </div>
      <div className="lg:ml-auto">
        <SegmentedChoice
          label={messages.period}
          value={period}
          options={PERIODS.map((value) => ({ value, label: messages.periods[value] }))}
          onValue={(value) => go(spanPath(spanAround(span.from, value)))}
        />
      </div>
    </div>
  )
}

function Days({ list, span }: { readonly list: DayList; readonly span: Span }) {
  if (list.days.length === 0) return <NothingThen list={list} />
  return (
    <div className="flex flex-col gap-10">
      {!list.is_complete && <Note>{messages.incomplete}</Note>}
      {list.days.map((day) => (
        <section key={day.day} className="flex flex-col gap-4">
          {span.period !== 'day' && (
            <h3 className="font-semibold">
              <Link href={spanPath(spanAround(day.day, 'day'))} className="text-inherit underline-offset-2">
                {dayTitle(day.day)}
              </Link>
            </h3>
          )}
          <DaySection
            day={day}
            most={MOST[span.period]}
            heading={span.period === 'day' ? 'h3' : 'h4'}
            isBrief={span.period === 'month'}
          />
        </section>
      ))}
    </div>
  )
}

function NothingThen({ list: { previous, next } }: { readonly list: DayList }) {
  if (previous === null && next === null) {
    return (
      <EmptyState
        icon={<CalendarX2 aria-hidden />}
        title={messages.nothingEver}
        actions={
          <Link href="/sources/new" className={buttonClass()}>
            {messages.connectSource}
          </Link>
        }
      >
        {messages.nothingEverAbout}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<CalendarX2 aria-hidden />}
      title={messages.nothing}
      actions={[previous, next].map(
        (day) =>
          day !== null && (
            <Link key={day} href={spanPath(spanAround(day, 'day'))} className={buttonClass()}>
              {messages.goTo(dayTitle(day))}
            </Link>
          ),
      )}
    >
      {messages.nothingAbout}
    </EmptyState>
  )
}
