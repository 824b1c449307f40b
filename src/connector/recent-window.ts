import type { Clock } from '../lib/clock.ts'

/** What a first sync reads before everything older. */
export const RECENT_DAYS = 30

/** Where the recent part of a first sync begins; `undefined` when everything that is wanted is recent anyway. */
export function recentStart({ clock }: { readonly clock: Clock }, since: Date | undefined): Date | undefined {
  const start = recentSince({ clock })
  return since !== undefined && since >= start ? undefined : start
}

/** What changed before this is old, and is processed after everything else. */
export function recentSince({ clock }: { readonly clock: Clock }): Date {
  return new Date(clock().getTime() - RECENT_DAYS * 24 * 60 * 60_000)
}
