import { Fieldset } from '@base-ui/react/fieldset'
import { useEffect, useState } from 'react'
import type { ConnectionDetail } from '../../../http/app/schemas/sources.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { formatNoun } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { fieldProblems } from './field-problems.ts'
import { PagePart } from './page-part.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { type Settings, SettingsForm } from './settings-form.tsx'
import { pathOf } from './source-calls.ts'
import { useChangeConnection } from './use-change-connection.ts'

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
