import { User, X } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import type { RecallAnswer } from '../../../http/app/schemas/recall.ts'
import { useViewer } from '../../shell/use-session.ts'
import { classNames } from '../../ui/class-names.ts'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { formatCount } from '../../ui/formats.ts'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SOURCE_TYPES, SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { messages } from './messages.ts'
import type { Search, TimeChoice } from './search-address.ts'
import { isDay } from './timeline-bins.ts'

interface FilterBarProps {
  readonly search: Search
  /** The last results, if any. */
  readonly found: RecallAnswer | undefined
  readonly onChange: (change: Partial<Search>) => void
}

/** Filters by date, person and source. */
export function FilterBar({ search, found, onChange }: FilterBarProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <TimeFilter time={search.time} onTime={(time) => onChange({ time })} />
        <PersonFilter
          person={search.person}
          people={found?.people.map(({ name }) => name) ?? []}
          onPerson={(person) => onChange({ person })}
        />
        <SegmentedChoice
          label={messages.sortResults}
          value={search.sort}
          onValue={(sort) => onChange({ sort })}
          options={[
            { value: 'relevance', label: messages.bestMatch },
            { value: 'time', label: messages.newestFirst },
          ]}
        />
      </div>
      <SourceFilter search={search} found={found} onChange={onChange} />
    </div>
  )
}

/** Sources of the results as buttons, all others in a select. */
function SourceFilter({ search, found, onChange }: FilterBarProps) {
  const { sources } = search
  const counts = new Map((found?.sources ?? []).map(({ source, count }) => [String(source), count]))
  const shown = [...new Set([...sources, ...counts.keys()])]
  const others = SOURCE_TYPES.filter((source) => !shown.includes(source))
  const toggle = (source: string) =>
    onChange({ sources: sources.includes(source) ? sources.filter((one) => one !== source) : [...sources, source] })
  return (
    <fieldset className="-m-1 flex min-w-0 items-center gap-2 p-1 max-sm:overflow-x-auto sm:flex-wrap">
      <legend className="sr-only">{messages.filterBySource}</legend>
      <div className="w-fit shrink-0">
        <SelectField
          compact
          label={messages.addSourceFilter}
          value=""
          onValue={(source) => source !== '' && toggle(source)}
          options={[
            { value: '', label: shown.length === 0 ? messages.anySource : messages.otherSource },
            ...others.map((source) => ({ value: source, label: sourceTitle(source) })),
          ]}
        />
      </div>
      {shown.map((source) => (
        <button
          key={source}
          type="button"
          aria-pressed={sources.includes(source)}
          onClick={() => toggle(source)}
          className={classNames(
            'inline-flex min-h-8 shrink-0 items-center gap-1.5 rounded-full border px-3 text-[0.8125rem] transition-colors',
            sources.includes(source)
              ? 'bg-accent-soft text-accent border-accent'
              : 'bg-sheet text-soft border-line hover:text-ink hover:bg-raised',
          )}
        >
          <SourceIcon sourceType={source} className="size-3.5 shrink-0" />
          <span>{sourceTitle(source)}</span>
          {counts.has(source) && <span className="tabular-nums">{formatCount(counts.get(source) ?? 0)}</span>}
          {sources.includes(source) && <X className="size-3.5 shrink-0" aria-hidden />}
        </button>
      ))}
    </fieldset>
  )
}

/** A name or part of one. Applies on Enter and on blur. */
function PersonFilter({
  person,
  people,
  onPerson,
}: {
  readonly person: string
  readonly people: readonly string[]
  readonly onPerson: (person: string) => void
}) {
  const [typed, setTyped] = useState(person)
  useEffect(() => setTyped(person), [person])
  const apply = (name: string) => name.trim() !== person && onPerson(name.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply(typed)
  }
  return (
    <form onSubmit={submit} className="relative w-44">
      <label htmlFor="person" className="sr-only">
        {messages.filterByPerson}
      </label>
      <User className="text-soft pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" aria-hidden />
      <input
        id="person"
        list="people"
        value={typed}
        maxLength={200}
        autoComplete="off"
        placeholder={messages.anyone}
        onChange={(event) => {
          setTyped(event.target.value)
          // Apply a complete name or an emptied box immediately.
          if (event.target.value === '' || people.includes(event.target.value)) apply(event.target.value)
        }}
        onBlur={() => apply(typed)}
        className={classNames(INPUT_CLASS, 'pl-9', person !== '' && 'border-accent')}
      />
      <datalist id="people">
        {people.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </form>
  )
}

const LAST = [7, 30, 365] as const

/** Filters by date: any time, the last days, or a range. */
function TimeFilter({ time, onTime }: { readonly time: TimeChoice; readonly onTime: (time: TimeChoice) => void }) {
  const [isOpen, setOpen] = useState(time.type === 'between')
  useEffect(() => setOpen(time.type === 'between'), [time.type])
  const choose = (value: string) => {
    setOpen(value === 'between')
    if (value === 'any') onTime({ type: 'any' })
    else if (value !== 'between') onTime({ type: 'last', days: Number(value) })
  }
  const others = time.type === 'last' && !LAST.some((days) => days === time.days) ? [time.days] : []
  return (
    <>
      <SelectField
        compact
        label={messages.date}
        value={isOpen ? 'between' : time.type === 'last' ? String(time.days) : 'any'}
        onValue={choose}
        options={[
          { value: 'any', label: messages.anyTime },
          ...[...LAST, ...others].map((days) => ({
            value: String(days),
            label: days === 365 ? messages.lastYear : messages.lastDays(days),
          })),
          { value: 'between', label: messages.customRange },
        ]}
      />
      {isOpen && <Between time={time} onTime={onTime} />}
    </>
  )
}

function Between({ time, onTime }: { readonly time: TimeChoice; readonly onTime: (time: TimeChoice) => void }) {
  const { time_zone } = useViewer().account
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const { from, to } = time.type === 'between' ? time : { from: '', to: '' }
  const change = (days: { readonly from: string; readonly to: string }) => {
    if (days.from === '' && days.to === '') onTime({ type: 'any' })
    else if (days.from === '' || days.to === '' || days.from <= days.to) onTime({ type: 'between', ...days })
  }
  return (
    <>
      <DayInput label={messages.fromDay} day={from} most={to} onDay={(day) => change({ from: day, to })} />
      <DayInput label={messages.toDay} day={to} least={from} onDay={(day) => change({ from, to: day })} />
      {own !== time_zone && (
        <p className="text-soft order-last basis-full text-xs">{messages.timeZones(own, time_zone)}</p>
      )}
    </>
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
    <div className="w-fit">
      <input
        type="date"
        aria-label={label}
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
    </div>
  )
}
