import { useMutation } from '@tanstack/react-query'
import { ListChecks, Search } from 'lucide-react'
import { useState } from 'react'
import type { Choices, PartNoun, PreviewRequest } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CheckBox } from '../../ui/check-box.tsx'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { Note } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { chosenRules } from './chosen-rules.ts'
import { messages } from './messages.ts'
import { SourceProblemNote } from './source-problem.tsx'

interface ChoicePanelProps {
  /** A connection, or a connector whose connection does not exist yet. */
  readonly of: { readonly connector: string; readonly name: string } | { readonly id: string }
  readonly request: PreviewRequest
  readonly partNoun: PartNoun
  /** The setting for the selection, with its current value. */
  readonly rules: unknown
  /** `null`: everything, which is the default. */
  readonly onRules: (rules: readonly string[] | null) => void
  /** What is missing before the source can be reached. */
  readonly missing?: Error | undefined
}

/** Lists what can be synced from the source, and writes the selection to its setting. */
export function ChoicePanel({ of, request, partNoun, rules, onRules, missing }: ChoicePanelProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  /** The value that this panel set, or the one from when the list was read. */
  const [known, setKnown] = useState(rules)
  const list = useMutation({
    mutationFn: async () => {
      if (missing !== undefined) throw missing
      return 'id' in of
        ? call('POST /connectors/:id/choices', { params: of, body: request })
        : call('POST /sources/:connector/:name/choices', { params: of, body: request })
    },
    onSuccess: ({ choices }) => {
      setChosen(new Set(choices.filter((one) => one.chosen).map(({ value }) => value)))
      setKnown(rules)
    },
  })
  const choices = list.data?.choices
  const choose = (next: ReadonlySet<string>) => {
    if (choices === undefined) return
    const after = chosenRules(choices, next, rules)
    setChosen(next)
    setKnown(after)
    onRules(after)
  }
  const isOld = JSON.stringify(known ?? null) !== JSON.stringify(rules ?? null)
  return (
    <div className="flex flex-col gap-4">
      <Button className="self-start" onClick={() => list.mutate()} busy={list.isPending}>
        <ListChecks aria-hidden />
        {messages.chooseParts(partNoun.many)}
      </Button>
      {list.error !== null && <SourceProblemNote error={list.error} />}
      {choices !== undefined && isOld && <Note tone="warn">{messages.choicesOutdated}</Note>}
      {choices !== undefined && !isOld && choices.length === 0 && (
        <p className="text-soft text-sm">{messages.noParts(partNoun.many)}</p>
      )}
      {choices !== undefined && !isOld && choices.length > 0 && (
        <ChoiceList choices={choices} chosen={chosen} onChosen={choose} partNoun={partNoun} />
      )}
    </div>
  )
}

type Choice = Choices['choices'][number]

const ROWS = 50

interface ChoiceListProps {
  readonly choices: readonly Choice[]
  readonly chosen: ReadonlySet<string>
  readonly onChosen: (chosen: ReadonlySet<string>) => void
  readonly partNoun: PartNoun
}

function ChoiceList({ choices, chosen, onChosen, partNoun }: ChoiceListProps) {
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(ROWS)
  const wanted = search.trim().toLowerCase()
  const found = choices.filter(({ value }) => value.toLowerCase().includes(wanted))
  const groups = [...Map.groupBy(found.slice(0, shown), ({ group }) => group)]
  return (
    <div className="border-line rounded-lg border">
      <div className="border-line flex flex-wrap items-center gap-2 border-b p-2">
        <div className="relative min-w-40 flex-1">
          <Search className="text-soft pointer-events-none absolute top-2.5 left-3 size-4" aria-hidden />
          <input
            type="search"
            aria-label={messages.searchParts(partNoun.many)}
            placeholder={messages.searchParts(partNoun.many)}
            className={`${INPUT_CLASS} pl-9`}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              setShown(ROWS)
            }}
            // Enter would submit the form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </div>
        <span role="status" className="text-soft px-1 text-[0.8125rem]">
          {messages.chosenOf(chosen.size, choices.length)}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label={partNoun.many} tabIndex={0} className="flex max-h-96 flex-col gap-4 overflow-y-auto p-3">
        {groups.map(([group, rows]) => (
          <ChoiceGroup
            key={group}
            group={group}
            all={choices.filter((one) => one.group === group)}
            rows={rows}
            chosen={chosen}
            onChosen={onChosen}
          />
        ))}
        {found.length === 0 && <p className="text-soft text-sm">{messages.noMatches}</p>}
        {found.length > shown && (
          <Button size="small" className="self-start" onClick={() => setShown(shown + ROWS)}>
            {messages.showMore(Math.min(ROWS, found.length - shown))}
          </Button>
        )}
      </section>
      {chosen.size === 0 && <p className="border-line text-warn border-t p-3 text-sm">{messages.nothingChosen}</p>}
    </div>
  )
}

interface ChoiceGroupProps extends Pick<ChoiceListProps, 'chosen' | 'onChosen'> {
  readonly group: string
  /** Of the group, also those that the search leaves out. */
  readonly all: readonly Choice[]
  readonly rows: readonly Choice[]
}

function ChoiceGroup({ group, all, rows, chosen, onChosen }: ChoiceGroupProps) {
  const values = new Set(all.map(({ value }) => value))
  const isWhole = values.isSubsetOf(chosen)
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="sr-only">{shownText(group)}</legend>
      <CheckBox
        className="gap-2 font-medium"
        checked={isWhole}
        onToggle={() => onChosen(isWhole ? chosen.difference(values) : chosen.union(values))}
      >
        <span className="[overflow-wrap:anywhere]">{messages.allOfGroup(shownText(group), all.length)}</span>
      </CheckBox>
      <ul className="flex flex-col gap-1 pl-6">
        {rows.map((choice) => (
          <li key={choice.value} className="flex flex-wrap items-center gap-x-2">
            <CheckBox
              checked={chosen.has(choice.value)}
              onToggle={() => onChosen(chosen.symmetricDifference(new Set([choice.value])))}
            >
              <bdi className="[overflow-wrap:anywhere]">{shownText(choice.value)}</bdi>
            </CheckBox>
            {choice.private && <Badge>{messages.privatePart}</Badge>}
            {choice.updated_at !== null && (
              <span className="text-soft text-xs">
                <TimeAgo time={choice.updated_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
