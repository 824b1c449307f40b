import { useEffect, useRef } from 'react'
import type { ActivityRecord } from '../../../http/app/schemas/activity.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { formatTime } from '../../ui/formats.ts'
import { byDay } from './activity-groups.ts'
import { ActivityIcon } from './activity-icon.tsx'
import { ActivitySentence } from './activity-sentence.tsx'

/** Day by day, newest first. */
export function ActivityList({ records }: { readonly records: readonly ActivityRecord[] }) {
  const { person } = useViewer()
  return (
    <div className="flex flex-col gap-7">
      {byDay(records, new Date()).map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className="text-soft mb-2 text-sm font-medium">{day}</h2>
          <ul className="bg-sheet border-line rounded-card divide-line divide-y border">
            {ofDay.map(({ id, at, actor, entry }) => (
              <li key={id} className="flex items-start gap-3 px-4 py-2.5 text-sm">
                <ActivityIcon entry={entry} />
                <div className="min-w-0 flex-1 pt-0.5">
                  <ActivitySentence actor={actor} entry={entry} viewerId={person.id} />
                </div>
                <time
                  dateTime={at}
                  title={formatTime(at)}
                  className="text-soft shrink-0 pt-0.5 text-[0.8125rem] tabular-nums"
                >
                  {CLOCK.format(new Date(at))}
                </time>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })

/** Asks for more as soon as the end of the list is in sight; the button is for keyboards and screen readers. */
export function MoreActivity({ isLoading, onMore }: { readonly isLoading: boolean; readonly onMore: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const end = place.current
    if (end === null || isLoading) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '300px' })
    observer.observe(end)
    return () => observer.disconnect()
  }, [isLoading, onMore])
  return (
    <div ref={place} className="flex justify-center">
      <Button look="quiet" busy={isLoading} onClick={onMore}>
        {isLoading ? 'Loading earlier activity' : 'Show earlier activity'}
      </Button>
    </div>
  )
}
