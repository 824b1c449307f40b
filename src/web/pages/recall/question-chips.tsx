import { X } from 'lucide-react'
import type { RecallAnswer } from '../../../http/app/schemas/recall.ts'
import { useViewer } from '../../shell/use-session.ts'
import { zonedDay } from '../../ui/calendar-days.ts'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { messages } from './messages.ts'
import type { Ignored, Search } from './search-address.ts'
import { timeTitle } from './search-title.ts'

interface Chip {
  readonly part: Ignored
  readonly text: string
  /** What keeps it as a filter of its own. */
  readonly filter: Partial<Search>
}

/**
 * The time, the person and the sources that the question itself names. Each can be dropped, which searches for its words
 * instead, or kept as a filter.
 */
export function QuestionChips({
  search,
  understood,
  onChange,
}: {
  readonly search: Search
  readonly understood: RecallAnswer['understood']
  readonly onChange: (change: Partial<Search>) => void
}) {
  const ignore = (part: Ignored) => [...search.ignored, part]
  const chips = questionChips(search, understood, useViewer().account.time_zone)
  if (chips.length === 0 && search.ignored.length === 0) return null
  return (
    <ul aria-label={messages.inQuestion} className="flex min-w-0 flex-wrap items-center gap-1.5 sm:pl-1">
      {chips.map(({ part, text, filter }) => (
        <li
          key={part}
          className="border-line bg-sheet flex min-h-8 max-w-full items-center rounded-full border text-[0.8125rem]"
        >
          <button
            type="button"
            title={messages.keepAsFilter}
            aria-label={messages.keepAsFilterOf(text)}
            onClick={() => onChange({ ...filter, ignored: ignore(part) })}
            className="hover:text-accent min-h-7 min-w-0 truncate rounded-l-full pl-3"
          >
            {text}
          </button>
          <button
            type="button"
            title={messages.searchWithout}
            aria-label={messages.searchWithoutOf(text)}
            onClick={() => onChange({ ignored: ignore(part) })}
            className="text-soft hover:text-ink grid size-7 shrink-0 place-items-center rounded-full"
          >
            <X className="size-3.5" aria-hidden />
          </button>
        </li>
      ))}
      {search.ignored.length > 0 && (
        <li>
          <button
            type="button"
            onClick={() => onChange({ ignored: [] })}
            className="text-soft hover:text-ink min-h-7 px-1.5 text-[0.8125rem] underline underline-offset-2"
          >
            {messages.useQuestion}
          </button>
        </li>
      )}
    </ul>
  )
}

/** Days are those of the account, in whose time zone the question was understood. */
function questionChips(
  { time, person, sources, connector }: Search,
  understood: RecallAnswer['understood'],
  timeZone: string,
): Chip[] {
  const chips: Chip[] = []
  const from = understood.since === null ? '' : zonedDay(new Date(understood.since), timeZone)
  const to = understood.until === null ? '' : zonedDay(new Date(new Date(understood.until).getTime() - 1), timeZone)
  if ((from !== '' || to !== '') && time.type === 'any') {
    const span = timeTitle({ type: 'between', from, to })
    chips.push({ part: 'time', text: span, filter: { time: { type: 'between', from, to } } })
  }
  if (understood.person !== null && person === '')
    chips.push({ part: 'person', text: shownText(understood.person), filter: { person: understood.person } })
  if (understood.sources.length > 0 && sources.length === 0) {
    const names = understood.sources.map(sourceTitle).join(', ')
    const text = understood.only_sources ? names : messages.ranksHigher(names)
    chips.push({ part: 'sources', text, filter: { sources: understood.sources } })
  }
  if (understood.connector !== null && connector === '' && sources.length === 0) {
    const { id, title } = understood.connector
    chips.push({ part: 'sources', text: title, filter: { connector: id } })
  }
  return chips
}
