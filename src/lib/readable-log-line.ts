import { z } from 'zod'

const LINE = z.looseObject({ level: z.number(), time: z.string(), msg: z.string().optional() })
const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** Formats a JSON log line for people: `14:03:22 info request method=GET status=200`. */
export function readableLogLine(json: string): string {
  const { level, time, msg, ...fields } = LINE.parse(JSON.parse(json))
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${fieldText(value)}`)
  return `${[time.slice(11, 19), LEVELS[level] ?? level, msg ?? '', ...pairs].join(' ')}\n`
}

function fieldText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  // For an error its stack, which begins with its message.
  return 'stack' in value ? String(value.stack) : JSON.stringify(value)
}
