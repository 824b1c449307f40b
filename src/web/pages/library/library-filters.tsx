import { useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { LibraryList, LibrarySort } from '../../../http/app/schemas/library.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { formatCount } from '../../ui/formats.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { SOURCE_TYPES, sourceTitle } from '../../ui/source-type.tsx'
import { connectorsQuery, type LibraryFilter, tagsQuery } from './library-calls.ts'
import { messages } from './messages.ts'
import { STATES } from './state-badge.tsx'

interface FilterProps {
  readonly filter: LibraryFilter
  readonly onChange: (change: Partial<LibraryFilter>) => void
  /** Absent until counted. */
  readonly list: LibraryList | undefined
}

/** Filters of the library: text, source, status and order. */
export function LibraryFilters({ filter, onChange, list }: FilterProps) {
  return (
    <search className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2 max-lg:[&>select]:min-w-36 max-lg:[&>select]:flex-1">
        <TextFilter text={filter.text} onText={(text) => onChange({ text })} />
        <SelectField
          compact
          label={messages.source}
          value={filter.sources.join(',')}
          onValue={(source) => onChange({ sources: source === '' ? [] : source.split(',') })}
          options={sourceOptions(filter, list)}
        />
        <SelectField
          compact
          label={messages.sort}
          value={filter.sort}
          onValue={(sort) => onChange({ sort: SORTS.find(({ value }) => value === sort)?.value ?? 'newest' })}
          options={SORTS}
        />
        <ConnectorFilter connector={filter.connector} onConnector={(connector) => onChange({ connector })} />
        <TagFilter tag={filter.tag} onTag={(tag) => onChange({ tag })} />
      </div>
      <StateFilter filter={filter} onChange={onChange} list={list} />
    </search>
  )
}

/** Applies when typing pauses. */
const PAUSE_MS = 250

function TextFilter({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the wait
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => onText(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  // After going back or clearing the filters.
  useEffect(() => setTyped(text), [text])
  return (
    <div className="relative min-w-48 flex-1 max-lg:basis-full">
      <Search className="text-soft pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" aria-hidden />
      <input
        type="search"
        aria-label={messages.searchItems}
        placeholder={messages.searchItems}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        className={classNames(INPUT_CLASS, 'pl-9')}
      />
    </div>
  )
}

function sourceOptions({ sources }: LibraryFilter, list: LibraryList | undefined) {
  const counted = list?.sources ?? []
  const options = counted.map(({ source, count }) => ({
    value: source as string,
    label: `${sourceTitle(source)} (${formatCount(count)})`,
  }))
  const chosen = sources.join(',')
  // Keep selected sources in the list even without items.
  if (chosen !== '' && !options.some(({ value }) => value === chosen)) {
    const known = sources.filter((source) => SOURCE_TYPES.includes(source))
    options.unshift({ value: chosen, label: known.map(sourceTitle).join(', ') || chosen })
  }
  return [{ value: '', label: messages.allSources }, ...options]
}

/** Absent while every connector has a source type of its own. */
function ConnectorFilter({
  connector,
  onConnector,
}: {
  readonly connector: string
  readonly onConnector: (connector: string) => void
}) {
  const connectors = useQuery(connectorsQuery).data?.connectors ?? []
  if (connectors.length === 0 && connector === '') return null
  const options = connectors.map(({ id, title, items }) => ({ value: id, label: `${title} (${formatCount(items)})` }))
  // Also one that brought nothing that is left.
  if (connector !== '' && !options.some(({ value }) => value === connector))
    options.unshift({ value: connector, label: shownText(connector) })
  return (
    <SelectField
      compact
      label={messages.connector}
      value={connector}
      onValue={onConnector}
      options={[{ value: '', label: messages.allConnectors }, ...options]}
    />
  )
}

/** Absent while no item has a tag. */
function TagFilter({ tag, onTag }: { readonly tag: string; readonly onTag: (tag: string) => void }) {
  const tags = useQuery(tagsQuery).data?.tags ?? []
  if (tags.length === 0 && tag === '') return null
  const options = tags.map((one) => ({
    value: one.tag,
    label: `${shownText(one.tag)} (${formatCount(one.items)})`,
  }))
  // Also one that no item has any more.
  if (tag !== '' && !options.some(({ value }) => value === tag)) options.unshift({ value: tag, label: shownText(tag) })
  return (
    <SelectField
      compact
      label={messages.tag}
      value={tag}
      onValue={onTag}
      options={[{ value: '', label: messages.allTags }, ...options]}
    />
  )
}

function StateFilter({ filter, onChange, list }: FilterProps) {
  const toggle = (state: string) => {
    const isOn = filter.states.includes(state)
    onChange({ states: isOn ? filter.states.filter((one) => one !== state) : [...filter.states, state] })
  }
  const { states, sources, text, tag, connector } = filter
  const isFiltered = states.length > 0 || sources.length > 0 || `${text}${tag}${connector}` !== ''
  return (
    <fieldset className="flex flex-wrap items-center gap-1.5">
      <legend className="sr-only">{messages.status}</legend>
      {STATES.map(({ value, label }) => {
        const isOn = filter.states.includes(value)
        // Nothing waits or failed: nothing to choose.
        if (!isOn && value !== 'ready' && list?.states[value] === 0) return null
        return (
          <Button
            key={value}
            size="small"
            aria-pressed={isOn}
            onClick={() => toggle(value)}
            className={classNames('rounded-full!', isOn && 'bg-accent-soft! text-accent! border-accent!')}
          >
            {label}
            {list !== undefined && <span className="text-soft tabular-nums">{formatCount(list.states[value])}</span>}
          </Button>
        )
      })}
      {isFiltered && (
        <Button
          look="quiet"
          size="small"
          onClick={() => onChange({ states: [], sources: [], text: '', tag: '', connector: '' })}
        >
          <X aria-hidden />
          {messages.clearFilters}
        </Button>
      )}
    </fieldset>
  )
}

const SORTS: readonly { readonly value: LibrarySort; readonly label: string }[] = [
  { value: 'newest', label: messages.sorts.newest },
  { value: 'oldest', label: messages.sorts.oldest },
  { value: 'name', label: messages.sorts.name },
  { value: 'name_back', label: messages.sorts.name_back },
  { value: 'largest', label: messages.sorts.largest },
  { value: 'smallest', label: messages.sorts.smallest },
  { value: 'state', label: messages.sorts.state },
]

/** The filters in the URL, so that links and going back show the same list. */
export function useLibraryFilter(): {
  readonly filter: LibraryFilter
  readonly change: (change: Partial<LibraryFilter>) => void
} {
  const [params, setParams] = useSearchParams()
  const listed = (name: string) => (params.get(name) ?? '').split(',').filter((value) => value !== '')
  const filter: LibraryFilter = {
    sources: listed('sources'),
    states: listed('states'),
    text: params.get('text') ?? '',
    tag: params.get('tag') ?? '',
    connector: params.get('connector') ?? '',
    sort: SORTS.find(({ value }) => value === params.get('sort'))?.value ?? 'newest',
  }
  const change = (changed: Partial<LibraryFilter>) => {
    const { sources, states, text, tag, connector, sort } = { ...filter, ...changed }
    const next = new URLSearchParams()
    if (sources.length > 0) next.set('sources', sources.join(','))
    if (states.length > 0) next.set('states', states.join(','))
    if (text !== '') next.set('text', text)
    if (tag !== '') next.set('tag', tag)
    if (connector !== '') next.set('connector', connector)
    if (sort !== 'newest') next.set('sort', sort)
    setParams(next, { replace: true })
  }
  return { filter, change }
}
