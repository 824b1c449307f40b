import { useState } from 'react'
import type { ConnectionDetail, Connector } from '../../../http/app/schemas/sources.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { fieldProblems, useChangeConnection, useConnectionActions } from './source-calls.ts'

interface SchedulePanelProps {
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

const CHOICES: Readonly<Record<string, string>> = { quarter: '*/15 * * * *', hour: '0 * * * *' }
const MORNING = '07:00'

interface ScheduleFieldProps {
  /** `null`: as the connector does it by default. */
  readonly schedule: string | null
  readonly onSchedule: (schedule: string | null) => void
  /** Of the connector, in words. */
  readonly standard: string
  readonly problem: string | undefined
}

/** When a connection is read: by a choice in words, or by a cron expression. */
export function ScheduleField({ schedule, onSchedule, standard, problem }: ScheduleFieldProps) {
  const [isCustom, setCustom] = useState(() => kindOf(schedule) === 'custom')
  const kind = isCustom ? 'custom' : kindOf(schedule)
  const choose = (chosen: string) => {
    setCustom(chosen === 'custom')
    if (chosen === 'standard') onSchedule(null)
    else if (chosen === 'day') onSchedule(dailyCron(MORNING))
    else if (chosen !== 'custom') onSchedule(CHOICES[chosen] ?? null)
    else if (schedule === null) onSchedule('*/30 * * * *')
  }
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:items-start">
      <SelectField
        label="How often it is read"
        value={kind}
        onValue={choose}
        className="sm:w-80"
        problem={kind === 'custom' ? undefined : problem}
        options={[
          { value: 'standard', label: `As suited to it: ${standard}` },
          { value: 'quarter', label: 'Every 15 minutes' },
          { value: 'hour', label: 'Every hour' },
          { value: 'day', label: 'Every day' },
          { value: 'custom', label: 'By a cron expression' },
        ]}
      />
      {kind === 'day' && (
        <TextField
          label="At"
          type="time"
          value={dailyTime(schedule ?? '') ?? MORNING}
          onValue={(time) => onSchedule(dailyCron(time))}
          about="In the time zone of the service."
        />
      )}
      {kind === 'custom' && (
        <TextField
          label="Cron expression"
          value={schedule ?? ''}
          onValue={(text) => onSchedule(text)}
          spellCheck={false}
          autoComplete="off"
          className="sm:w-72"
          problem={problem}
          about={customWords(schedule ?? '')}
        />
      )}
    </div>
  )
}

function customWords(cron: string): string {
  const words = cronWords(cron)
  return words === cron
    ? 'Minute, hour, day, month, day of the week, in the time zone of the service.'
    : `Runs ${words}.`
}

function kindOf(schedule: string | null): string {
  if (schedule === null) return 'standard'
  const known = Object.entries(CHOICES).find(([, cron]) => cron === schedule)
  if (known !== undefined) return known[0]
  return dailyTime(schedule) === undefined ? 'custom' : 'day'
}

/** A schedule in words, as far as there are short ones: `every 15 minutes`; else the expression itself. */
function cronWords(cron: string): string {
  const [minute = '', hour = '', ...rest] = cron.trim().split(/\s+/)
  if (rest.length !== 3 || rest.some((part) => part !== '*')) return cron
  const steps = /^\*\/(\d+)$/
  if (minute === '*' && hour === '*') return 'every minute'
  const everyMinutes = steps.exec(minute)?.[1]
  if (everyMinutes !== undefined && hour === '*') return `every ${everyMinutes} minutes`
  if (!/^\d+$/.test(minute)) return cron
  if (hour === '*') return 'every hour'
  const everyHours = steps.exec(hour)?.[1]
  if (everyHours !== undefined) return `every ${everyHours} hours`
  return /^\d+$/.test(hour) ? `every day at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` : cron
}

const DAILY = /^(\d{1,2}) (\d{1,2}) \* \* \*$/

/** `07:00` for a daily schedule. */
function dailyTime(cron: string): string | undefined {
  const [, minute, hour] = DAILY.exec(cron.trim()) ?? []
  return minute === undefined || hour === undefined ? undefined : `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}

/** @param time `07:00` */
function dailyCron(time: string): string {
  const [hour = '7', minute = '0'] = time.split(':')
  return `${Number(minute)} ${Number(hour)} * * *`
}
