import { Sparkles } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { RecallAnswer } from '../../../http/app/schemas/recall.ts'
import { Button } from '../../ui/button.tsx'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { formatCount } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { SOURCE_TYPES, sourceTitle } from '../../ui/source-type.tsx'
import { FilterOption, FilterPopover } from './filter-popover.tsx'
import { messages } from './messages.ts'
import { QuestionChips } from './question-chips.tsx'
import { SaveSearch } from './saved-searches.tsx'
import { isFiltered, NO_FILTER, type Search } from './search-address.ts'
import { TimeFilter } from './time-filter.tsx'

interface FilterBarProps {
  readonly search: Search
  /** The last results, if any. */
  readonly found: RecallAnswer | undefined
  readonly onChange: (change: Partial<Search>) => void
  /** Absent: the answer is shown. */
  readonly onAsk: (() => void) | undefined
}

/** One line: a star that saves the search, filters by date, person and source, the order, and what the question itself names. */
export function FilterBar({ search, found, onChange, onAsk }: FilterBarProps) {
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-1 gap-y-1.5">
      <div className="-m-1 flex min-w-0 items-center gap-x-1 p-1 max-sm:scroll-hint max-sm:overflow-x-auto max-sm:[scrollbar-width:none] sm:flex-wrap">
        <SaveSearch search={search} />
        <TimeFilter time={search.time} onTime={(time) => onChange({ time })} results={found?.results ?? []} />
        <PersonFilter person={search.person} people={found?.people ?? []} onPerson={(person) => onChange({ person })} />
        <SourceFilter
          chosen={search.sources}
          counts={new Map((found?.sources ?? []).map(({ source, count }) => [String(source), count]))}
          connector={search.connector}
          connectors={found?.connectors ?? []}
          onChange={onChange}
        />
        <TagFilter tag={search.tag} tags={found?.item_tags ?? []} onTag={(tag) => onChange({ tag })} />
        <FilterPopover
          label={messages.sortResults}
          value={messages.sorts[search.sort]}
          isSet={search.sort !== 'relevance'}
        >
          {(close) =>
            (['relevance', 'time'] as const).map((sort) => (
              <FilterOption
                key={sort}
                isChosen={search.sort === sort}
                onChoose={() => {
                  onChange({ sort })
                  close()
                }}
              >
                {messages.sorts[sort]}
              </FilterOption>
            ))
          }
        </FilterPopover>
        {isFiltered(search) && (
          <Button look="quiet" size="small" onClick={() => onChange(NO_FILTER)}>
            {messages.clearFilters}
          </Button>
        )}
        {onAsk !== undefined && (
          <Button look="quiet" size="small" onClick={onAsk}>
            <Sparkles aria-hidden />
            {messages.getAnswer}
          </Button>
        )}
      </div>
      {found !== undefined && <QuestionChips search={search} understood={found.understood} onChange={onChange} />}
    </div>
  )
}

/** Sources of the results first, then all others. */
function SourceFilter({
  chosen,
  counts,
  connector,
  connectors,
  onChange,
}: {
  readonly chosen: readonly string[]
  readonly counts: ReadonlyMap<string, number>
  readonly connector: string
  /** Those of the results. */
  readonly connectors: RecallAnswer['connectors']
  readonly onChange: (change: Partial<Search>) => void
}) {
  const onSources = (sources: readonly string[]) => onChange({ sources })
  const named = connectorChoices(connector, connectors)
  const first = [...new Set([...chosen, ...counts.keys()])]
  const others = SOURCE_TYPES.filter((source) => !first.includes(source))
  const [one, ...more] = [
    ...named.filter(({ id }) => id === connector).map(({ title }) => title),
    ...chosen.map(sourceTitle),
  ]
  const value =
    one === undefined ? messages.anySource : more.length === 0 ? one : messages.sourceAndMore(one, more.length)
  const toggle = (source: string) =>
    onSources(chosen.includes(source) ? chosen.filter((other) => other !== source) : [...chosen, source])
  return (
    <FilterPopover label={messages.filterBySource} value={value} isSet={one !== undefined}>
      {(close) => (
        <>
          <FilterOption
            isChosen={one === undefined}
            onChoose={() => {
              onChange({ sources: [], connector: '' })
              close()
            }}
          >
            {messages.anySource}
          </FilterOption>
          <div className="max-h-80 overflow-y-auto">
            <ConnectorOptions chosen={connector} connectors={named} onChange={onChange} />
            {[...first, ...others].map((source) => (
              <FilterOption
                key={source}
                isChosen={chosen.includes(source)}
                onChoose={() => toggle(source)}
                aside={counts.has(source) ? formatCount(counts.get(source) ?? 0) : undefined}
              >
                {sourceTitle(source)}
              </FilterOption>
            ))}
          </div>
        </>
      )}
    </FilterPopover>
  )
}

