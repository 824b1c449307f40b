import { Fieldset } from '@base-ui/react/fieldset'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ImportedFile } from '../../../http/app/schemas/imports.ts'
import type { ConnectionDetail, Connector, Field } from '../../../http/app/schemas/sources.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { ChoicePanel } from './choice-panel.tsx'
import { ExportsField } from './export-files.tsx'
import { messages } from './messages.ts'
import { PagePart } from './page-parts.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { SettingField } from './setting-field.tsx'
import { fieldProblems, SOURCES_QUERY, useChangeConnection } from './source-calls.ts'
import { SourceProblemNote } from './source-problem.tsx'

/** Settings of a connection, with preview and saving. */
export function SettingsPanel({ detail, editable }: { readonly detail: ConnectionDetail; readonly editable: boolean }) {
  const [changes, setChanges] = useState<Settings>({})
  const [previewProblem, setPreviewProblem] = useState<Error | null>(null)
  const change = useChangeConnection(detail, messages.settingsSaved)
  const connector = useConnector(detail)
  const choosing = detail.fields.find(({ name }) => name === connector?.choosing)
  const count = Object.keys(changes).length
  useLeaveGuard(count > 0)
  const discard = () => {
    setChanges({})
    setPreviewProblem(null)
    change.reset()
  }
  return (
    <PagePart id="settings">
      <Panel title={messages.stepContent} about={messages.settingsAbout}>
        <Fieldset.Root disabled={!editable} className="flex flex-col gap-6">
          <SettingsForm
            fields={detail.fields}
            importing={connector}
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
              {choosing !== undefined && (
                <ChoicePanel
                  of={{ connector: detail.connector, name: detail.name }}
                  request={{ settings: changes }}
                  partNoun={detail.part_noun}
                  rules={currentValue(choosing, changes)}
                  onRules={(rules) => setChanges(changed(changes, choosing, rules))}
                />
              )}
              <PreviewPanel
                of={{ connector: detail.connector, name: detail.name }}
                request={{ settings: changes }}
                partNoun={detail.part_noun}
                canExclude={detail.fields.some(({ name }) => name === 'exclude')}
                onProblem={setPreviewProblem}
              />
              {change.error !== null && <SourceProblemNote error={change.error} />}
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

function useConnector({ connector }: ConnectionDetail): Connector | undefined {
  const { data } = useQuery(SOURCES_QUERY)
  return data?.connectors.find(({ id }) => id === connector)
}

interface SaveRowProps {
  /** Number of changed settings. */
  readonly count: number
  readonly isBusy: boolean
  readonly onSave: () => void
  readonly onDiscard: () => void
}

function SaveRow({ count, isBusy, onSave, onDiscard }: SaveRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button look="primary" disabled={count === 0} busy={isBusy} onClick={onSave}>
        {messages.saveSettings}
      </Button>
      {count > 0 && (
        <Button look="quiet" disabled={isBusy} onClick={onDiscard}>
          {uiMessages.discard}
        </Button>
      )}
      <span className="text-soft text-sm" aria-live="polite">
        {count > 0 && messages.unsavedSettings(count)}
      </span>
    </div>
  )
}

/** Asks before unsaved changes are lost. */
function useLeaveGuard(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [hasChanges])
}

/** By name; `null` removes a setting. */
export type Settings = Readonly<Record<string, unknown>>

/** Shown elsewhere on the page. */
const ELSEWHERE = new Set(['name', 'schedule', 'paused', 'account', 'token', 'token_file'])
/** Rarely changed. */
const SELDOM = new Set([
  'api_url',
  'app_id',
  'app_token',
  'app_token_file',
  'base_url',
  'cloud',
  'installation_id',
  'private_key_file',
  'team_id',
  'service_account_file',
  'subject',
  'relist_days',
  'retention_days',
  'tool_output_kb',
  'max_mb',
  'follow_links',
  'gitignore',
  'databases',
  'path',
])

/** Settings for reaching a source, which are asked before what to sync. */
const OF_ACCESS = new Set([
  'api_url',
  'app_id',
  'app_token',
  'app_token_file',
  'base_url',
  'cloud',
  'databases',
  'host',
  'installation_id',
  'path',
  'paths',
  'port',
  'private_key_file',
  'security',
  'server',
  'service_account_file',
  'site',
  'socket',
  'subject',
  'takeout',
  'team_id',
])

/** Whether a setting is needed for reaching the source. */
export function isOfAccess({ name, required }: Field): boolean {
  return (required || OF_ACCESS.has(name)) && !ELSEWHERE.has(name)
}

interface SettingsFormProps {
  readonly fields: readonly Field[]
  /** Changed values. */
  readonly changes: Settings
  readonly onChanges: (changes: Settings) => void
  /** Errors by setting name. */
  readonly problems: Readonly<Record<string, string>>
  /** A connector that may take uploaded exports. */
  readonly importing?: Pick<Connector, 'id' | 'importing'> | undefined
  /** Takes exports of other connectors. */
  readonly onOtherExport?: (file: ImportedFile) => void
}

/** The settings that select content; rarely changed ones are folded. */
export function SettingsForm({ fields, changes, onChanges, problems, importing, onOtherExport }: SettingsFormProps) {
  const own = fields.filter(({ name }) => !ELSEWHERE.has(name))
  const isSeldom = ({ name, required }: Field) => SELDOM.has(name) && !required
  const seldom = own.filter(isSeldom)
  const shown = (some: readonly Field[]) =>
    some.map((field) => {
      const props = {
        field,
        value: currentValue(field, changes),
        onValue: (value: unknown) => onChanges(changed(changes, field, value)),
        problem: problems[field.name],
      }
      return field.name === importing?.importing ? (
        <ExportsField key={field.name} {...props} connector={importing.id} onOther={onOtherExport} />
      ) : (
        <SettingField key={field.name} {...props} />
      )
    })
  if (own.length === 0) return <p className="text-soft text-sm">{messages.nothingToChoose}</p>
  return (
    <div className="flex flex-col gap-6">
      {shown(own.filter((field) => !isSeldom(field)).toSorted((one, other) => rank(one) - rank(other)))}
      {seldom.length > 0 && (
        <details className="group" open={seldom.some(({ name }) => problems[name] !== undefined) || undefined}>
          <summary className="text-soft hover:text-ink flex w-fit list-none items-center gap-1.5 text-sm font-medium">
            <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden />
            {messages.moreSettings}
          </summary>
          <div className="mt-5 flex flex-col gap-6">{shown(seldom)}</div>
        </details>
      )}
    </div>
  )
}

/** Required settings first. */
function rank({ required }: Field): number {
  return required ? 0 : 1
}

function currentValue({ name, value }: Field, changes: Settings): unknown {
  return Object.hasOwn(changes, name) ? changes[name] : (value ?? null)
}

/** A setting with its original value is no change. */
function changed(changes: Settings, { name, value: before }: Field, value: unknown): Settings {
  const { [name]: _, ...others } = changes
  return JSON.stringify(value ?? null) === JSON.stringify(before ?? null) ? others : { ...others, [name]: value }
}
