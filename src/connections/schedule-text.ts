const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A cron expression of five fields in words; as it is, when it says more than people schedule by hand. */
export function scheduleWords(expression: string): string {
  const parts = expression.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts
  if (parts.length !== 5 || month !== '*') return expression
  const isDaily = day === '*' && weekday === '*'
  if (isDaily && hour === '*') return minutesWords(minute) ?? expression
  if (isDaily && isNumber(minute) && /^\*\/\d+$/.test(hour)) return `every ${hour.slice(2)} hours`
  if (!isNumber(minute) || !isNumber(hour)) return expression
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (isDaily) return `every day at ${time}`
  if (day === '*' && weekday === '1-5') return `on weekdays at ${time}`
  if (day === '*' && isNumber(weekday) && WEEKDAYS[Number(weekday)] !== undefined) {
    return `every ${WEEKDAYS[Number(weekday)]} at ${time}`
  }
  return expression
}

function minutesWords(minute: string): string | undefined {
  if (minute === '*') return 'every minute'
  if (/^\*\/\d+$/.test(minute)) return `every ${minute.slice(2)} minutes`
  return isNumber(minute) ? 'every hour' : undefined
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text)
}
