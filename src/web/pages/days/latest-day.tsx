import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import type { DayEntries } from '../../../http/app/schemas/days.ts'
import { buttonClass } from '../../ui/button.tsx'
import { dayBefore } from '../../ui/calendar-days.ts'
import { Skeleton } from '../../ui/notices.tsx'
import { DaySection } from './day-section.tsx'
import { useAnniversaries, useDays, useToday } from './days-calls.ts'
import { messages } from './messages.ts'
import { dayTitle, spanAround, spanPath } from './periods.ts'

/** Entries of each group shown at first. */
const MOST = 3

/** The latest day that has something, and the same date in earlier years. */
export function LatestDay() {
  const today = useToday()
  const now = useDays({ from: today, to: today })
  const earlier = now.data?.previous ?? today
  const before = useDays({ from: earlier, to: earlier })
  if (now.data === undefined) return now.error === null ? <Skeleton lines={4} label={messages.loading} /> : null
  const latest = now.data.days[0] ?? before.data?.days[0]
  return (
    <>
      {latest !== undefined && <DayCard title={relativeDay(latest.day, today)} day={latest} />}
      <OnThisDay today={today} />
    </>
  )
}

function OnThisDay({ today }: { readonly today: string }) {
  const { data } = useAnniversaries(today)
  const [latest] = data?.days ?? []
  if (latest === undefined) return null
  return <DayCard title={`${messages.onThisDay}: ${dayTitle(latest.day)}`} day={latest} />
}

function DayCard({ title, day }: { readonly title: string; readonly day: DayEntries }) {
  return (
    <section>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold">{title}</h2>
        <Link href={spanPath(spanAround(day.day, 'day'))} className={`${buttonClass('quiet', 'small')} -mr-2.5`}>
          {messages.openDay}
          <ChevronRight aria-hidden />
        </Link>
      </div>
      <DaySection day={day} most={MOST} />
    </section>
  )
}

/** `Today`, `Yesterday`, or the day itself. */
function relativeDay(day: string, today: string): string {
  if (day === today) return messages.today
  return day === dayBefore(today, 1) ? messages.yesterday : dayTitle(day)
}
