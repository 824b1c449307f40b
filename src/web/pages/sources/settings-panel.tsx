import { Fieldset } from '@base-ui/react/fieldset'
import { ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ConnectionDetail, Field } from '../../../http/app/schemas/sources.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { formatNoun } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { PagePart } from './page-parts.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { SettingField } from './setting-field.tsx'
import { fieldProblems, pathOf, useChangeConnection } from './source-calls.ts'

/** What a connection takes: settings that can be changed, looked at, and then saved. */
export function SettingsPanel({ detail, editable }: { readonly detail: ConnectionDetail; readonly editable: boolean }) {
  const [changes, setChanges] = useState<Settings>({})
  const [previewProblem, setPreviewProblem] = useState<Error | null>(null)
  const change = useChangeConnection(detail, 'The settings were changed')
  const count = Object.keys(changes).length
  useLeaveGuard(count > 0)
  const discard = () => {
    setChanges({})
    setPreviewProblem(null)
    change.reset()
  }
  return (
    <PagePart id="settings">
      <Panel title="What is taken" about="What these settings leave out is forgotten at the next run.">
        <Fieldset.Root disabled={!editable} className="flex flex-col gap-6">
          <SettingsForm
            fields={detail.fields}
            changes={changes}
            onChanges={(next) => {
              setChanges(next)
              setPreviewProblem(null)
              if (change.isError) change.reset()
            }}
            problems={{ ...fieldProblems(previewProblem), ...fieldProblems(change.error) }}
          />
          {editable && (
            <>
              <PreviewPanel
                path={`${pathOf(detail)}/preview`}
                request={{ settings: changes }}
                partNoun={detail.part_noun}
                onProblem={setPreviewProblem}
              />
              {change.error !== null && <ProblemNote error={change.error} />}
              <SaveRow
                count={count}
                isBusy={change.isPending}
                onSave={() => change.mutate({ settings: changes }, { onSuccess: discard })}
                onDiscard={discard}
              />
            </>
          )}
        </Fieldset.Root>
      </Panel>
    </PagePart>
  )
}

interface SaveRowProps {
  /** Of the settings that were changed. */
  readonly count: number
  readonly isBusy: boolean
  readonly onSave: () => void
  readonly onDiscard: () => void
}

function SaveRow({ count, isBusy, onSave, onDiscard }: SaveRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button look="primary" disabled={count === 0} busy={isBusy} onClick={onSave}>
        Save the settings
      </Button>
      {count > 0 && (
        <Button look="quiet" disabled={isBusy} onClick={onDiscard}>
          Discard
        </Button>
      )}
      <span className="text-soft text-sm" aria-live="polite">
        {count > 0 && `${formatNoun(count, 'setting')} changed, not saved yet`}
      </span>
    </div>
  )
}

/** The browser asks before changes are lost with the page. */
function useLeaveGuard(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [hasChanges])
}

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

interface SettingsFormProps {
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
