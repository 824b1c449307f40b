import { useState } from 'react'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { cronWords, dailyCron, dailyTime } from './cron-words.ts'

const CHOICES: Readonly<Record<string, string>> = { quarter: '*/15 * * * *', hour: '0 * * * *' }
const MORNING = '07:00'

export interface ScheduleFieldProps {
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
