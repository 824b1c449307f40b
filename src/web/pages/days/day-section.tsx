import { useState } from 'react'
import { Link } from 'wouter'
import type { DayEntries, DayEntry } from '../../../http/app/schemas/days.ts'
import { dateLocale } from '../../languages/catalog.ts'
import { useViewer } from '../../shell/use-session.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatCount } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { itemPath } from '../library/library-calls.ts'
import { PlainLine } from '../reading/marked-words.tsx'
import { groupEntries } from './day-groups.ts'
import { messages } from './messages.ts'

/** One day: what happened, by kind and in order of time. */
export function DaySection({
  day,
  most,
  heading = 'h3',
  isBrief = false,
}: {
  readonly day: DayEntries
  /** Titles only, where there are many days. */
  readonly isBrief?: boolean
  /** Of the groups. */
  readonly heading?: 'h3' | 'h4'
  /** Entries of each group shown at first. */
  readonly most: number
}) {
  return (
    <div className="flex flex-col gap-6">
      {groupEntries(day.entries).map(({ group, entries }) => (
        <Group key={group} title={messages.groups[group]} entries={entries} {...{ most, heading, isBrief }} />
      ))}
    </div>
  )
}

function Group({
  title,
  entries,
  most,
  heading: Heading,
  isBrief,
}: {
  readonly isBrief: boolean
  readonly heading: 'h3' | 'h4'
  readonly title: string
  readonly entries: readonly DayEntry[]
  readonly most: number
}) {
  const [isOpen, setOpen] = useState(false)
  // One more row takes no more room than the button.
  const isLong = entries.length > most + 1
  const shown = isLong && !isOpen ? entries.slice(0, most) : entries
  return (
    <section>
      <Heading className="text-soft mb-1.5 flex items-baseline gap-2 text-[0.8125rem] font-medium">
        {title}
        {entries.length > 1 && <span className="tabular-nums">{formatCount(entries.length)}</span>}
      </Heading>
      <ul className="border-line bg-sheet rounded-card divide-line divide-y overflow-hidden border">
        {shown.map((entry) => (
          <li key={`${entry.source}/${entry.item_id}`}>
            <EntryRow entry={entry} isBrief={isBrief} />
          </li>
        ))}
        {isLong && (
          <li>
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              className="text-soft hover:text-ink hover:bg-raised w-full px-4 py-2.5 text-left text-[0.8125rem] font-medium"
            >
              {isOpen ? messages.showFewer : messages.showMore(entries.length - most)}
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}

/** Time, source, title, and the first words of the source. */
function EntryRow({ entry, isBrief }: { readonly entry: DayEntry; readonly isBrief: boolean }) {
  const { source, title, headline, words, people, at, has_time: hasTime } = entry
  const { account } = useViewer()
  const name = title ?? headline ?? messages.untitled
  const said = words ?? headline
  return (
    <Link
      href={itemPath(entry)}
      className={classNames(
        'hover:bg-raised grid grid-cols-[2.75rem_1rem_minmax(0,1fr)] items-start gap-x-3 px-4 text-inherit no-underline transition-colors',
        isBrief ? 'py-2' : 'py-3',
      )}
    >
      <time dateTime={at} className="text-soft pt-0.5 text-[0.8125rem] tabular-nums">
        {hasTime && timeOfDay(at, account.time_zone)}
      </time>
      <span className="text-soft pt-1" title={sourceTitle(source)}>
        <SourceIcon sourceType={source} className="size-4" />
        <span className="sr-only">{sourceTitle(source)}</span>
      </span>
      <span className="min-w-0">
        <span className="flex flex-wrap items-baseline gap-x-3">
          <bdi className="font-medium [overflow-wrap:anywhere]">{shownText(name)}</bdi>
          {people.length > 0 && (
            <bdi className="text-soft min-w-0 truncate text-[0.8125rem]">{shownText(people.join(', '))}</bdi>
          )}
        </span>
        {!isBrief && said !== null && withoutStop(said) !== withoutStop(name) && (
          <span className="text-soft mt-0.5 line-clamp-4 text-sm">
            <PlainLine text={said} />
          </span>
        )}
      </span>
    </Link>
  )
}

/** `14:05` in the time zone of the account. */
function timeOfDay(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat(dateLocale(), { timeStyle: 'short', timeZone }).format(new Date(at))
}

/** A short note is its own title, but for the full stop. */
function withoutStop(text: string): string {
  return text.trim().replace(/[.。]$/u, '')
}
