// Re-exported here because connectors may only import this folder.
export { type CalendarDay, startOfZonedDay, zonedDay, zonedDayName, zonedInstant } from '../lib/clock.ts'
export { retryTime } from '../lib/retry-time.ts'
