import { dateLocale } from '../../languages/catalog.ts'
import { messages } from './messages.ts'

/** A cron expression of five fields within a sentence: `every 15 minutes`; complex ones are returned unchanged. */
export function scheduleWords(expression: string): string {
  const parts = expression.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts
  if (parts.length !== 5 || day !== '*' || month !== '*') return expression
  if (weekday === '*' && hour === '*') return minutesWords(minute) ?? expression
  if (!isNumber(minute, 59)) return expression
  const everyHours = STEP.exec(hour)?.[1]
  if (weekday === '*' && everyHours !== undefined) return messages.everyHours(everyHours)
  if (!isNumber(hour, 23)) return expression
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (weekday === '*') return messages.dailyAt(time)
  if (weekday === '1-5') return messages.weekdaysAt(time)
  return /^[0-7]$/.test(weekday) ? messages.weeklyAt(weekdayName(Number(weekday)), time) : expression
}

const STEP = /^\*\/(\d+)$/

function minutesWords(minute: string): string | undefined {
  if (minute === '*') return messages.everyMinute
  const everyMinutes = STEP.exec(minute)?.[1]
  if (everyMinutes !== undefined) return messages.everyMinutes(everyMinutes)
  return isNumber(minute, 59) ? messages.hourly : undefined
}

function isNumber(text: string, most: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) <= most
}

/** A Sunday. */
const WEEK_START = Date.UTC(2023, 0, 1)
const DAY_MS = 86_400_000

/** @param weekday as cron counts: 0 and 7 are Sunday */
function weekdayName(weekday: number): string {
  return new Intl.DateTimeFormat(dateLocale(), { weekday: 'long', timeZone: 'UTC' }).format(
    WEEK_START + weekday * DAY_MS,
  )
}