function ConnectorOptions({
  chosen,
  connectors,
  onChange,
}: {
  readonly chosen: string
  readonly connectors: RecallAnswer['connectors']
  readonly onChange: (change: Partial<Search>) => void
}) {
  return connectors.map(({ id, title, count }) => (
    <FilterOption
      key={id}
      isChosen={id === chosen}
      onChoose={() => onChange({ connector: id === chosen ? '' : id })}
      aside={count > 0 ? formatCount(count) : undefined}
    >
      {title}
    </FilterOption>
  ))
}

/** Those of the results, and the chosen one, which may have none. */
function connectorChoices(chosen: string, found: RecallAnswer['connectors']): RecallAnswer['connectors'] {
  const isMissing = chosen !== '' && !found.some(({ id }) => id === chosen)
  return [...(isMissing ? [{ id: chosen, title: chosen, count: 0 }] : []), ...found]
}

/** Absent where no result has a tag. */
function TagFilter({
  tag,
  tags,
  onTag,
}: {
  readonly tag: string
  readonly tags: RecallAnswer['item_tags']
  readonly onTag: (tag: string) => void
}) {
  if (tags.length === 0 && tag === '') return null
  const choices = [
    '',
    ...(tag === '' || tags.some((one) => one.tag === tag) ? [] : [tag]),
    ...tags.map((one) => one.tag),
  ]
  return (
    <FilterPopover
      label={messages.filterByTag}
      value={tag === '' ? messages.anyTag : `#${shownText(tag)}`}
      isSet={tag !== ''}
    >
      {(close) => (
        <div className="max-h-72 overflow-y-auto">
          {choices.map((choice) => (
            <FilterOption
              key={choice}
              isChosen={choice === tag}
              onChoose={() => {
                onTag(choice)
                close()
              }}
            >
              {choice === '' ? messages.anyTag : <bdi>{shownText(choice)}</bdi>}
            </FilterOption>
          ))}
        </div>
      )}
    </FilterPopover>
  )
}

/** A name or part of one, typed or taken from the results. */
function PersonFilter({
  person,
  people,
  onPerson,
}: {
  readonly person: string
  readonly people: RecallAnswer['people']
  readonly onPerson: (person: string) => void
}) {
  return (
    <FilterPopover
      label={messages.filterByPerson}
      value={person === '' ? messages.anyone : shownText(person)}
      isSet={person !== ''}
    >
      {(close) => {
        const choose = (name: string) => {
          onPerson(name)
          close()
        }
        return (
          <>
            <NameForm person={person} onPerson={choose} />
            <FilterOption isChosen={person === ''} onChoose={() => choose('')}>
              {messages.anyone}
            </FilterOption>
            <div className="max-h-72 overflow-y-auto">
              {people.map(({ name, count }) => (
                <FilterOption
                  key={name}
                  isChosen={name === person}
                  onChoose={() => choose(name)}
                  aside={formatCount(count)}
                >
                  <bdi>{shownText(name)}</bdi>
                </FilterOption>
              ))}
            </div>
          </>
        )
      }}
    </FilterPopover>
  )
}

function NameForm({ person, onPerson }: { readonly person: string; readonly onPerson: (person: string) => void }) {
  const [typed, setTyped] = useState(person)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onPerson(typed.trim())
  }
  return (
    <form onSubmit={submit} className="p-1.5">
      <input
        value={typed}
        maxLength={200}
        autoComplete="off"
        aria-label={messages.personName}
        placeholder={messages.personName}
        onChange={(event) => setTyped(event.target.value)}
        className={INPUT_CLASS}
      />
    </form>
  )
}
