import { useEffect, useState } from 'react'
import { useViewer } from '../../shell/use-session.ts'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { isDay } from './days.ts'
import type { TimeChoice } from './search-address.ts'

const LAST = [7, 30, 365] as const

/** When it happened: any time, the last days, or from a day to a day. */
export function TimeFilter({
  time,
  onTime,
}: {
  readonly time: TimeChoice
  readonly onTime: (time: TimeChoice) => void
}) {
  const [isOpen, setOpen] = useState(time.type === 'between')
  useEffect(() => setOpen(time.type === 'between'), [time.type])
  const choose = (value: string) => {
    setOpen(value === 'between')
    if (value === 'any') onTime({ type: 'any' })
    else if (value !== 'between') onTime({ type: 'last', days: Number(value) })
  }
  const others = time.type === 'last' && !LAST.some((days) => days === time.days) ? [time.days] : []
  return (
    <>
      <SelectField
        compact
        label="When it happened"
        value={isOpen ? 'between' : time.type === 'last' ? String(time.days) : 'any'}
        onValue={choose}
        options={[
          { value: 'any', label: 'Any time' },
          ...[...LAST, ...others].map((days) => ({
            value: String(days),
            label: days === 365 ? 'Last year' : `Last ${days} days`,
          })),
          { value: 'between', label: 'From … to …' },
        ]}
      />
      {isOpen && <Between time={time} onTime={onTime} />}
    </>
  )
}

function Between({ time, onTime }: { readonly time: TimeChoice; readonly onTime: (time: TimeChoice) => void }) {
  const { time_zone } = useViewer().account
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const { from, to } = time.type === 'between' ? time : { from: '', to: '' }
  const change = (days: { readonly from: string; readonly to: string }) => {
    if (days.from === '' && days.to === '') onTime({ type: 'any' })
    else if (days.from === '' || days.to === '' || days.from <= days.to) onTime({ type: 'between', ...days })
  }
  return (
    <>
      <DayInput label="From this day" day={from} most={to} onDay={(day) => change({ from: day, to })} />
      <DayInput label="To this day" day={to} least={from} onDay={(day) => change({ from, to: day })} />
      {own !== time_zone && (
        <p className="text-soft order-last basis-full text-xs">
          Days begin and end by the clock of {own}, where you are; that of the account is {time_zone}.
        </p>
      )}
    </>
  )
}

/** Half typed days are kept to itself. */
function DayInput({
  label,
  day,
  least = '',
  most = '',
  onDay,
}: {
  readonly label: string
  readonly day: string
  readonly least?: string
  readonly most?: string
  readonly onDay: (day: string) => void
}) {
  const [typed, setTyped] = useState(day)
  useEffect(() => setTyped(day), [day])
  return (
    <div className="w-fit">
      <input
        type="date"
        aria-label={label}
        value={typed}
        min={least}
        max={most}
        onChange={(event) => {
          const value = event.target.value
          setTyped(value)
          if (value === '' || (isDay(value) && value >= '1000')) onDay(value)
        }}
        className={INPUT_CLASS}
      />
    </div>
  )
}
