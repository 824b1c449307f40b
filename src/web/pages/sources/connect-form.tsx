import { Plug } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { AccessStep } from './access-step.tsx'
import { FormStep } from './form-step.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { ScheduleField } from './schedule-field.tsx'
import { SettingsForm } from './settings-form.tsx'
import { type Connecting, useConnecting } from './use-connecting.ts'

/** The steps to a new connection, on one page: nothing is stored before the last. */
export function ConnectForm(connecting: Connecting) {
  const { connector, fields } = connecting
  const form = useConnecting(connecting)
  const { draft, change, problems, connect } = form
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        connect.mutate()
      }}
    >
      <FormStep step={1} title="Name">
        <TextField
          label="What you call it"
          about="Letters, digits and . _ -; it stands in lists and messages, and cannot be changed later."
          className="max-w-sm"
          value={draft.name}
          onValue={(name) => change({ name })}
          problem={problems.name}
          autoComplete="off"
          spellCheck={false}
        />
      </FormStep>
      <FormStep step={2} title="Access">
        <AccessStep
          connector={connector}
          name={draft.name.trim() || 'me'}
          access={draft}
          onAccess={change}
          token={form.token}
          onToken={form.changeToken}
          problems={problems}
        />
      </FormStep>
      <FormStep step={3} title="What to take">
        <SettingsForm
          fields={fields}
          changes={draft.settings}
          onChanges={(settings) => change({ settings })}
          problems={problems}
        />
      </FormStep>
      <FormStep step={4} title="When">
        <ScheduleField
          schedule={draft.schedule}
          onSchedule={(schedule) => change({ schedule })}
          standard={connector.schedule_words}
          problem={problems.schedule}
        />
      </FormStep>
      <LastStep connecting={connecting} form={form} />
    </form>
  )
}

interface LastStepProps {
  readonly connecting: Connecting
  readonly form: ReturnType<typeof useConnecting>
}

function LastStep({ connecting: { connector }, form: { request, lacking, connect, tellProblem } }: LastStepProps) {
  const { settings, token } = request
  return (
    <FormStep step={5} title="Look, then connect">
      <div className="flex flex-col gap-5">
        <PreviewPanel
          path={`/connectors/${encodeURIComponent(connector.id)}/preview`}
          request={{ settings, ...(token !== undefined && { token }) }}
          partNoun={connector.part_noun}
          lacking={lacking}
          onProblem={tellProblem}
        />
        {connect.error !== null && <ProblemNote error={connect.error} />}
        <Button look="primary" type="submit" busy={connect.isPending} className="self-start">
          <Plug aria-hidden />
          Connect {connector.title}
        </Button>
      </div>
    </FormStep>
  )
}
