import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import type { DayEntries } from '../../../http/app/schemas/days.ts'
import { buttonClass } from '../../ui/button.tsx'
import { dayBefore } from '../../ui/calendar-days.ts'
import { Skeleton } from '../../ui/notices.tsx'
import { RecentSubjects } from '../people/recent-subjects.tsx'
import { AttentionNote } from '../sources/attention-note.tsx'
import { DaySection } from './day-section.tsx'
import { useAnniversaries, useDays, useToday } from './days-calls.ts'
import { messages } from './messages.ts'
import { dayTitle, spanAround, spanPath } from './periods.ts'

/** Entries of each group shown at first. */
const MOST = 3

/** What is there today: sources that need the person, the latest day, the same date in earlier years, and recent people and projects. */
export function LatestDay() {
  const today = useToday()
  const now = useDays({ from: today, to: today })
  const earlier = now.data?.previous ?? today
  const before = useDays({ from: earlier, to: earlier })
  if (now.data === undefined) return now.error === null ? <Skeleton lines={4} label={messages.loading} /> : null
  // What is below must not move when the latest day comes.
  const isWaiting = now.data.days.length === 0 && before.isPlaceholderData
  const latest = now.data.days[0] ?? before.data?.days[0]
  return (
    <>
      <AttentionNote />
      {isWaiting && <Skeleton lines={4} label={messages.loading} />}
      {latest !== undefined && <DayCard title={relativeDay(latest.day, today)} day={latest} />}
      <OnThisDay today={today} />
      <RecentSubjects />
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
      <div className="mb-3 flex items-center justify-between gap-2">
        <h2 className="text-base font-semibold">{title}</h2>
        <Link
          href={spanPath(spanAround(day.day, 'day'))}
          className={`${buttonClass('quiet', 'small')} -mr-2.5 shrink-0`}
        >
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
