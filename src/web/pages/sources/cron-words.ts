/** A schedule in words, as far as there are short ones: `every 15 minutes`; else the expression itself. */
export function cronWords(cron: string): string {
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
export function dailyTime(cron: string): string | undefined {
  const [, minute, hour] = DAILY.exec(cron.trim()) ?? []
  return minute === undefined || hour === undefined ? undefined : `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}

/** @param time `07:00` */
export function dailyCron(time: string): string {
  const [hour = '7', minute = '0'] = time.split(':')
  return `${Number(minute)} ${Number(hour)} * * *`
}
