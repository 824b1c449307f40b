import { Search } from 'lucide-react'
import { Fragment, useState } from 'react'
import type { ApiKey, NewKey } from '../../../http/app/schemas/keys.ts'
import { Button } from '../../ui/button.tsx'
import { CheckBox } from '../../ui/check-box.tsx'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { messages } from './messages.ts'
import { SOURCE_GROUPS } from './source-groups.ts'

type SourceType = Exclude<ApiKey['sources'], 'all'>[number]

/** What a key or an agent may access (specification 5.5). */
export interface Access {
  readonly kind: 'all' | 'some' | 'none'
  /** Sources of `some`, kept while another option is selected. */
  readonly chosen: ReadonlySet<SourceType>
}

const KINDS = [
  { kind: 'all', title: messages.allSources, about: messages.allSourcesAbout },
  {
    kind: 'some',
    title: messages.specificSources,
    about: messages.specificSourcesAbout,
  },
  { kind: 'none', title: messages.noSources, about: messages.noSourcesAbout },
] as const

/** Without `none`. */
export const SOME_ACCESS = KINDS.filter(({ kind }) => kind !== 'none')

/** Chooses the sources that a key or an agent can access. */
export function SourceChoice({
  access,
  onAccess,
  kinds = KINDS,
  note,
}: {
  readonly access: Access
  readonly onAccess: (access: Access) => void
  readonly kinds?: readonly (typeof KINDS)[number][]
  readonly note?: string
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">{messages.accessTitle}</legend>
      {kinds.map(({ kind, title, about }) => (
        <Fragment key={kind}>
          <RadioCard
            name="access"
            title={title}
            about={about}
            checked={access.kind === kind}
            onChoose={() => onAccess({ ...access, kind })}
          />
          {kind === 'some' && access.kind === 'some' && (
            <SourceList chosen={access.chosen} onChosen={(chosen) => onAccess({ ...access, chosen })} />
          )}
        </Fragment>
      ))}
      {note !== undefined && <p className="text-soft text-[0.8125rem]">{note}</p>}
    </fieldset>
  )
}

function SourceList({
  chosen,
  onChosen,
}: {
  readonly chosen: ReadonlySet<SourceType>
  readonly onChosen: (chosen: ReadonlySet<SourceType>) => void
}) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const groups = SOURCE_GROUPS.map(({ title, sources }) => {
    const isGroup = title.toLowerCase().includes(wanted)
    return { title, sources: sources.filter((one) => isGroup || sourceTitle(one).toLowerCase().includes(wanted)) }
  }).filter(({ sources }) => sources.length > 0)
  const toggle = (source: SourceType) => onChosen(chosen.symmetricDifference(new Set([source])))
  return (
    <div className="border-line rounded-lg border">
      <div className="border-line flex flex-wrap items-center gap-2 border-b p-2">
        <div className="relative min-w-40 flex-1">
          <Search className="text-soft pointer-events-none absolute top-2.5 left-3 size-4" aria-hidden />
          <input
            type="search"
            aria-label={messages.searchSources}
            placeholder={messages.searchSources}
            className={`${INPUT_CLASS} pl-9`}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            // Enter would submit the form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </div>
        <span role="status" className="text-soft px-1 text-[0.8125rem]">
          {messages.selectedCount(chosen.size)}
        </span>
        <Button look="quiet" size="small" disabled={chosen.size === 0} onClick={() => onChosen(new Set())}>
          {messages.clear}
        </Button>
      </div>
      <div className="flex max-h-64 flex-col gap-3 overflow-y-auto p-3">
        {groups.map((group) => (
          <SourceGroup key={group.title} {...group} chosen={chosen} onToggle={toggle} />
        ))}
        {groups.length === 0 && <p className="text-soft text-sm">{messages.noMatches}</p>}
      </div>
    </div>
  )
}

function SourceGroup({
  title,
  sources,
  chosen,
  onToggle,
}: {
  readonly title: string
  readonly sources: readonly SourceType[]
  readonly chosen: ReadonlySet<SourceType>
  readonly onToggle: (source: SourceType) => void
}) {
  return (
    <fieldset>
      <legend className="text-soft pb-1 text-xs font-medium">{title}</legend>
      <div className="grid grid-cols-1 sm:grid-cols-2">
        {sources.map((source) => (
          <CheckBox
            key={source}
            checked={chosen.has(source)}
            onToggle={() => onToggle(source)}
            className="hover:bg-raised cursor-pointer gap-2.5 rounded-md px-2 py-1.5"
          >
            <SourceIcon sourceType={source} className="text-soft size-4" />
            {sourceTitle(source)}
          </CheckBox>
        ))}
      </div>
    </fieldset>
  )
}

export function selectedSources({ kind, chosen }: Access): NewKey['sources'] {
  if (kind === 'all') return 'all'
  return kind === 'none' ? [] : [...chosen]
}
