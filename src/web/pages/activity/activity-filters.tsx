import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { useActors } from './activity-calls.ts'
import { actorLabel, actorValue, KIND_GROUPS } from './activity-groups.ts'

const TYPES = [
  { value: '', label: 'By everybody' },
  { value: 'person', label: 'By people' },
  { value: 'key', label: 'By keys' },
  { value: 'connection', label: 'By connections' },
] as const

/** What is looked for: the kinds of things, and by whom. */
export function ActivityFilters({
  what,
  who,
  onWhat,
  onWho,
}: {
  readonly what: string
  readonly who: string
  readonly onWhat: (what: string) => void
  readonly onWho: (who: string) => void
}) {
  const { data } = useActors()
  const actors = (data?.actors ?? []).map((actor) => ({ value: actorValue(actor), label: actorLabel(actor) }))
  const known = [...TYPES, ...actors]
  // An address may name somebody who did nothing for a long time.
  const options = known.some(({ value }) => value === who) ? known : [...known, { value: who, label: who }]
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <SegmentedChoice label="What happened" value={what} options={KIND_GROUPS} onValue={onWhat} />
      <SelectField compact label="By whom" value={who} options={options} onValue={onWho} />
    </div>
  )
}
