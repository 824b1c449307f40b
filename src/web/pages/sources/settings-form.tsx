import { ChevronRight } from 'lucide-react'
import type { Field } from '../../../http/app/schemas/sources.ts'
import { SettingField } from './setting-field.tsx'

/** By name; `null` takes a setting out. */
export type Settings = Readonly<Record<string, unknown>>

/** Name, access and schedule have places of their own. */
const ELSEWHERE = new Set(['name', 'schedule', 'paused', 'account', 'token', 'token_file'])
/** What hardly anybody changes. */
const SELDOM = new Set([
  'api_url',
  'cloud',
  'service_account_file',
  'subject',
  'relist_days',
  'tool_output_kb',
  'max_mb',
  'follow_links',
  'databases',
  'path',
])

export interface SettingsFormProps {
  readonly fields: readonly Field[]
  /** What differs from the fields' values. */
  readonly changes: Settings
  readonly onChanges: (changes: Settings) => void
  /** What is wrong, by the name of the setting. */
  readonly problems: Readonly<Record<string, string>>
}

/** The settings that say what is taken; those that hardly anybody changes are folded away. */
export function SettingsForm({ fields, changes, onChanges, problems }: SettingsFormProps) {
  const own = fields.filter(({ name }) => !ELSEWHERE.has(name))
  const isSeldom = ({ name, required }: Field) => SELDOM.has(name) && !required
  const seldom = own.filter(isSeldom)
  const shown = (some: readonly Field[]) =>
    some.map((field) => (
      <SettingField
        key={field.name}
        field={field}
        value={currentValue(field, changes)}
        onValue={(value) => onChanges(changed(changes, field, value))}
        problem={problems[field.name]}
      />
    ))
  if (own.length === 0) return <p className="text-soft text-sm">There is nothing to choose: all of it is taken.</p>
  return (
    <div className="flex flex-col gap-6">
      {shown(own.filter((field) => !isSeldom(field)).toSorted((one, other) => rank(one) - rank(other)))}
      {seldom.length > 0 && (
        <details className="group" open={seldom.some(({ name }) => problems[name] !== undefined) || undefined}>
          <summary className="text-soft hover:text-ink flex w-fit list-none items-center gap-1.5 text-sm font-medium">
            <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden />
            More settings
          </summary>
          <div className="mt-5 flex flex-col gap-6">{shown(seldom)}</div>
        </details>
      )}
    </div>
  )
}

/** What has to be given comes first. */
function rank({ required }: Field): number {
  return required ? 0 : 1
}

function currentValue({ name, value }: Field, changes: Settings): unknown {
  return Object.hasOwn(changes, name) ? changes[name] : (value ?? null)
}

/** A setting that is again as it was is no change. */
function changed(changes: Settings, { name, value: before }: Field, value: unknown): Settings {
  const { [name]: _, ...others } = changes
  return JSON.stringify(value ?? null) === JSON.stringify(before ?? null) ? others : { ...others, [name]: value }
}
