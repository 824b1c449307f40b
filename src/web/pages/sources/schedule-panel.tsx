import { useState } from 'react'
import type { ConnectionDetail, Connector } from '../../../http/app/schemas/sources.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { cronWords } from './cron-words.ts'
import { fieldProblems } from './field-problems.ts'
import { ScheduleField } from './schedule-field.tsx'
import { useChangeConnection } from './use-change-connection.ts'
import { useConnectionActions } from './use-connection-actions.ts'

export interface SchedulePanelProps {
  readonly detail: ConnectionDetail
  /** Absent for a connector that this version does not have. */
  readonly connector: Connector | undefined
  readonly editable: boolean
}

/** When a connection is read, and whether at all. */
export function SchedulePanel({ detail, connector, editable }: SchedulePanelProps) {
  const own = detail.fields.find(({ name }) => name === 'schedule')?.value
  const kept = typeof own === 'string' ? own : null
  const [chosen, setChosen] = useState<string | null>()
  const change = useChangeConnection(detail, 'The schedule was changed')
  const { pause, isPending } = useConnectionActions(detail)
  const schedule = chosen === undefined ? kept : chosen
  const words = detail.schedule_words ?? cronWords(detail.schedule ?? '')
  return (
    <Panel title="Schedule" about={detail.paused ? 'It is paused, and not read.' : `It is read ${words}.`}>
      {editable ? (
        <div className="flex flex-col gap-5">
          <SwitchField
            label="Paused"
            about="It keeps what it brought, and is not read until you resume it."
            checked={detail.paused}
            onChecked={pause}
            disabled={isPending}
          />
          <ScheduleField
            key={kept}
            schedule={schedule}
            onSchedule={setChosen}
            standard={connector?.schedule_words ?? words}
            problem={fieldProblems(change.error).schedule}
          />
          {change.error !== null && fieldProblems(change.error).schedule === undefined && (
            <ProblemNote error={change.error} />
          )}
          {schedule !== kept && (
            <div className="flex gap-2">
              <Button
                look="primary"
                busy={change.isPending}
                onClick={() => change.mutate({ settings: { schedule } }, { onSuccess: () => setChosen(undefined) })}
              >
                Save the schedule
              </Button>
              <Button look="quiet" onClick={() => setChosen(undefined)}>
                Discard
              </Button>
            </div>
          )}
        </div>
      ) : undefined}
    </Panel>
  )
}
