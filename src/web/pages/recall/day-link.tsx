import { CalendarDays, ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import type { RecallAnswer } from '../../../http/app/schemas/recall.ts'
import { useViewer } from '../../shell/use-session.ts'
import { zonedDay } from '../../ui/calendar-days.ts'
import { messages } from '../days/messages.ts'
import { type Span, spanOver, spanPath, spanTitle } from '../days/periods.ts'

/** Leads from a question that is only a time to the day, week or month that it asks about. */
export function DayLink({ understood }: { readonly understood: RecallAnswer['understood'] }) {
  const span = askedSpan(understood, useViewer().account.time_zone)
  if (span === undefined) return null
  return (
    <Link
      href={spanPath(span)}
      className="bg-sheet border-line rounded-card text-ink hover:bg-raised flex min-h-11 shrink-0 items-center gap-3 border px-4 py-2.5 text-sm font-medium no-underline"
    >
      <CalendarDays className="text-accent size-4.5 shrink-0" aria-hidden />
      <span className="min-w-0 flex-1">{messages.openSpan(spanTitle(span))}</span>
      <ChevronRight className="text-soft size-4 shrink-0" aria-hidden />
    </Link>
  )
}

/** Longer times, and those without a beginning or an end, have no page. */
function askedSpan({ only_time, since, until }: RecallAnswer['understood'], timeZone: string): Span | undefined {
  if (!only_time || since === null || until === null) return undefined
  return spanOver(zonedDay(new Date(since), timeZone), zonedDay(new Date(new Date(until).getTime() - 1), timeZone))
}
