/** As a change has it: `undefined` stays, nothing was said; `null` clears. */
export function toTime(at: Date | null | undefined): number | null | undefined {
  return at === undefined || at === null ? at : at.getTime()
}

export function toDate(at: number | null): Date | undefined {
  return at === null ? undefined : new Date(at)
}
