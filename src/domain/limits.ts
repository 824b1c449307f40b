/** Defaults of the settings that limit work and history. */
export const DEFAULT_LIMITS = {
  maxUploadsWaiting: 100_000,
  maxUploadsWaitingPerAccount: 20_000,
  maxConcurrentAsks: 4,
  maxConcurrentSearches: 2,
  activityDays: 90,
  auditDays: 365,
} as const

/** Connections that are synced at a time. Their requests are bounded by permits for each API, and bodies read ahead by bytes. */
export const MAX_CONCURRENT_SYNCS = 6
