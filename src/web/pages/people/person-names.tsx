import { Split, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { NameDecisionEntry } from '../../../http/app/schemas/person-names.ts'
import type { SubjectPage } from '../../../http/app/schemas/subjects.ts'
import { Button } from '../../ui/button.tsx'
import { focusPage } from '../../ui/focus.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { useNameDecisions, useNaming } from './name-calls.ts'

/** The other names of a person, which can be split off, and what was decided about them. */
export function PersonNames({ subject }: { readonly subject: SubjectPage }) {
  const { data } = useNameDecisions()
  const { split } = useNaming()
  const toast = useToast()
  const [splitHere, setSplitHere] = useState<readonly string[]>([])
  const { name, aliases, separable = [] } = subject
  const names = [name, ...aliases, ...splitHere]
  const decisions = (data?.decisions ?? []).filter((one) => names.some((other) => isSame(one.name, other)))
  const merged = decisions.filter(({ merged_into }) => merged_into !== undefined)
  const joined = separable.filter((one) => !merged.some((decision) => isSame(decision.name, one)))
  if (joined.length + decisions.length === 0) return null
  const onSplit = (one: string) => {
    toast(messages.splitDone(shownText(one)))
    setSplitHere([...splitHere, one])
    focusPage()
  }
  return (
    <section>
      <h2 className="text-soft mb-1.5 text-[0.8125rem] font-medium">{messages.names}</h2>
      <ul className="border-line bg-sheet rounded-card divide-line divide-y border">
        {joined.map((one) => (
          <li key={one} className="flex items-center justify-between gap-3 px-4 py-1.5 text-sm">
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{shownText(one)}</bdi>
            <Button
              look="quiet"
              size="small"
              aria-label={messages.splitOffName(shownText(one))}
              busy={split.isPending && split.variables === one}
              onClick={() => split.mutate(one, { onSuccess: () => onSplit(one) })}
            >
              <Split aria-hidden />
              {messages.splitOff}
            </Button>
          </li>
        ))}
        {decisions.map((decision) => (
          <DecisionRow key={decision.name} decision={decision} />
        ))}
      </ul>
      {split.error !== null && <ProblemNote error={split.error} />}
    </section>
  )
}

/** All merged and split names, for the list of people. */
export function NameDecisions() {
  const { data } = useNameDecisions()
  const decisions = data?.decisions ?? []
  if (decisions.length === 0) return null
  return (
    <section>
      <h2 className="text-soft mb-1.5 text-[0.8125rem] font-medium">{messages.decidedNames}</h2>
      <ul className="border-line bg-sheet rounded-card divide-line divide-y border">
        {decisions.map((decision) => (
          <DecisionRow key={decision.name} decision={decision} />
        ))}
      </ul>
    </section>
  )
}

function DecisionRow({ decision: { name, merged_into: into, by, at } }: { readonly decision: NameDecisionEntry }) {
  const toast = useToast()
  const { undo } = useNaming({
    onUndone: (undone) => {
      toast(messages.nameUndone(shownText(undone)))
      focusPage()
    },
  })
  return (
    <li className="px-4 py-1.5 text-sm">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <bdi>{shownText(into === undefined ? messages.isOwnPerson(name) : messages.isMerged(name, into))}</bdi>{' '}
          <bdi className="text-soft text-[0.8125rem]">{shownText(messages.decidedBy(by, at))}</bdi>
        </span>
        <Button
          look="quiet"
          size="small"
          aria-label={messages.undoName(shownText(name))}
          busy={undo.isPending}
          onClick={() => undo.mutate(name)}
        >
          <Undo2 aria-hidden />
          {messages.undo}
        </Button>
      </div>
      {undo.error !== null && <ProblemNote error={undo.error} />}
    </li>
  )
}

function isSame(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: 'base' }) === 0
}
