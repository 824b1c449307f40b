import { useState } from 'react'
import type { ConnectionDetail, Connector } from '../../../http/app/schemas/sources.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { messages } from './messages.ts'
import { scheduleWords } from './schedule-words.ts'
import { fieldProblems, useChangeConnection, useConnectionActions } from './source-calls.ts'
import { SourceProblemNote } from './source-problem.tsx'

interface SchedulePanelProps {
  readonly detail: ConnectionDetail
  /** Absent if this version lacks the connector. */
  readonly connector: Connector | undefined
  readonly editable: boolean
}

/** Schedule and pausing of a connection. */
export function SchedulePanel({ detail, connector, editable }: SchedulePanelProps) {
  const own = detail.fields.find(({ name }) => name === 'schedule')?.value
  const kept = typeof own === 'string' ? own : null
  const [chosen, setChosen] = useState<string | null>()
  const change = useChangeConnection(detail, messages.scheduleSaved)
  const { pause, isPending } = useConnectionActions(detail)
  const schedule = chosen === undefined ? kept : chosen
  const words = detail.schedule === null ? undefined : scheduleWords(detail.schedule)
  return (
    <Panel
      title={messages.stepSchedule}
      about={detail.paused ? messages.schedulePaused : words && messages.syncs(words)}
    >
      {editable ? (
        <div className="flex flex-col gap-5">
          <SwitchField
            label={messages.paused}
            about={messages.pausedAbout}
            checked={detail.paused}
            onChecked={pause}
            disabled={isPending}
          />
          <ScheduleField
            key={kept}
            schedule={schedule}
            onSchedule={setChosen}
            standard={connector === undefined ? (words ?? '') : scheduleWords(connector.default_schedule)}
            problem={fieldProblems(change.error).schedule}
          />
          {change.error !== null && fieldProblems(change.error).schedule === undefined && (
            <SourceProblemNote error={change.error} />
          )}
          {schedule !== kept && (
            <div className="flex gap-2">
              <Button
                look="primary"
                busy={change.isPending}
                onClick={() => change.mutate({ settings: { schedule } }, { onSuccess: () => setChosen(undefined) })}
              >
                {messages.saveSchedule}
              </Button>
              <Button look="quiet" onClick={() => setChosen(undefined)}>
                {uiMessages.discard}
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
  /** `null`: the connector's default. */
  readonly schedule: string | null
  readonly onSchedule: (schedule: string | null) => void
  /** The connector's default, in words. */
  readonly standard: string
  readonly problem: string | undefined
}

/** A schedule: a preset or a cron expression. */
export function ScheduleField({ schedule, onSchedule, standard, problem }: ScheduleFieldProps) {
  const [isCustom, setCustom] = useState(() => scheduleKind(schedule) === 'custom')
  const kind = isCustom ? 'custom' : scheduleKind(schedule)
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
        label={messages.howOften}
        value={kind}
        onValue={choose}
        className="sm:w-80"
        problem={kind === 'custom' ? undefined : problem}
        options={[
          { value: 'standard', label: messages.scheduleDefault(standard) },
          { value: 'quarter', label: messages.everyQuarter },
          { value: 'hour', label: messages.everyHour },
          { value: 'day', label: messages.everyDay },
          { value: 'custom', label: messages.customCron },
        ]}
      />
      {kind === 'day' && (
        <TextField
          label={messages.atTime}
          type="time"
          value={dailyTime(schedule ?? '') ?? MORNING}
          onValue={(time) => onSchedule(dailyCron(time))}
          about={messages.serverTimeZone}
        />
      )}
      {kind === 'custom' && (
        <TextField
          label={messages.cronExpression}
          value={schedule ?? ''}
          onValue={(text) => onSchedule(text)}
          spellCheck={false}
          autoComplete="off"
          className="sm:w-72"
          problem={problem}
          about={describeCustomCron(schedule ?? '')}
        />
      )}
    </div>
  )
}

function describeCustomCron(cron: string): string {
  const words = scheduleWords(cron)
  return words === cron ? messages.cronHelp : messages.syncs(words)
}

function scheduleKind(schedule: string | null): string {
  if (schedule === null) return 'standard'
  const known = Object.entries(CHOICES).find(([, cron]) => cron === schedule)
  if (known !== undefined) return known[0]
  return dailyTime(schedule) === undefined ? 'custom' : 'day'
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
