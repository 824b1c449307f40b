import { formatDay, formatRelative } from './formats.ts'
import { uiMessages } from './messages.ts'

const STEPS: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly seconds: number }[] = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
]

/** `5 minutes ago`, `in 3 days`; beyond a month the day itself. */
export function formatAgo(time: string | Date, now: Date = new Date()): string {
  const seconds = (new Date(time).getTime() - now.getTime()) / 1_000
  if (Math.abs(seconds) > 30 * 86_400) return formatDay(time)
  const step = STEPS.find((one) => Math.abs(seconds) >= one.seconds)
  if (step === undefined) return seconds > 5 ? uiMessages.soon : uiMessages.justNow
  return formatRelative(Math.round(seconds / step.seconds), step.unit)
}
