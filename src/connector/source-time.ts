// Connectors see no more of the house than this folder.
export { retryTime } from '../lib/retry-time.ts'

// Connectors see no more of the house than this folder.
export { type CalendarDay, startOfZonedDay, zonedDay } from '../lib/zoned-time.ts'
